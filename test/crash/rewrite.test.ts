import { appendFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { type FileLayer, realFiles } from '../../src/files/write-file.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { isLong } from '../support/effort.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Census, emptyCensus, expectVerified, readOr } from './census.ts';
import { Crash, crashAt } from './crash-layer.ts';

const folder = tempFolder();
const census: Census = emptyCensus();
const OWN_EDITS = ['remove', 'retire', 'tidy', 'undo', 'restore'];
// Short by default; `BEARINGS_TEST_LONG=1` takes every share and crashes in every other step of every recovery.
const SHARES = isLong ? [0, 0.5, 0.99, 1] : [0.5];
// By turns, the recoveries of all steps of an edit take every step of a recovery.
const STRIDE = isLong ? 2 : 8;
// By turns the scenarios take every step of an edit; in the long form each takes all of them.
const STEP = isLong ? 1 : 2;
// And by turns the steps after which a recovery dies too; in the long form each takes all.
const TURNS = isLong ? 1 : 3;

interface Scenario {
  name: string;
  before: string;
  after: string;
  /** The person's own edit. */
  edit(bearings: Rooms): Promise<void>;
  /** How much of it is still to do. */
  left(bearings: Rooms): Promise<number>;
  also?(home: string, done: boolean): void;
}

const SCENARIOS: Scenario[] = [
  {
    name: 'a block is taken out',
    before: 'twice\n\nsmuggled\nof two lines\n\nmine\n',
    after: 'twice\n\nmine\n',
    async edit(bearings) {
      const [found] = await (await bearings.gate()).unaccountedBlocks('all');
      if (found) await (await bearings.gate()).takeOutBlock(found, { via: 'review' });
    },
    left: async (bearings) => (await (await bearings.gate()).unaccountedBlocks('all')).length,
  },
  {
    name: 'a merged file is tidied',
    before: 'twice\nmine\n\ntwice\n',
    after: 'twice\n\nmine\n',
    async edit(bearings) {
      const [found] = await (await bearings.gate()).mergedFiles('all');
      if (found) await (await bearings.gate()).tidyFile(found, { via: 'review' });
    },
    left: async (bearings) => (await (await bearings.gate()).mergedFiles('all')).length,
  },
  {
    name: 'M4 a block is retired',
    before: 'twice\n\nmine\n',
    after: 'twice\n',
    async edit(bearings) {
      const { blocks } = await (await bearings.gate()).blame('notes.md', 'w');
      const block = blocks.find(({ text }) => text === 'mine');
      const place = { kind: 'notes', image_id: 'w', file: 'notes.md' } as const;
      if (block) await (await bearings.gate()).retireBlock({ ...place, block }, { via: 'review' });
    },
    left: async (bearings) =>
      (await (await bearings.gate()).blame('notes.md', 'w')).blocks.filter(({ text }) => text === 'mine').length,
    // Both files are one step.
    also: (home, done) => expect(readOr(join(home, 'workspaces/w/notes-archive.md'), '')).toBe(done ? 'mine\n' : ''),
  },
  {
    name: 'M40 a decision is undone',
    before: 'twice\n\nmine\n',
    after: 'twice\n',
    async edit(bearings) {
      const [found] = await standingDecisions(bearings);
      if (found)
        await (await bearings.gate()).goBack(await (await bearings.gate()).showUndo(found.decision_id), {
          via: 'terminal',
        });
    },
    left: async (bearings) => (await standingDecisions(bearings)).length,
  },
  {
    name: 'M40 a file is restored',
    before: 'twice\n\nmine\n',
    after: 'twice\n',
    async edit(bearings) {
      const shown = await shownRestore(bearings);
      if (shown.after !== shown.before) await (await bearings.gate()).goBack(shown, { via: 'terminal' });
    },
    left: async (bearings) => (await shownRestore(bearings)).taken_out.length,
  },
];

// To where the last of the equal texts was accepted.
async function shownRestore(bearings: Rooms) {
  const { decisions } = await (await bearings.gate()).history('notes.md', 'w');
  const twice = decisions.find(({ added }) => added.some(({ text }) => text === 'twice'));
  return (await bearings.gate()).showRestore('notes.md', twice?.decision_id, 'w');
}

async function standingDecisions(bearings: Rooms) {
  const { decisions } = await (await bearings.gate()).history('notes.md', 'w');
  return decisions.filter(({ added, undone }) => !undone && added.some(({ text }) => text === 'mine'));
}

function libraryAt(home: string, files: FileLayer = realFiles): Rooms {
  return openRooms({ home, cwd: folder, variables: { BEARINGS_CACHE: join(folder, 'cache') }, files });
}

async function accept(bearings: Rooms, content: string): Promise<void> {
  const session = await (await bearings.sessions()).openSession('w', 'test');
  const proposed = await (await bearings.gate()).propose(session, { kind: 'notes', content });
  if (proposed.status !== 'pending') throw new Error('expected a pending proposal');
  const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
  await (await bearings.gate()).decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
}

