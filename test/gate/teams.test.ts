import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { blocksOf } from '../../src/gate/ledger/text-blocks.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { effort, LONGEST_MS } from '../support/effort.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const HISTORIES = effort(200, 5);
const QUIET = ['user.name=m', 'user.email=m@x', 'commit.gpgsign=false', 'gc.auto=0', 'core.fsync=none'];
let teams = 0;

interface Mate {
  repo: string;
  bearings: Rooms;
  /** Something may have changed since the last commit. */
  dirty: boolean;
}

interface Team {
  root: string;
  mates: [Mate, Mate];
}

function mateIn(root: string, name: string, home = `home-${name}`): Mate {
  const repo = join(root, name);
  const variables = { HOME: root, BEARINGS_CACHE: join(root, 'cache') };
  return { repo, dirty: true, bearings: openRooms({ home: join(root, home), cwd: repo, variables }) };
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', [...QUIET.flatMap((setting) => ['-c', setting]), ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  });
}

async function makeTeam(name?: string): Promise<Team> {
  teams += 1;
  const root = join(folder, name ?? `team${teams}`);
  mkdirSync(join(root, 'a'), { recursive: true });
  git(join(root, 'a'), 'init', '-q', '--template=', '-b', 'main');
  const a = mateIn(root, 'a');
  await (await a.bearings.workspaces()).createWorkspace({ id: 'shared', here: true });
  await confirm(a, 'The first note of all.');
  commit(a);
  git(root, 'clone', '-q', '--template=', join(root, 'a'), join(root, 'b'));
  const b = mateIn(root, 'b');
  await confirm(b, 'A note of b.');
  merge(a, b);
  // Each tells the other her fingerprint.
  for (const mate of [a, b])
    for (const { fingerprint } of await (await mate.bearings.gate()).unknownKeys())
      await (await mate.bearings.gate()).trustKey(fingerprint);
  merge(b, a);
  for (const { fingerprint } of await (await b.bearings.gate()).unknownKeys())
    await (await b.bearings.gate()).trustKey(fingerprint);
  return { root, mates: [a, b] };
}

// The same two clones again and again, in the same place, with one store of objects: many histories in little time.
async function teamFactory(): Promise<() => Team> {
  const root = join(folder, 'histories');
  const kept = `${root}-kept`;
  await makeTeam('histories');
  for (const [one, other] of ['ab', 'ba'])
    writeFileSync(
      join(root, one ?? '', '.git/objects/info/alternates'),
      `${join(root, other ?? '', '.git/objects')}\n`,
    );
  renameSync(root, kept);
  return () => {
    rmSync(root, { recursive: true, force: true });
    cpSync(kept, root, { recursive: true });
    return { root, mates: [mateIn(root, 'a'), mateIn(root, 'b')] };
  };
}

async function confirm(mate: Mate, content: string): Promise<void> {
  const { bearings } = mate;
  mate.dirty = true;
  const session = await (await bearings.sessions()).openSession({}, 'test');
  const proposed = await (await bearings.gate()).propose(session, { kind: 'notes', content });
  if (proposed.status !== 'pending') return;
  const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
  await (await bearings.gate()).decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
}

function commit(mate: Mate): void {
  if (!mate.dirty) return;
  git(mate.repo, 'add', '-A');
  git(mate.repo, 'commit', '-q', '--allow-empty', '-m', 'work');
  mate.dirty = false;
}

// A plain merge of the other's work: it must never conflict.
function merge(into: Mate, from: Mate): void {
  commit(into);
  commit(from);
  const shares = existsSync(join(into.repo, '.git/objects/info/alternates'));
  if (!shares) git(into.repo, 'fetch', '-q', from.repo, 'main');
  const head = shares ? readFileSync(join(from.repo, '.git/refs/heads/main'), 'utf8').trim() : 'FETCH_HEAD';
  git(into.repo, 'merge', '-q', '--no-edit', head);
}

async function tidy(mate: Mate): Promise<void> {
  mate.dirty = true;
  for (const merged of await (await mate.bearings.gate()).mergedFiles('all'))
    await (await mate.bearings.gate()).tidyFile(merged, { via: 'review' });
}

const notesOf = ({ repo }: Mate) => readFileSync(join(repo, '.bearings/notes.md'), 'utf8');
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

