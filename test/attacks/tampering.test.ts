import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Rooms } from '../../src/bearings.ts';
import { canonicalLine } from '../../src/json.ts';
import { effort } from '../support/effort.ts';
import { decided, forger, openLibrary, proposed, sha256 } from '../support/open-library.ts';
import { bearings as command } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

// A real home, tampered with in any combination, is told alike by every face, and nothing that nobody signed is served as decided.

const root = tempFolder();
const base = join(root, 'base');
const older = join(root, 'older');
const DECIDED = [
  'Use pnpm.',
  'Never edit generated files.',
  'Ports start at 4000.',
  'Short commits.',
  'Tests run with vitest.',
];
const thief = forger();
let files: string[] = [];

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile() && !/\.lock|cache\/|sessions\/|\.draft/.test(name))
    .sort();

beforeAll(async () => {
  put(base, { '.bearings/workspaces/api/brief.md': '', '.bearings/workspaces/web/brief.md': '' });
  const bearings = openLibrary(base);
  const [one = '', two = '', three = '', four = '', five = ''] = DECIDED;
  await decided(bearings, await proposed(bearings, one, { id: 'api' }));
  await decided(bearings, await proposed(bearings, four, { id: 'api', kind: 'taste', category: 'process' }));
  cpSync(base, older, { recursive: true });
  await decided(bearings, await proposed(bearings, two, { id: 'api' }));
  await decided(bearings, await proposed(bearings, three, { id: 'web' }));
  await decided(
    bearings,
    await proposed(bearings, five, { id: 'api', kind: 'taste', category: 'process', file: 'wide.md' }),
  );
  await decided(bearings, await proposed(bearings, 'No.', { id: 'web' }), { decision: 'decline' });
  files = below(base).filter((name) => name.startsWith('.bearings/'));
  expect((await (await bearings.gate()).verify()).faults).toEqual([]);
});

interface Step {
  kind:
    | 'delete'
    | 'cut'
    | 'drop'
    | 'swap'
    | 'double'
    | 'older'
    | 'copy'
    | 'forge'
    | 'junk'
    | 'unsigned'
    | 'plant'
    | 'byte'
    | 'key';
  file: number;
  other: number;
  at: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step['kind']>(
    'delete',
    'cut',
    'drop',
    'swap',
    'double',
    'older',
    'copy',
    'forge',
    'junk',
    'unsigned',
    'plant',
    'byte',
    'key',
  ),
  file: fc.nat(10_000),
  other: fc.nat(10_000),
  at: fc.nat(10_000),
});

