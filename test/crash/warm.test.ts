import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { realFiles } from '../../src/files/write-file.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { isLong } from '../support/effort.ts';
import { type Census, emptyCensus, expectVerified, readOr } from './census.ts';
import { Crash, crashAt } from './crash-layer.ts';

interface Scenario {
  name: string;
  kind: 'notes' | 'taste';
  /** The target before; null: not there yet. */
  before: string | null;
  content: string;
  replaces?: string;
  decision: 'accept' | 'decline';
  /** The target after the decision. */
  after: string | null;
}

const SCENARIOS: Scenario[] = [
  { name: 'a first note', kind: 'notes', before: null, content: 'one line', decision: 'accept', after: 'one line\n' },
  {
    name: 'a note after others',
    kind: 'notes',
    before: 'a\nb\n',
    content: 'x\n\ny',
    decision: 'accept',
    after: 'a\nb\n\nx\n\ny\n',
  },
  {
    name: 'a note after an open line',
    kind: 'notes',
    before: 'open',
    content: 'x',
    decision: 'accept',
    after: 'open\n\nx\n',
  },
  {
    name: 'a note in a CRLF file',
    kind: 'notes',
    before: 'a\r\n',
    content: 'x\ny',
    decision: 'accept',
    after: 'a\r\n\r\nx\r\ny\r\n',
  },
  {
    name: 'a note with wide characters',
    kind: 'notes',
    before: 'ä\n',
    content: '日本語 🐠',
    decision: 'accept',
    after: 'ä\n\n日本語 🐠\n',
  },
  { name: 'a declined note', kind: 'notes', before: 'a\n', content: 'x', decision: 'decline', after: 'a\n' },
  { name: 'a taste', kind: 'taste', before: '- a\n', content: '- b', decision: 'accept', after: '- a\n\n- b\n' },
  {
    name: 'a replaced taste',
    kind: 'taste',
    before: '# t\n\n- a\n- b\n',
    content: '- c',
    replaces: '- a',
    decision: 'accept',
    after: '# t\n\n- c\n- b\n',
  },
];
// Short by default; `BEARINGS_TEST_LONG=1` takes every share and crashes in every recovery.
const SHARES = isLong ? [0, 0.5, 0.99, 1] : [0.5, 1];
// By turns, the recoveries of all steps of a decision take every step of a recovery.
const STRIDE = isLong ? 3 : 9;
// By turns the scenarios take every step of a decision; in the long form each takes all of them.
const STEP = isLong ? 1 : 3;
// And by turns the steps after which a recovery dies too; in the long form each takes all.
const TURNS = isLong ? 1 : 4;

const census: Census = emptyCensus();
const folder = mkdtempSync(join(tmpdir(), 'bearings-warm-'));
let houses = 0;

function makeHouse(scenario: Scenario) {
  houses += 1;
  const home = join(folder, String(houses));
  const target = scenario.kind === 'notes' ? join(home, 'workspaces/w/notes.md') : join(home, 'tastes/_default.md');
  mkdirSync(join(home, 'workspaces/w'), { recursive: true });
  mkdirSync(join(home, 'tastes'), { recursive: true });
  if (scenario.before !== null) writeFileSync(target, scenario.before);
  const options = { home, cwd: folder, variables: { BEARINGS_CACHE: join(folder, 'cache') } };
  return { home, target, options };
}

async function proposeIn(options: Parameters<typeof openRooms>[0], scenario: Scenario) {
  const bearings = openRooms(options);
  const session = await (await bearings.sessions()).openSession('w', 'test');
  const proposed = await (await bearings.gate()).propose(session, {
    kind: scenario.kind,
    content: scenario.content,
    replaces: scenario.replaces,
    category: 'value',
  });
  if (proposed.status !== 'pending') throw new Error('expected a pending proposal');
  return (await (await bearings.gate()).showProposal(proposed.proposal_id)).proposal;
}

// The same house again and again, in the same place, with the proposal that waits in it.
async function houseFactory(scenario: Scenario) {
  const settings = makeHouse(scenario);
  const shown = shownOf(await proposeIn(settings.options, scenario));
  const kept = `${settings.home}-kept`;
  renameSync(settings.home, kept);
  return () => {
    rmSync(settings.home, { recursive: true, force: true });
    cpSync(kept, settings.home, { recursive: true });
    return { ...settings, shown };
  };
}

