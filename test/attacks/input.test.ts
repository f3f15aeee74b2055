import { openSync, readdirSync, truncateSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLong } from '../support/effort.ts';
import { person } from '../support/person.ts';
import { bearings, type Result } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const WORKSPACE = '.bearings/workspaces/w';
const { place, at, run } = person({ [`${WORKSPACE}/brief.md`]: 'brief' });

// Ended by itself (the runner kills what hangs), told what is wrong in plain words, and nothing of the machine.
function expectPlain({ code, stdout, stderr }: Result, codes: number[]): void {
  expect(codes).toContain(code);
  expect(stdout + stderr).not.toMatch(/RangeError|TypeError|SyntaxError|Maximum call stack|\n\s+at |heap/);
  expect(stderr).not.toContain(place.home);
}

const context = () => {
  const answer = run('read', 'w', '--json');
  expectPlain(answer, [0]);
  return JSON.parse(answer.stdout) as {
    log: { op: string }[];
    gaps: unknown[];
    brief: { intent: string; tastes: string[] };
  };
};
interface Ledger {
  ledger: string;
  entries: { status: string }[];
}
const GOOD = '{"timestamp":"2026-11-15T10:00:00Z","op":"good","params":{}}';

describe('records that others wrote', () => {
  it.each([
    ['half a line', '{"op":"ha'],
    ['a key twice', '{"op":"a","op":"b"}'],
    ['__proto__', '{"__proto__":{"op":"x"},"constructor":{"prototype":1},"op":"p"}'],
    ['numbers that are none', '{"op":NaN}\n{"op":1e999}\n{"op":-Infinity}'],
    ['100,000 levels', `{"op":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a byte order mark in the middle', '\ufeff{"op":"bom"}'],
    ['line separators that are none', '{"op":"a\u2028b\u2029c\u0085d"}'],
    ['a list, a text and a number', '[]\n"x"\n5\nnull'],
    ['methods in place of texts', '{"op":{"toString":1,"toJSON":2},"timestamp":{"valueOf":3}}'],
  ])('M12 %s: what is good stays readable, and nothing ends', (_, bad) => {
    put(place.home, {
      [`${WORKSPACE}/log.jsonl`]: `${GOOD}\n${bad}\n`,
      [`${WORKSPACE}/vocabulary_gaps.jsonl`]: `${bad}\n`,
    });
    const answer = run('read', 'w', '--json');
    expectPlain(answer, [0]);
    expect(answer.stdout).toContain('"good"');
    expectPlain(run('read', 'w'), [0]);
    expect(({} as { op?: unknown }).op).toBeUndefined();
  });

  it('M12 M14 a line of 1 GB is ignored, and the record before it is read', () => {
    const path = at(`${WORKSPACE}/log.jsonl`);
    writeSync(openSync(path, 'w'), `${GOOD}\n{"op":"`);
    truncateSync(path, 1024 ** 3);
    const answer = run('read', 'w', '--json');
    expectPlain(answer, [0]);
    expect(answer.stdout).toContain('"good"');
  });
});

// 100 kB that were fetched unpack to a hundred times as much: what is not read costs nothing.
describe('what a clone unpacks to', () => {
  const clone = (files: Record<string, string>) => {
    put(place.home, {
      'clone/.git/HEAD': 'ref: refs/heads/main\n',
      'clone/.bearings/workspace.json': '{"id":"clone"}',
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`clone/.bearings/${name}`, text])),
    });
    const answer = bearings({ ...place, cwd: at('clone') }, 'read', '--json');
    expectPlain(answer, [0]);
    return { ...answer, ...(JSON.parse(answer.stdout) as ReturnType<typeof context> & Notes) };
  };
  interface Notes {
    notes: { summary: string };
  }
  const LARGE = 4 * 1024 ** 2 + 1;

  it('M14 of notes over 4 MB head and tail are served, and the whole is unaccounted, not scanned block by block', () => {
    const block = 'A block on the router.\n\n';
    const notes = `# First\n\n${block.repeat(Math.ceil(LARGE / block.length))}# Last\n`;
    const { stderr, notes: served } = clone({ 'notes.md': notes, 'brief.md': 'x' });
    expect(stderr).toContain('(1 in notes.md, 1 in brief.md)');
    expect(served.summary).toMatch(/^# First[\s\S]*# Last\n?$/);
    expect(served.summary.length).toBeLessThan(20_000);
    // As large as it may be, it is counted.
    const counted = clone({ 'notes.md': block.repeat(1000) });
    expect(counted.stderr).toContain('1000 in notes.md');
  });

  it.each(['a\n\n', '# a\r\n \t\r\n'])(
    'M14 notes of more blocks than anybody wrote (%j) cost no more than long ones',
    (block) => {
      const { stderr, notes: served } = clone({
        'notes.md': `First\n\n${block.repeat(20_000)}Last\n`,
        'brief.md': 'x',
      });
      expect(stderr).toContain('(1 in notes.md, 1 in brief.md)');
      expect(served.summary).toMatch(/^First[\s\S]*Last\n?$/);
      const hook = bearings({ ...place, cwd: at('clone') }, 'hook', 'session-start');
      expect(hook.stdout).not.toMatch(/(# a\s+){200}/);
      expect(clone({ 'notes.md': block.repeat(15_000), 'brief.md': 'x' }).stderr).toContain('15000 in notes.md');
    },
  );

  it('M14 a brief, settings and a policy over their limits are not read, with a warning', () => {
    const large = 'A long line.\n'.repeat(LARGE / 12);
    expect(clone({ 'brief.md': large }).stderr).toContain("brief.md can't be read: it is too large");
    expect(clone({ 'config.yaml': large, 'brief.md': 'x' }).stderr).toContain('The whole file is ignored');
    put(place.home, { 'clone/.bearings/policy.yaml': `# ${large}` });
    expect(bearings({ ...place, cwd: at('clone') }, 'load')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('larger than'),
    });
  });

  it('M14 a brief that names 5,000 tastes has the first thousand looked for', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `taste${at}`);
    const { brief, stderr } = clone({ 'brief.md': `Tastes: ${names.join(', ')}\n` });
    expect(brief.tastes).toHaveLength(1000);
    expect(stderr).toContain('is one of more than 1000');
  });

  it('M14 records are looked for among the last 10,000 lines', () => {
    const isRead = (bad: string) =>
      clone({ 'log.jsonl': `${GOOD}\n${bad}`, 'brief.md': 'x' }).stdout.includes('"good"');
    const read = ['broken\n'.repeat(9_000), 'broken\n'.repeat(11_000), '\n'.repeat(11_000)].map(isRead);
    expect(read).toEqual([true, false, false]);
  });

  it('M14 L25 of very many findings the first are told, and all are replaced', () => {
    const line = `password = "aB3${'x9Qz7'.repeat(5)}"\n`;
    const { stderr, stdout } = clone({ 'brief.md': line.repeat(2_000) });
    expect(stderr).toContain('brief.md: 1980 more findings.');
    expect(stdout).not.toContain('x9Qz7x9Qz7');
  });
});

