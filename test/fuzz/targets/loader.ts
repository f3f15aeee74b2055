import { openRooms } from '../../../src/bearings.ts';
import { canonicalJson, parseRecord } from '../../../src/json.ts';
import { excerptOf } from '../../../src/loader/bundle/line-ranges.ts';
import { parseAge, parseReceipt, receiptLine } from '../../../src/loader/bundle/receipt.ts';
import { parseTime } from '../../../src/loader/bundle/time.ts';
import { parsePayloadBytes } from '../../../src/loader/io/adapter-command.ts';
import { readAdapterFile } from '../../../src/loader/policy/adapter-definitions.ts';
import { extendPolicy, findIntent } from '../../../src/loader/policy/extend-policy.ts';
import { readPolicy } from '../../../src/loader/policy/policy.ts';
import { cleanPayload } from '../../../src/loader/slices/clean-payload.ts';
import { inactiveInReport, inactiveWord, newestFirst } from '../../../src/loader/slices/decisions.ts';
import { endsWith, startOf, stepInto, stepsOf, whyNotPattern } from '../../../src/project/pattern.ts';
import { sanitiseValue } from '../../../src/safety/sanitise.ts';
import { parseYamlTree, writeYaml } from '../../../src/settings/io/yaml-tree.ts';
import { scratch } from '../scratch.ts';
import { type FuzzTarget, hold, holdPlain, onlyOurErrors, same } from '../target.ts';

const files = scratch();
const ADAPTERS =
  'adapters:\n  - {name: a, kind: file, path: a.json, items: data.items, map: {id: key}, states: {open: ready}}\n  - name: b\n    kind: command\n    command: [git, log]\n    timeout_ms: 1000\n';

const policy: FuzzTarget = {
  name: 'policy',
  words: [
    ...[
      'control_plane:',
      'intents:',
      '- {key: default, include: ["docs/**/*.md"]}',
      'exclude:',
      'budget: {max_files: 3}',
      'extends: repo',
    ],
    ...[
      'partitions:',
      'tactical: [notes]',
      'adapters:',
      '&a',
      '*a',
      '!!js',
      '!tag',
      '<<:',
      '? ',
      '- ',
      '|',
      '>-',
      '"',
      '  ',
      'newest:',
      '\n',
    ],
  ],
  seeds: [
    'extends: repo\nbudget: {max_files: 3}\n',
    'control_plane: [{path: AGENTS.md, required: true}]\nintents:\n  - {key: ui, words: [page], include: [web/*.ts]}\n  - {key: default, include: ["**/*.md"]}\n',
    ADAPTERS,
  ],
  async run(bytes) {
    const text = bytes.toString('utf8');
    const { tree, problems } = await parseYamlTree(text);
    hold((tree === null) === problems.length > 0, 'a tree or problems');
    for (const { line, column, message } of problems) {
      hold(line >= 1 && column >= 1, 'a problem has a place');
      hold(!/call stack|heap/.test(message), 'a problem is told in our words');
    }
    if (tree === null) return;
    readAdapterFile(tree);
    const read = readPolicy(tree);
    for (const { line, column, message } of read.problems)
      hold(line >= 1 && column >= 1 && message !== '', 'a problem has a place');
    if (read.problems.length > 0) return;
    const whole = extendPolicy(read.written);
    const again = await parseYamlTree(await writeYaml({ ...whole, version: 1 }));
    hold(again.tree !== null, 'a policy that is shown is YAML');
    const reread = readPolicy(again.tree);
    same(reread.problems, [], 'a policy that is shown is a policy');
    same(
      canonicalJson(extendPolicy(reread.written)),
      canonicalJson(whole),
      'a policy that is shown is the same policy',
    );
    findIntent('fix the page', whole.intents);
  },
};