type House = ReturnType<Awaited<ReturnType<typeof houseFactory>>>;

// Whether the decision went through before the crash could come, and whether the crash cut a write short.
async function decideUntilCrash(
  scenario: Scenario,
  { options, shown }: House,
  at: number,
  share: number,
): Promise<{ through: boolean; cutWrite: boolean }> {
  const layer = crashAt(realFiles, at, share);
  try {
    await (await openRooms({ ...options, files: layer.files }).gate()).decide(shown, null, {
      decision: scenario.decision,
      via: 'review',
      client: null,
    });
    return { through: layer.steps() < at, cutWrite: layer.cutWrite() };
  } catch (error) {
    if (error instanceof Crash) return { through: false, cutWrite: layer.cutWrite() };
    throw error;
  }
}

async function crashWhileRecovering(
  settings: ReturnType<typeof makeHouse>,
  at: number,
  share: number,
): Promise<boolean> {
  const layer = crashAt(realFiles, at, share);
  try {
    await (await openRooms({ ...settings.options, files: layer.files }).gate()).listProposals('all');
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return layer.steps() < at;
}

// What a restart finds: the text once and nothing pending, or the text not at all and still pending.
async function expectExactlyOnce(scenario: Scenario, settings: ReturnType<typeof makeHouse>, context: string) {
  census.kills += 1;
  const bearings = openRooms(settings.options);
  const pending = await (await bearings.gate()).listProposals('all');
  const text = readOr(settings.target, '');
  const before = scenario.before ?? '';
  const decided = pending.length === 0;
  if (text !== before && text !== scenario.after) census.torn += 1;
  if (decided && text !== scenario.after) census.lost += 1;
  if (!decided && text !== before) census.doubled += 1;
  expect(text, context).toBe(decided ? scenario.after : before);
  const [report] = (await expectVerified(bearings)).ledgers.filter(
    ({ ledger, entries }) => ledger !== 'home' && entries.length > 0,
  );
  expect(report?.entries.length ?? 0, context).toBe(decided ? 1 : 0);
}

describe('M24 a process that dies at any step of a decision', () => {
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
    console.log(`warm kills ${census.kills}: lost ${census.lost}, doubled ${census.doubled}, torn ${census.torn}`);
  });

  it('M13 M24 a workspace that gets another name first comes to the end of what was begun', async () => {
    const [, scenario] = SCENARIOS as [Scenario, Scenario];
    const nextHouse = await houseFactory(scenario);
    for (let at = 1, through = false; !through; at += 1) {
      const settings = nextHouse();
      ({ through } = await decideUntilCrash(scenario, settings, at, 0.5));
      await (await openRooms(settings.options).workspaces()).renameWorkspace('w', 'v');
      const moved = { ...settings, target: join(settings.home, 'workspaces/v/notes.md') };
      await expectExactlyOnce(scenario, moved, `step ${at}`);
    }
  });

  for (const [turn, scenario] of SCENARIOS.entries()) {
    it(`M24 ${scenario.name}: every step, every share of a write, and every step of the recovery`, async () => {
      const nextHouse = await houseFactory(scenario);
      for (const share of SHARES) {
        for (let at = 1 + (turn % STEP), through = false; !through; at += STEP) {
          const settings = nextHouse();
          const crash = await decideUntilCrash(scenario, settings, at, share);
          through = crash.through;
          // What the first share has shown already.
          if (!through && !crash.cutWrite && share !== SHARES[0]) continue;
          await expectExactlyOnce(scenario, settings, `step ${at}, share ${share}`);
          if (through || (!isLong && share === 1) || at % TURNS !== turn % TURNS) continue;
          // The same crash again, and then another one in the middle of the recovery.
          for (let again = 1 + (at % STRIDE), recovered = false; !recovered; again += STRIDE) {
            const twice = nextHouse();
            await decideUntilCrash(scenario, twice, at, share);
            recovered = await crashWhileRecovering(twice, again, share);
            await expectExactlyOnce(scenario, twice, `step ${at}, share ${share}, recovery step ${again}`);
          }
        }
      }
    });
  }
});
