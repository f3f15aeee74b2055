// How precise a bundle is: of the lines given for a task, which are in the definitions that its change touched, and how many of
// those are given. Cases are issues with their patches (rows of SWE-bench or MULocBench) and commits whose message has a body.
//   npm run bench:context -- cases --data DIR --grammars DIR [--rows FILE]… [--swe GITDIR] [--half a|b] [--each N] GITDIR…
//   npm run bench:context -- run --data DIR [--half a|b] [--only NAME] [--per N] [--json FILE] [--dist DIR] [--peers] [load options as JSON]
// `--peers` measures BM25 over chunks and the whole project (what a packer such as repomix gives) on the same cases and keeps the figures in bench/results/context.json.
// `cases` writes DIR/cases.jsonl (added to) and one work tree a case; the grammars are a folder with @vscode/tree-sitter-wasm, so
// that what counts as a definition does not come from the code that is measured.
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { count, keepResult, printTable } from './results.mjs';
import { git, nameOf } from './retrieval-data.mjs';
import { rowsIn, tasksIn } from './swe-tasks.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    grammars: { type: 'string' },
    rows: { type: 'string', multiple: true, default: [] },
    swe: { type: 'string' },
    half: { type: 'string' },
    each: { type: 'string', default: '14' },
    only: { type: 'string' },
    per: { type: 'string' },
    by: { type: 'string', default: 'language' },
    json: { type: 'string' },
    dist: { type: 'string', default: new URL('../dist', import.meta.url).pathname },
    cases: { type: 'boolean' },
    peers: { type: 'boolean' },
  },
});
const [command, ...rest] = positionals;
if (!values.data || !['cases', 'run'].includes(command)) {
  console.error('See the head of bench/precise.mjs.');
  process.exit(2);
}
const DATA = resolve(values.data);
const CASES = join(DATA, 'cases.jsonl');
const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|fixtures|examples?|benchmarks?)\/|[._-](?:test|spec)s?\.|(?:^|\/)test_|Tests?\.\w+$/i;
const GRAMMAR = {
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'tsx',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'cpp',
  h: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  cs: 'c-sharp',
  rb: 'ruby',
  php: 'php',
};
const LANGUAGE = {
  cjs: 'JavaScript',
  mjs: 'JavaScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  hpp: 'C++',
  cs: 'C#',
  rb: 'Ruby',
  php: 'PHP',
};
const DEFINITION =
  /^(?:function_(?:definition|declaration|item)|method(?:_declaration|_definition)?|singleton_method|constructor_declaration|generator_function_declaration|arrow_function|function_expression|func_literal|macro_definition|destructor_declaration|property_declaration|operator_declaration|local_function_statement|decorated_definition)$/;
const WHOLE_TYPE =
  /^(?:class(?:_definition|_declaration|_specifier)?|interface_declaration|struct_(?:item|specifier|declaration)|enum_(?:item|declaration|specifier)|trait_item|impl_item|type_declaration|type_alias_declaration|module|record_declaration)$/;
const SMALL_TYPE = 40;
const AROUND = 3;

if (command === 'cases') await makeCases();
else await runCases();

async function makeCases() {
  const definitions = await parser();
  const known = new Map(rest.map((path) => [nameOf(path), resolve(path)]));
  const rows = values.rows.flatMap((file) => rowsIn(readFileSync(file, 'utf8')));
  const swe = values.swe ? tasksIn(values.swe, known) : [];
  for (const [repo, folder] of known) {
    const made = [];
    const issues = [...swe, ...rows].filter((row) => row.repo === repo);
    const found = issues.length > 0 ? issues.map(issueOf) : commitsOf(folder);
    const wanted = Number(values.each);
    // Spread over all there are, the same every time.
    const order = found.map((each, at) => [(at * 7919) % found.length, each]).sort((a, b) => a[0] - b[0]);
    for (const [, each] of order) {
      if (made.length >= wanted) break;
      if (!each) continue;
      try {
        const gold = goldOf(folder, each, definitions);
        if (gold === null) continue;
        const [path] = Object.keys(gold);
        const language = LANGUAGE[path.split('.').at(-1)];
        const id = each.id ?? `${repo.replace('/', '__')}-${each.base.slice(0, 8)}`;
        treeOf(folder, repo, id, each.base);
        made.push({ id, repo, half: values.half, language, base: each.base, text: each.text, gold });
      } catch (error) {
        console.error(`${repo} ${each.base}: ${String(error.message).split('\n')[0]}`);
      }
    }
    for (const each of made) appendFileSync(CASES, `${JSON.stringify(each)}\n`);
    console.error(`${repo}: ${made.length} of ${found.length}`);
  }
}