async function expectWhole(mate: Mate, texts: ReadonlySet<string>): Promise<void> {
  const lines = new Set(linesOf(notesOf(mate)));
  for (const text of texts) for (const line of linesOf(text)) expect(lines).toContain(line);
  await tidy(mate);
  const there = blocksOf(notesOf(mate));
  const wanted = [...new Set([...texts].flatMap(blocksOf))];
  expect([...there].sort()).toEqual(wanted.sort());
  expect((await (await mate.bearings.gate()).verify()).faults.map(({ message }) => message)).toEqual([]);
  expect(await (await mate.bearings.gate()).unaccountedBlocks('all')).toEqual([]);
  expect(await (await mate.bearings.gate()).mergedFiles('all')).toEqual([]);
}

const line = fc.constantFrom(
  'keep it calm',
  'water stays blue',
  'start from 5,400 K',
  'no red',
  '- a',
  '- b',
  'common',
);
const block = fc.uniqueArray(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const text = fc.uniqueArray(block, { minLength: 1, maxLength: 2 }).map((blocks) => blocks.join('\n\n'));
const step = fc.record({
  who: fc.integer({ min: 0, max: 1 }),
  what: fc.oneof(
    { weight: 5, arbitrary: fc.record({ confirm: text }) },
    { weight: 3, arbitrary: fc.constant('merge' as const) },
    { weight: 1, arbitrary: fc.constant('tidy' as const) },
  ),
});

describe('M33 a team that shares a workspace through git', () => {
  it('M33 two clones confirm different and equal texts, and merge both ways', async () => {
    const { mates } = await makeTeam();
    const [a, b] = mates;
    await confirm(a, 'only a');
    await confirm(b, 'only b');
    await confirm(a, 'both of us');
    await confirm(b, 'both of us');
    merge(a, b);
    merge(b, a);
    const texts = new Set(['The first note of all.', 'A note of b.', 'only a', 'only b', 'both of us']);
    for (const mate of mates) await expectWhole(mate, texts);
    const { blocks } = await (await a.bearings.gate()).blame('notes.md');
    expect(new Set(blocks.map(({ origin }) => origin?.signed_by))).toEqual(new Set(['you', 'a key you trust']));
  });

  it('M33 what a mate writes without a decision is unaccounted after the merge, for everybody', async () => {
    const { mates } = await makeTeam();
    const [a, b] = mates;
    appendFileSync(join(b.repo, '.bearings/notes.md'), '\nsmuggled\n');
    b.dirty = true;
    merge(a, b);
    expect((await (await a.bearings.memory()).readContext()).warnings).toEqual([
      expect.stringMatching(/^1 block unaccounted \(1 in notes\.md\): it .*the person has not confirmed it\./),
    ]);
  });

  it('M33 one home with two clones or two branches writes chains of their own, and nothing conflicts', async () => {
    const root = join(folder, 'one-home');
    const open = (name: string) => mateIn(root, name, 'home');
    mkdirSync(join(root, 'a'), { recursive: true });
    git(join(root, 'a'), 'init', '-q', '-b', 'main');
    const a = open('a');
    await (await a.bearings.workspaces()).createWorkspace({ id: 'shared', here: true });
    await confirm(a, 'one');
    commit(a);
    git(a.repo, 'checkout', '-q', '-b', 'side');
    await confirm(a, 'on the side');
    commit(a);
    git(a.repo, 'checkout', '-q', 'main');
    await confirm(a, 'on main');
    commit(a);
    git(a.repo, 'merge', '-q', '--no-edit', 'side');
    await expectWhole(a, new Set(['one', 'on the side', 'on main']));
    commit(a);
    git(root, 'clone', '-q', a.repo, join(root, 'b'));
    const b = open('b');
    const session = await (await b.bearings.sessions()).openSession({ root: b.repo }, 'test');
    expect(session.image_id).toBe('shared');
    expect(existsSync(join(b.repo, '.bearings/ledger'))).toBe(true);
  });

  it(
    `M33 ${HISTORIES} random histories: nothing lost, no conflict, every block once after the tidy`,
    async () => {
      const nextTeam = await teamFactory();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
          const { mates } = nextTeam();
          const texts = new Set(['The first note of all.', 'A note of b.']);
          for (const { who, what } of steps) {
            const mate = mates[who] as Mate;
            const other = mates[1 - who] as Mate;
            if (what === 'merge') merge(mate, other);
            else if (what === 'tidy') await tidy(mate);
            else {
              texts.add(what.confirm);
              await confirm(mate, what.confirm);
            }
          }
          merge(mates[0], mates[1]);
          merge(mates[1], mates[0]);
          for (const mate of mates) await expectWhole(mate, texts);
          merge(mates[0], mates[1]);
          await expectWhole(mates[0], texts);
        }),
        // Shrinking would run git for minutes; the seed tells enough.
        { numRuns: HISTORIES, endOnFailure: true },
      );
    },
    LONGEST_MS,
  );
});