describe('Markdown that others wrote', () => {
  it('M8 M15 a line of 10 MB, fences that never end and 100,000 quotes are text', () => {
    for (const bad of [
      'x'.repeat(10 * 1024 ** 2),
      '```\n'.repeat(9_999),
      '> '.repeat(100_000),
      `**Tastes:${'*'.repeat(1e6)}`,
    ]) {
      put(place.home, { [`${WORKSPACE}/brief.md`]: `Tastes: a\n${bad}\n`, [`${WORKSPACE}/notes.md`]: bad });
      expect(context().brief.tastes).toEqual(['a']);
    }
  });
});

const BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
  .split('')
  .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[i]}`).join(',')}]`)
  .join('\n')}\n`;

describe('YAML that others wrote', () => {
  it.each([
    ['a bomb of aliases', BOMB],
    ['a tag that makes a function', 'max_files: !!js/function "function () { process.exit(7) }"\n'],
    ['a tag of its own', 'control_plane: !include /etc/passwd\n'],
    ['a merge', '<<: {max_chars: 1}\n'],
    ['10,000 levels', `a: ${'['.repeat(10_000)}\n`],
    ['3,000 levels of blocks', `${Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}\n`],
    ['two documents', 'a: 1\n---\nb: 2\n'],
  ])('L2 M34 %s is refused with its place: settings, policy and adapters', (_, text) => {
    put(place.home, { 'repo/AGENTS.md': 'rules', 'repo/policy.yaml': text });
    put(place.home, { '.bearings/config.yaml': text });
    const refusedAt = (file: string, answer: Result, code: number) => {
      expectPlain(answer, [code]);
      expect(answer.stdout + answer.stderr).toMatch(new RegExp(`(?:^|[ /])${file}:\\d+:\\d+`));
    };
    refusedAt('config.yaml', run('config', 'check'), 1);
    put(place.home, { '.bearings/config.yaml': '', '.bearings/adapters.yaml': text });
    refusedAt('policy.yaml', run('load', at('repo'), '--policy', 'policy.yaml'), 2);
    refusedAt('policy.yaml', run('policy', 'check', at('repo/policy.yaml')), 1);
    refusedAt('adapters.yaml', run('load', at('repo'), '--adapter', 'a'), 2);
  });
});

describe('templates that others wrote', () => {
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('');
  it.each([
    ['entities that laugh', `<!DOCTYPE t [<!ENTITY a0 "ha">${laughs}]><task>&a9;</task>`],
    ['an entity from outside', '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><task>&x;</task>'],
    ['a document type from outside', '<!DOCTYPE t SYSTEM "http://127.0.0.1:9/x.dtd"><task/>'],
    ['a parameter entity', '<!DOCTYPE t [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><task/>'],
    ['10,000 levels', '<task type="atomic">'.repeat(10_000)],
    ['an encoding that is not the text’s', '<?xml version="1.0" encoding="UTF-16"?><task>\u00ff</task>'],
    ['deep JSON', `{"steps":${'['.repeat(50_000)}`],
    [
      'a schema that is not text',
      '{"type":"atomic","description":"d","output_format":{"type":"json","schema":{"type":{"toString":1}}}}',
    ],
  ])('T7 %s: refused with line and column, nothing is fetched or read', (_, text) => {
    put(place.home, { 'template.task': text });
    const answer = run('check', 'template.task');
    expectPlain(answer, [1]);
    expect(answer.stdout + answer.stderr).toMatch(/template\.task:\d+:\d+/);
    expect(answer.stdout).not.toContain('root:');
  });
});

describe('patterns and task texts that blow up', () => {
  it('L5 L19 a policy of stars over long names ends', () => {
    const name = `${'a'.repeat(200)}!`;
    const stars = `${'*a'.repeat(100)}b`;
    put(place.home, {
      [`repo/docs/${name}`]: 'x',
      'repo/policy.yaml': `control_plane: []\nintents: [{key: default, include: ["docs/${stars}", "${'**/'.repeat(20)}${'?*'.repeat(60)}z"]}]\n`,
    });
    const answer = run('load', at('repo'), '--policy', 'policy.yaml', '--json');
    expectPlain(answer, [0]);
    expect(JSON.parse(answer.stdout).files).toEqual([]);
  });

  it('L4 T20 task texts that blow up a regular expression end', () => {
    put(place.home, { 'repo/AGENTS.md': 'rules', 'repo/src/a.ts': 'export const a = 1;\n' });
    for (const text of [
      `${'a'.repeat(9_000)}!`,
      `${'(a+)+'.repeat(1_000)}`,
      `${'a/'.repeat(4_000)}`,
      `${'_a'.repeat(4_000)}A`,
    ]) {
      expectPlain(run('load', at('repo'), '--task', text, '--json'), [0]);
      expectPlain(run('match', text, at('repo')), [0, 1, 2]);
    }
  });

  // Not timed: what looks for an end from every place of such a text would outlast the patience for a command.
  it.each(['!?.:', '#L1', ':1', 'a.', '`a', "A'", 'fix(', '漢字', ' '])('L28 100,000 characters of %j end', (part) => {
    put(place.home, { 'repo/AGENTS.md': 'rules', 'repo/src/a.ts': 'export const a = 1;\n' });
    const input = `a\n${part.repeat(100_000 / part.length)}`;
    expectPlain(bearings({ ...place, input }, 'load', at('repo'), '--task', '-', '--json'), [0]);
    // It reads a task as load does.
    if (isLong || part === '#L1') expectPlain(bearings({ ...place, input }, 'match', '-', at('repo')), [0]);
  });
});