function issueOf({ instance_id, base_commit, problem_statement, patch, file_loc }) {
  if (!problem_statement || problem_statement.length < 80) return null;
  const changed = new Map();
  if (patch) for (const [path, lines] of changedIn(patch)) changed.set(path, lines);
  else
    for (const { path, Loc } of file_loc?.files ?? []) {
      const lines = new Set();
      const heads = [];
      for (const [key, { add = [], mod = [] }] of Object.entries(Loc ?? {})) {
        for (const line of [...add, ...mod]) lines.add(line);
        const head = /'(\w+)', (\d+)\)$/.exec(key);
        if (head) heads.push([head[1], Number(head[2])]);
      }
      if (lines.size > 0) changed.set(path, Object.assign([...lines], { heads }));
    }
  return { id: instance_id, base: base_commit, text: problem_statement, changed };
}

function commitsOf(folder) {
  const printed = git(folder, 'log', '-n', '3000', '--no-merges', '--format=%x01%H%x00%P%x00%B', 'HEAD');
  return printed
    .split('\x01')
    .slice(1)
    .map((record) => {
      const [commit, parents, message = ''] = record.split('\0');
      const [subject, ...body] = message.split('\n');
      const text = body
        .filter(
          (line) =>
            !/^\s*(?:[\w-]+-by|PR-URL|Fixes|Closes|Refs?|Change-Id|git-svn-id|PiperOrigin\S*|Reviewed\S*|[* -]*$)[:\s]/i.test(
              line,
            ),
        )
        .join('\n')
        .trim();
      if (
        !parents ||
        text.length < 120 ||
        /^(?:release|bump|merge|revert|v?\d+\.|chore|build\(deps|docs?\b|ci\b)/i.test(subject)
      )
        return null;
      return { base: parents.split(' ')[0], commit, text: `${subject}\n\n${text}` };
    })
    .filter(Boolean)
    .slice(0, 400);
}

function goldOf(folder, each, definitions) {
  const changed = each.changed ?? changedIn(git(folder, 'diff', '-U0', '--no-renames', each.base, each.commit));
  const all = [...changed.keys()];
  const source = all.filter((path) => GRAMMAR[path.split('.').at(-1)] && !TEST.test(path));
  if (source.length < 1 || source.length > 5 || all.length > 15) return null;
  const gold = {};
  let [count, touched] = [0, 0];
  for (const path of source) {
    let text;
    try {
      text = git(folder, 'show', `${each.base}:${path}`);
    } catch {
      return null;
    }
    const lines = text.split('\n');
    const numbers = changed.get(path).filter((line) => line >= 1 && line <= lines.length);
    for (const [name, line] of changed.get(path).heads ?? [])
      if (!lines.slice(Math.max(0, line - 4), line + 8).some((text) => text.includes(name))) return null;
    if (numbers.length === 0) return null;
    touched += numbers.length;
    gold[path] = definitions(path, text, numbers);
    count += gold[path].reduce((sum, [start, end]) => sum + end - start + 1, 0);
  }
  return count > 600 || count < 5 || touched > 200 ? null : gold;
}

// The lines of the old file that a patch takes out or adds between.
function changedIn(patch) {
  const changed = new Map();
  let [path, at, last] = [null, 0, 0];
  for (const line of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (line.startsWith('--- ')) path = line.startsWith('--- a/') ? line.slice(6) : null;
    else if (hunk) [at, last] = [Number(hunk[1]) + (hunk[2] === '0' ? 1 : 0), 0];
    else if (path === null || line.startsWith('+++ ')) continue;
    else if (line.startsWith('-')) add(at++);
    else if (line.startsWith('+')) {
      if (last === 0) add(Math.max(1, at - 1));
    } else if (line.startsWith(' ')) [at, last] = [at + 1, 0];
  }
  function add(number) {
    last = number;
    changed.set(path, [...new Set([...(changed.get(path) ?? []), number])]);
  }
  return changed;
}

async function parser() {
  const require = createRequire(join(resolve(values.grammars), 'x.js'));
  const wasm = join(require.resolve('@vscode/tree-sitter-wasm'), '..');
  const { Parser, Language } = require('@vscode/tree-sitter-wasm');
  await Parser.init({ locateFile: () => join(wasm, 'tree-sitter.wasm') });
  const parsers = new Map();
  for (const grammar of new Set(Object.values(GRAMMAR))) {
    const one = new Parser();
    one.setLanguage(await Language.load(join(wasm, `tree-sitter-${grammar}.wasm`)));
    parsers.set(grammar, one);
  }
  return (path, text, numbers) => {
    const tree = parsers.get(GRAMMAR[path.split('.').at(-1)]).parse(text);
    const ranges = [];
    const count = text.split('\n').length;
    for (const number of numbers) {
      const column = (text.split('\n')[number - 1] ?? '').search(/\S/);
      let node = tree.rootNode.descendantForPosition({ row: number - 1, column: Math.max(0, column) });
      let found = null;
      for (; node; node = node.parent) {
        const size = node.endPosition.row - node.startPosition.row + 1;
        // A nested function of few lines is read with the one around it.
        if (DEFINITION.test(node.type) && size > 3) {
          if (found === null || found.size < 12)
            found = { start: node.startPosition.row + 1, end: node.endPosition.row + 1, size };
        } else if (found === null && WHOLE_TYPE.test(node.type) && size <= SMALL_TYPE && size > 1)
          found = { start: node.startPosition.row + 1, end: node.endPosition.row + 1, size: 99 };
      }
      ranges.push(found ? [found.start, found.end] : [Math.max(1, number - AROUND), Math.min(count, number + AROUND)]);
    }
    tree.delete();
    return joined(ranges);
  };
}

function joined(ranges) {
  const out = [];
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && start <= last[1] + 1) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}