// Two people confirmed in one workspace, and trust each other: the same home again and again, in the same place.
async function houseFactory({ before }: Scenario): Promise<() => { home: string; notes: string }> {
  const [home, mate] = [join(folder, 'home'), join(folder, 'mate')];
  for (const each of [home, mate]) rmSync(each, { recursive: true, force: true });
  for (const each of [home, mate]) mkdirSync(join(each, 'workspaces/w'), { recursive: true });
  await accept(libraryAt(mate), 'twice');
  const bearings = libraryAt(home);
  await accept(bearings, 'twice');
  await accept(bearings, 'mine');
  for (const name of readdirSync(join(mate, 'workspaces/w/ledger')).filter((each) => each !== '.lock'))
    cpSync(join(mate, 'workspaces/w/ledger', name), join(home, 'workspaces/w/ledger', name), { recursive: true });
  for (const { fingerprint } of await (await bearings.gate()).unknownKeys())
    await (await bearings.gate()).trustKey(fingerprint);
  writeFileSync(join(home, 'workspaces/w/notes.md'), before);
  const kept = join(folder, 'kept');
  rmSync(mate, { recursive: true });
  rmSync(kept, { recursive: true, force: true });
  renameSync(home, kept);
  return () => {
    rmSync(home, { recursive: true, force: true });
    cpSync(kept, home, { recursive: true });
    return { home, notes: join(home, 'workspaces/w/notes.md') };
  };
}

// True when it went through before the crash could come.
async function untilCrash(work: (files: FileLayer) => Promise<unknown>, at: number, share: number): Promise<boolean> {
  const layer = crashAt(realFiles, at, share);
  try {
    await work(layer.files);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return layer.steps() < at;
}

async function expectWholeOrNot(scenario: Scenario, settings: { home: string; notes: string }, context: string) {
  census.kills += 1;
  const bearings = libraryAt(settings.home);
  await (await bearings.gate()).listProposals('all');
  const text = readOr(settings.notes, '');
  const done = text === scenario.after;
  if (!done && text !== scenario.before) census.torn += 1;
  expect([scenario.before, scenario.after], context).toContain(text);
  const entries = (await expectVerified(bearings)).ledgers.flatMap((report) =>
    report.entries.map(({ decision }) => decision),
  );
  const recorded = entries.filter((decision) => OWN_EDITS.includes(decision)).length;
  if (done && recorded === 0) census.lost += 1;
  if (recorded > (done ? 1 : 0)) census.doubled += 1;
  expect([recorded, (await scenario.left(bearings)) > 0], context).toEqual(done ? [1, false] : [0, true]);
  scenario.also?.(settings.home, done);
}

describe('M24 M32 a process that dies at any step of the person’s own edit', () => {
  afterAll(() =>
    console.log(`rewrite kills ${census.kills}: lost ${census.lost}, doubled ${census.doubled}, torn ${census.torn}`),
  );

  for (const [turn, scenario] of SCENARIOS.entries()) {
    it(`M24 ${scenario.name}: every step, and every step of the recovery; then it can be done again`, async () => {
      const nextHouse = await houseFactory(scenario);
      for (const share of SHARES) {
        for (let at = 1 + (turn % STEP), through = false; !through; at += STEP) {
          const settings = nextHouse();
          through = await untilCrash((files) => scenario.edit(libraryAt(settings.home, files)), at, share);
          await expectWholeOrNot(scenario, settings, `step ${at}, share ${share}`);
          await scenario.edit(libraryAt(settings.home));
          expect(readOr(settings.notes, '')).toBe(scenario.after);
          await expectVerified(libraryAt(settings.home));
          if (at % TURNS !== turn % TURNS) continue;
          for (let again = 1 + (at % STRIDE), recovered = through; !recovered; again += STRIDE) {
            const twice = nextHouse();
            await untilCrash((files) => scenario.edit(libraryAt(twice.home, files)), at, share);
            recovered = await untilCrash(
              async (files) => (await libraryAt(twice.home, files).gate()).listProposals('all'),
              again,
              share,
            );
            await expectWholeOrNot(scenario, twice, `step ${at}, share ${share}, recovery step ${again}`);
          }
        }
      }
    });
  }

  it('M24 what another program wrote between crash and restart stays, and nothing is recorded', async () => {
    const [scenario] = SCENARIOS as [Scenario, ...Scenario[]];
    const nextHouse = await houseFactory(scenario);
    for (let at = 1, through = false; !through; at += 1) {
      const settings = nextHouse();
      through = await untilCrash((files) => scenario.edit(libraryAt(settings.home, files)), at, 0.5);
      const before = readOr(settings.notes, '');
      appendFileSync(settings.notes, '\nadded in between\n');
      const bearings = libraryAt(settings.home);
      await (await bearings.gate()).listProposals('all');
      expect(readOr(settings.notes, '')).toBe(`${before}\nadded in between\n`);
      await expectVerified(bearings);
      const texts = (await (await bearings.gate()).unaccountedBlocks('all')).map(({ block }) => block.text);
      expect(texts.includes('smuggled\nof two lines')).toBe(before === scenario.before);
      expect(texts).toContain('added in between');
    }
  });
});