describe('bundles, receipts and ledgers that others wrote', () => {
  const args = '"arguments":{"task":"t","policy":null,"workspace":null,"now":null,"tactical":false,"adapters":[]}';
  it.each([
    ['fields that are no texts', `{"version":1,${args},"files":[{"path":{"toString":1}}],"warnings":[{"toString":1}]}`],
    ['100,000 levels', `{"version":1,${args},"files":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['__proto__', `{"version":1,${args},"__proto__":{"files":[]},"files":[{"__proto__":1,"path":"a"}]}`],
    ['no bundle at all', '[1,2'],
  ])('L16 a bundle with %s is compared or refused in one sentence', (_, text) => {
    put(place.home, { 'repo/AGENTS.md': 'rules', 'repo/bundle.json': text });
    expectPlain(run('drift', at('repo/bundle.json'), '--project', at('repo')), [1, 2]);
    expectPlain(run('drift', at('repo/bundle.json'), at('repo/bundle.json')), [0, 1, 2]);
  });

  it.each([
    ['fields that are no texts', '{"seq":1,"prev":"","machine":{"toString":1},"sig":"s","at":{"toString":1}}'],
    ['100,000 levels', `{"seq":1,"prev":"","machine":"m","sig":"s","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [
      'keys that are no keys',
      '{"seq":1,"prev":"","machine":"m","sig":"\u0000","key":"x","public_key":"-----BEGIN PUBLIC KEY-----"}',
    ],
  ])('M26 a ledger of a clone with %s is nobody’s yes, and verify ends', (_, text) => {
    put(place.home, { 'repo/.bearings/brief.md': 'x', 'repo/.bearings/ledger/m.jsonl': `${text}\n` });
    put(place.home, { 'repo/.bearings/ledger.jsonl': `${text}\n`, [`${WORKSPACE}/ledger/m.jsonl`]: `${text}\n` });
    place.cwd = at('repo');
    expectPlain(run('verify'), [1]);
    const answer = run('verify', '--json');
    expectPlain(answer, [1]);
    const { ok, ledgers } = JSON.parse(answer.stdout) as { ok: boolean; ledgers: Ledger[] };
    const verdicts = ledgers
      .filter(({ entries }) => entries.length > 0)
      .map(({ ledger, entries }) => [ledger, ...entries.map(({ status }) => status)]);
    expect([ok, ...verdicts.sort()]).toEqual([false, ['repo', 'broken'], ['w', 'broken']]);
    expect(readdirSync(at('repo/.bearings')).sort()).toEqual(['brief.md', 'ledger', 'ledger.jsonl']);
  });
});