function treeOf(folder, repo, id, base) {
  const tree = join(DATA, 'trees', id);
  if (existsSync(join(tree, '.git', 'ready'))) return tree;
  mkdirSync(join(DATA, 'trees'), { recursive: true });
  if (!existsSync(tree)) git(DATA, 'clone', '--quiet', '--shared', '--no-checkout', folder, tree);
  git(tree, 'checkout', '--quiet', '--force', '--detach', base);
  writeFileSync(join(tree, '.git', 'ready'), repo);
  return tree;
}

async function runCases() {
  const { openBearings } = await import(join(resolve(values.dist), 'index.js'));
  const bearings = openBearings({ home: join(DATA, 'home'), variables: { BEARINGS_CACHE: join(DATA, 'cache') } });
  const options = rest[0] ? JSON.parse(rest[0]) : {};
  const cases = rowsIn(readFileSync(CASES, 'utf8')).filter(
    ({ half, id, repo }, at, all) =>
      (!values.half || half === values.half) &&
      (!values.only || id.includes(values.only)) &&
      (!values.per || all.slice(0, at).filter((before) => before.repo === repo).length < Number(values.per)),
  );
  const results = [];
  for (const each of cases) {
    const dir = join(DATA, 'trees', each.id);
    const start = performance.now();
    const bundle = await bearings.loader.load({ project: dir, task: each.text, ...options });
    const ms = performance.now() - start;
    const files = bundle.files.filter(({ source_class }) => source_class === 'task');
    const given = new Map(files.map(({ path, ranges }) => [path, ranges.map(({ start, end }) => [start, end])]));
    const chars = files.reduce((sum, file) => sum + file.chars, 0);
    const measured = measure(dir, each.gold, given);
    if (values.peers) {
      measured.chunks = { ...measure(dir, each.gold, chunksOf(dir, each.text, chars)), chars };
      const whole = wholeOf(dir);
      measured.whole = { ...measure(dir, each.gold, whole.given), chars: whole.chars };
    }
    results.push({
      id: each.id,
      repo: each.repo,
      language: each.language,
      half: each.half,
      // A commit's case is named after its parent, an issue's after the issue.
      kind: each.id.endsWith(each.base.slice(0, 8)) ? 'commits' : 'issues',
      ...measured,
      chars,
      all: bundle.budget.used_chars,
      ms,
    });
    if (values.json) writeFileSync(values.json, `${JSON.stringify(results)}\n`);
    if (values.cases)
      console.log(
        JSON.stringify({
          id: each.id,
          ...measured,
          chars,
          gold: each.gold,
          given: [...given].map(([path, ranges]) => `${path} ${ranges.map((range) => range.join('-')).join(' ')}`),
        }),
      );
  }
  const groups = new Map();
  for (const each of results)
    for (const key of [`half ${each.half}`, `${each.half} ${each[values.by]}`])
      groups.set(key, [...(groups.get(key) ?? []), each]);
  const mean = (list, key) => list.reduce((sum, each) => sum + each[key], 0) / list.length;
  const number = (value) => value.toFixed(3).replace(/^0/, '');
  printTable(
    [
      'cases',
      'n',
      'lines: recall',
      'precision',
      'F1',
      'files: recall',
      'precision',
      'F1',
      'files',
      'characters',
      'in all',
      'ms',
    ],
    [...groups]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([name, list]) => [
        name,
        list.length,
        ...['recall', 'precision', 'f1', 'fileRecall', 'filePrecision', 'fileF1'].map((key) => number(mean(list, key))),
        mean(list, 'files').toFixed(1),
        Math.round(mean(list, 'chars')),
        Math.round(mean(list, 'all')),
        Math.round(mean(list, 'ms')),
      ]),
  );
  if (values.peers) keepContext(results);
}