const bundle: FuzzTarget = {
  name: 'bundle',
  words: [
    '"arguments":{',
    '"task":"',
    '"files":[',
    '"path":"a"',
    '"control_plane":',
    '"dropped":[',
    '"adapters":[',
    '"toString":1',
    '"version":1',
    '"now":"2026-11-15T10:00:00Z"',
    'null',
  ],
  seeds: [
    '{"version":1,"arguments":{"task":"t","policy":null,"workspace":null,"now":null,"tactical":false,"adapters":[]},"files":[{"path":"a","rank":1,"excerpt":"x","sha256":"s"}],"warnings":["w"],"dropped":[{"path":"b","reason":"unsafe"}],"control_plane":{"files":[]},"adapters":[{"id":"a"}],"policy":{"name":"p"}}',
  ],
  async run(bytes) {
    const folder = files.folder();
    files.write('bundle.json', bytes);
    const bearings = openRooms({ cwd: folder, home: folder, variables: {} });
    const read = await onlyOurErrors(async () => (await bearings.loader()).readBundle('bundle.json'));
    if (!read) return;
    const own = await onlyOurErrors(async () => (await bearings.loader()).diffBundles(read, read));
    if (own) hold(own.same, 'a bundle is the same as itself');
    const other = { ...read, files: [], task: 'another' } as typeof read;
    const diff = await onlyOurErrors(async () => (await bearings.loader()).diffBundles(read, other));
    for (const { detail } of diff?.changes ?? []) hold(detail.length <= 5_000, 'a detail stays short');
  },
};

const payload: FuzzTarget = {
  name: 'payload',
  words: [
    '{"items":[',
    '"id":',
    '"title":"',
    '"state":"ready"',
    '"priority":"high"',
    '"tags":["',
    '"source_updated_at":"2026-11-15T10:00:00Z"',
    '"fetched_at":',
    'password=',
    'a@b.example',
    '"data":{"issues":',
    '__proto__',
    '1e999',
  ],
  seeds: [
    '{"fetched_at":"2026-11-15T10:00:00Z","items":[{"id":1,"title":"a","state":"ready","priority":"p1","tags":["x"]},{"id":"b"}]}',
    '[{"id":"x","summary":"password: hunter2hunter2","nested":{"a":[1,2,{"b":null}]}}]',
  ],
  async run(bytes) {
    const read = parsePayloadBytes(bytes);
    if (read.status === 'bad') return holdPlain(read.reason);
    const config = { kind: 'file', name: 'a', path: 'a.json', stale_after_hours: 24 } as const;
    const clean = async (value: unknown, path: string) => sanitiseValue(value, { path });
    for (const shape of [
      config,
      {
        ...config,
        items: 'data.issues',
        map: { id: 'key.name', tags: 'labels.name' },
        states: { open: 'ready' as const },
      },
    ]) {
      const found = await cleanPayload(read.value, shape, clean);
      if (found === null) continue;
      hold(found.items.length <= found.total, 'items are of the source');
      hold(new Set(found.items.map(({ id }) => id)).size === found.items.length, 'an id appears once');
      for (const item of found.items) {
        hold(
          [...item.id].length <= 201 && [...item.title].length <= 501 && item.tags.length <= 50,
          'fields are bounded',
        );
        hold(item.source_updated_at === null || parseTime(item.source_updated_at) !== null, 'a time is one');
      }
      for (const warning of found.warnings) hold(warning.length <= 2_000, 'a warning stays short');
      same(await cleanPayload(read.value, shape, clean), found, 'the same payload gives the same items');
    }
  },
};

const patterns: FuzzTarget = {
  name: 'patterns',
  words: ['**/', '*', '?', '/', '.', '*.md', '**', 'docs/', 'a', '\n'],
  seeds: ['docs/**/*.md\ndocs/a/b.md', '*a*a*a*a*b\naaaaaaaaaaaaaaaaaaaaaa', '**/**/**/x\na/b/c/d/x'],
  run(bytes) {
    const [pattern = '', path = ''] = bytes.toString('utf8').split('\n');
    if (whyNotPattern(pattern) !== null || path === '') return;
    const steps = stepsOf(pattern);
    const names = path.split('/').slice(0, 64);
    let at = startOf(steps);
    for (const folder of names.slice(0, -1)) at = stepInto(steps, at, folder);
    const found = endsWith(steps, at, names.at(-1) ?? '');
    same(
      found,
      slowly(pattern.split('/'), names),
      `the pattern ${JSON.stringify(pattern)} on ${JSON.stringify(names)}`,
    );
  },
};