function tamper(home: string, { kind, file, other, at }: Step): void {
  const path = (index: number) => join(home, files[index % files.length] ?? '');
  const chains = files.filter((name) => /ledger\/[^/]+\.jsonl$/.test(name));
  const chain = join(home, chains[file % chains.length] ?? '');
  const target = path(file);
  const linesOf = (name: string) => (existsSync(name) ? readFileSync(name, 'utf8').split('\n') : ['']);
  const change = (name: string, lines: string[]) => {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, lines.join('\n'));
  };
  if (kind === 'delete') rmSync(at % 3 === 0 ? dirname(target) : target, { recursive: true, force: true });
  else if (kind === 'older') {
    const from = join(older, relative(home, target));
    if (existsSync(from)) cpSync(from, target);
    else rmSync(target, { force: true });
  } else if (kind === 'copy') {
    const to = at % 2 === 0 ? target : join(dirname(target), `copy${at % 3}.jsonl`);
    if (existsSync(path(other)) && to !== path(other)) cpSync(path(other), to);
  } else if (kind === 'plant') {
    const notes = files.filter((name) => name.endsWith('.md'));
    const name = join(home, notes[file % notes.length] ?? '');
    if (existsSync(dirname(name))) appendFileSync(name, `\nPlanted ${at % 5}.\n`);
  } else if (kind === 'key') {
    const keyPath = join(home, '.bearings/key.json');
    if (existsSync(dirname(keyPath)))
      writeFileSync(keyPath, JSON.stringify({ ...JSON.parse(thief.keyFile), made_at: '2026-01-01' }));
  } else if (kind === 'forge' || kind === 'junk' || kind === 'unsigned') {
    const lines = linesOf(chain).filter((line) => line !== '');
    const like = lines[at % Math.max(1, lines.length)] ?? '';
    if (!like.startsWith('{')) return;
    const text = `Planted ${at % 5}.`;
    const salt = sha256('s');
    const hash = sha256(`${salt}\ntext\n${text}`);
    const last = lines.at(-1) ?? '';
    let line: string;
    // A line that was changed before may be none.
    try {
      const { sig: _, ...rest } = JSON.parse(like);
      const fields = { blocks: [hash], decision: 'accept', file: rest.file ?? 'notes.md', proposal_id: 'p_x' };
      const entry = { ...rest, ...fields, seq: JSON.parse(last).seq + 1, prev: sha256(last) };
      line =
        kind === 'forge'
          ? thief.entry(like, fields, last)
          : canonicalLine(kind === 'junk' ? { ...entry, sig: JSON.parse(like).sig } : entry);
    } catch {
      return;
    }
    change(chain, [...lines, line, '']);
    const texts = join(dirname(chain), 'texts', chain.replace(/.*\//, ''));
    mkdirSync(dirname(texts), { recursive: true });
    appendFileSync(texts, `${canonicalLine({ hash, salt, text })}\n`);
    const heads = join(home, '.bearings/heads');
    // The marks say that it was seen.
    if (other % 2 === 0 && existsSync(heads))
      for (const name of below(heads))
        writeFileSync(join(heads, name), JSON.stringify({ seq: JSON.parse(line).seq, hash: sha256(line) }));
  } else {
    const lines = linesOf(target);
    const index = at % Math.max(1, lines.length);
    if (kind === 'cut') change(target, lines.slice(0, index));
    if (kind === 'drop') change(target, lines.toSpliced(index, 1));
    if (kind === 'double') change(target, lines.toSpliced(index, 0, lines[index] ?? ''));
    if (kind === 'swap') change(target, lines.with(index, lines[other % lines.length] ?? ''));
    if (kind === 'byte') {
      const text = lines.join('\n');
      const place = at % Math.max(1, text.length);
      change(target, [`${text.slice(0, place)}${String.fromCharCode(33 + (other % 90))}${text.slice(place + 1)}`]);
    }
  }
}

const legitimate = new Set(DECIDED);

/** Null where a face says in one sentence why it can't answer, as all others then do. */
async function reportOf(bearings: Rooms, id: string) {
  const kinds = (list: readonly { kind: string; ledger: string }[]) =>
    list.map(({ kind, ledger }) => `${ledger} ${kind}`).sort();
  const told = await (await bearings.gate()).faults({ id });
  const all = (await (await bearings.gate()).verify()).faults.filter(({ ledger }) =>
    ['home', 'tastes', id].includes(ledger),
  );
  const { warnings } = await (await bearings.memory()).readContext({ id });
  const { blocks, faults } = await (await bearings.gate()).blame('notes.md', { id });
  const line = warnings.find((warning) => warning.startsWith('The record of decisions'));
  expect(kinds(told)).toEqual(kinds(all));
  expect(kinds(faults)).toEqual(kinds(told.filter(({ ledger }) => ledger !== 'tastes')));
  expect(line !== undefined).toBe(told.length > 0);
  const sentences = new Set(told.map(({ ledger, message }) => `${ledger}: ${message}`));
  expect([...sentences].filter((sentence) => line?.includes(sentence)).length).toBe(Math.min(3, sentences.size));
  if (sentences.size > 3) expect(line).toContain(`and ${sentences.size - 3} more`);
  const tastes = await Promise.all(
    ['_default', 'wide'].map(async (name) =>
      (await bearings.gate()).blame(`tastes/${name}.md`, { id }).catch(() => ({ blocks: [] })),
    ),
  );
  for (const { origin, text } of [...blocks, ...tastes.flatMap((taste) => taste.blocks)])
    if (origin !== null) expect(legitimate).toContain(text);
  return kinds(all);
}

describe('M50 tampering', () => {
  it('M50 whatever is deleted, cut, swapped, replayed, rolled back, forged or mixed: every face tells what verify tells', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        count += 1;
        const home = join(root, `tampered${count}`);
        cpSync(base, home, { recursive: true });
        for (const each of steps) tamper(home, each);
        for (const id of ['api', 'web']) {
          if (!existsSync(join(home, '.bearings/workspaces', id))) continue;
          let outcome: unknown;
          try {
            outcome = await reportOf(openLibrary(home), id);
          } catch (error) {
            // A key that is gone or damaged is one sentence on each of them.
            if ((error as { code?: string }).code !== 'io_error') throw error;
            outcome = null;
          }
          expect(outcome === null || Array.isArray(outcome)).toBe(true);
        }
        rmSync(home, { recursive: true });
      }),
      { numRuns: effort(10_000, 40) },
    );
  });

  it('M50 the same through real processes', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
        count += 1;
        const home = join(root, `process${count}`);
        cpSync(base, home, { recursive: true });
        for (const each of steps) tamper(home, each);
        const run = (...args: string[]) => command({ home }, ...args);
        const verified = run('verify', '--json');
        if (verified.code === 0 || verified.code === 1) {
          if (!verified.stdout.startsWith('{')) return;
          const { faults } = JSON.parse(verified.stdout) as {
            faults: { kind: string; ledger: string; message: string; calm?: true }[];
          };
          expect(verified.code).toBe(faults.some(({ calm }) => !calm) ? 1 : 0);
          if (!existsSync(join(home, '.bearings/workspaces/api'))) return;
          const own = faults.filter(({ ledger }) => ledger !== 'web');
          const read = run('read', 'api', '--json');
          const hook = run('hook', 'session-start', '--workspace', 'api');
          if (own.length > 0) {
            expect(
              own.some(({ ledger, message }) => read.stderr.replace(/\s+/g, ' ').includes(`${ledger}: ${message}`)),
            ).toBe(true);
            expect(hook.stdout).toContain('The record of decisions');
          }
          if (own.length === 0) expect(read.stderr).not.toContain('The record of decisions');
        } else expect(verified.stderr).not.toMatch(/at .*\.(?:ts|cjs|js):/);
        rmSync(home, { recursive: true });
      }),
      { numRuns: effort(300, 12) },
    );
  });
});