// The mean and what a second sample of this size would differ by in 19 of 20 cases.
function withError(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return `${mean.toFixed(3)} ± ${(1.96 * Math.sqrt(variance / values.length)).toFixed(3)}`;
}

function keepContext(results) {
  const names = {
    bearings: (each) => each,
    'BM25 over chunks': ({ chunks }) => chunks,
    'all files (as repomix packs)': ({ whole }) => whole,
  };
  const languages = [...new Set(results.map(({ language }) => language))].sort();
  const groups = [
    ['all', () => true],
    ...['issues', 'commits'].map((kind) => [kind, (each) => each.kind === kind]),
    ...languages.map((language) => [language, (each) => each.language === language]),
  ];
  keepResult('context', {
    command: 'npm run bench:context -- run --data DIR --half b --per 5 --peers',
    about: `Of the lines given for a task, those in the definitions that its change touched. ${results.length} cases of ${new Set(results.map(({ repo }) => repo)).size} repositories (half B); BM25 over chunks of 40 lines gets as many characters as the bundle; all files are what a packer such as repomix gives. Means, with the error of the mean (95 %). The control plane is left out.`,
    head: ['cases', 'n', 'by', 'recall of lines', 'precision', 'F1', 'characters'],
    rows: groups.flatMap(([group, belongs]) => {
      const list = results.filter(belongs);
      if (list.length === 0) return [];
      return Object.entries(names).map(([name, of]) => [
        group,
        list.length,
        name,
        ...['recall', 'precision', 'f1'].map((key) => withError(list.map((each) => of(each)[key]))),
        count(Math.round(list.reduce((sum, each) => sum + of(each).chars, 0) / list.length)),
      ]);
    }),
  });
}