// The meaning of a pattern, said as plainly as possible; tables keep it from blowing up.
function slowly(pattern: string[], names: string[]): boolean {
  const known = new Map<number, boolean>();
  const fits = (p: number, n: number): boolean => {
    const key = p * 100 + n;
    const before = known.get(key);
    if (before !== undefined) return before;
    const step = pattern[p];
    const name = names[n];
    const answer =
      step === undefined || name === undefined
        ? step === undefined && name === undefined
        : step === '**'
          ? fits(p + 1, n) || (n + 1 < names.length && !name.startsWith('.') && fits(p, n + 1))
          : nameFits(step, name) && fits(p + 1, n + 1);
    known.set(key, answer);
    return answer;
  };
  return fits(0, 0);
}

function nameFits(step: string, name: string): boolean {
  if (name.startsWith('.') && !step.startsWith('.')) return false;
  // Code points: a sign beyond the first plane is one for `?` too.
  const letters = Array.from(name);
  let row = [true, ...letters.map(() => false)];
  for (const sign of Array.from(step)) {
    const next = letters.map((letter, at) =>
      sign === '*' ? false : (sign === '?' || sign === letter) && row[at] === true,
    );
    if (sign === '*') {
      let any = row[0] === true;
      row = [any, ...letters.map((_, at) => (any ||= row[at + 1] === true))];
    } else row = [false, ...next];
  }
  return row.at(-1) === true;
}

const decisions: FuzzTarget = {
  name: 'decisions',
  words: [
    '---\n',
    'status: superseded',
    '## Status\n',
    'superseded_by: x',
    '| Status | rejected |',
    '**State:** ',
    '{"status":"retired"',
    '"path":"d.md"',
    '\n',
  ],
  seeds: [
    '---\nstatus: active\n---\n# D\n',
    '# D\n\n## Status\n\nSuperseded by 4\n',
    '{"rejected":["d.md"],"x":{"status":"retired"}}',
  ],
  run(bytes) {
    const text = bytes.toString('utf8');
    const word = inactiveWord(text);
    hold(word === null || text.toLowerCase().includes(word), 'the word is in the text');
    const report = parseRecord(text);
    if (report) inactiveInReport(report)('d.md');
    const names = text.split('\n').slice(0, 50);
    const sorted = newestFirst(names);
    same([...sorted].sort(), [...names].sort(), 'sorting keeps every name');
    same(newestFirst([...names].reverse()), sorted, 'the order does not depend on where one starts');
    for (const max of [1, 80, 1_000]) hold([...excerptOf(text, max).text].length <= max, 'an excerpt keeps its bound');
  },
};

const receipt: FuzzTarget = {
  name: 'receipt',
  words: [
    '"event":"new_session"',
    '"head":',
    '"dirty":true',
    '"policy":{"asked":null,"name":"p","sha256":"s"}',
    '"control_plane":{',
    '"budget":{',
    '24h',
    '"time":"2026-11-15T10:00:00Z"',
  ],
  seeds: [
    '{"version":1,"time":"2026-11-15T10:00:00Z","event":"new_session","bundle_sha256":"b","budget":{"max_files":1,"max_chars_per_file":1,"max_total_chars":1,"max_tokens":null},"head":null,"dirty":null,"dirty_sha256":null,"policy":{"asked":null,"name":"p","sha256":"s"},"control_plane":{"AGENTS.md":null}}',
    '24h',
  ],
  run(bytes) {
    const text = bytes.toString('utf8');
    const age = parseAge(text);
    hold(age === null || (age >= 0 && Number.isFinite(age)), 'an age is a length of time');
    const found = parseReceipt(parseRecord(text));
    if (found)
      same(
        parseReceipt(parseRecord(receiptLine(found))),
        parseReceipt(parseRecord(receiptLine(parseReceipt(parseRecord(receiptLine(found))) ?? found))),
        'a receipt survives writing and reading',
      );
  },
};

export const LOADER_TARGETS = [policy, bundle, payload, patterns, decisions, receipt];