// Every text of the project: what a packer such as repomix gives.
function wholeOf(dir) {
  const given = new Map();
  let chars = 0;
  for (const path of git(dir, 'ls-files', '-z').split('\0').filter(Boolean)) {
    // Submodules and links are listed, too.
    if (!lstatSync(join(dir, path), { throwIfNoEntry: false })?.isFile()) continue;
    const bytes = readFileSync(join(dir, path));
    if (bytes.includes(0)) continue;
    given.set(path, [[1, Number.POSITIVE_INFINITY]]);
    chars += bytes.length;
  }
  return { given, chars };
}

// Plain BM25 over chunks of 40 lines, path words twice, in order until as many characters are used as the bundle has.
function chunksOf(dir, task, room) {
  const words = (text) =>
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = new Map([...new Set(words(task))].map((word) => [word, 0]));
  const chunks = [];
  for (const path of git(dir, 'ls-files', '-z').split('\0').filter(Boolean)) {
    if (/[-.]lock|\.(?:snap|map|svg|min\.\w+|png|jpe?g|gif|pdf|ico|csv|ipynb|po|json)$/.test(path)) continue;
    let text;
    try {
      text = readFileSync(join(dir, path), 'utf8');
    } catch {
      continue;
    }
    if (text.length > 1_000_000 || text.includes('\0')) continue;
    const lines = text.split('\n');
    const inPath = words(path);
    for (let start = 0; start < lines.length; start += 40) {
      const own = lines.slice(start, start + 40).join('\n');
      const all = [...words(own), ...inPath, ...inPath];
      const counts = new Map();
      for (const word of all) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const word of counts.keys()) wanted.set(word, wanted.get(word) + 1);
      chunks.push({
        path,
        start: start + 1,
        end: Math.min(lines.length, start + 40),
        size: own.length,
        length: all.length,
        counts,
      });
    }
  }
  const average = chunks.reduce((sum, { length }) => sum + length, 0) / Math.max(1, chunks.length);
  for (const chunk of chunks) {
    chunk.score = 0;
    for (const [word, count] of chunk.counts) {
      const idf = Math.log(1 + (chunks.length - wanted.get(word) + 0.5) / (wanted.get(word) + 0.5));
      chunk.score += (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * chunk.length) / average));
    }
  }
  chunks.sort((a, b) => b.score - a.score);
  const given = new Map();
  let left = room;
  for (const { path, start, end, size } of chunks) {
    if (left <= 0) break;
    left -= size;
    given.set(path, [...(given.get(path) ?? []), [start, end]]);
  }
  return new Map([...given].map(([path, ranges]) => [path, joined(ranges)]));
}

// Blank lines count for neither.
function measure(dir, gold, given) {
  let [wanted, got, both, fileHits] = [0, 0, 0, 0];
  for (const path of new Set([...Object.keys(gold), ...given.keys()])) {
    const lines = readFileSync(join(dir, path), 'utf8').split('\n');
    const inside = (ranges = []) => {
      const numbers = new Set();
      for (const [start, end] of ranges)
        for (let line = start; line <= Math.min(end, lines.length); line += 1)
          if ((lines[line - 1] ?? '').trim() !== '') numbers.add(line);
      return numbers;
    };
    const [a, b] = [inside(gold[path]), inside(given.get(path))];
    wanted += a.size;
    got += b.size;
    for (const line of a) if (b.has(line)) both += 1;
    if (gold[path] && given.has(path)) fileHits += 1;
  }
  const f = (recall, precision) => (recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision));
  const [recall, precision] = [both / Math.max(1, wanted), both / Math.max(1, got)];
  const [fileRecall, filePrecision] = [fileHits / Object.keys(gold).length, fileHits / Math.max(1, given.size)];
  return {
    recall,
    precision,
    f1: f(recall, precision),
    fileRecall,
    filePrecision,
    fileF1: f(fileRecall, filePrecision),
    files: given.size,
    goldLines: wanted,
  };
}
