import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { effort, LONGEST_MS } from '../support/effort.ts';
import { expectVerified } from './census.ts';

const PROCESSES = effort(32, 4);
const EACH = 8;
const IN_FLIGHT = 32;
const WORKER = resolve(import.meta.dirname, 'confirm-worker.mjs');

const folder = mkdtempSync(join(tmpdir(), 'bearings-writers-'));
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(home, 'workspaces/w'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocksOfNotes = () => readFileSync(join(home, 'workspaces/w/notes.md'), 'utf8').replace(/\n$/, '').split('\n\n');
const open = () => openRooms({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, 'cache') } });

it(
  `M25 ${PROCESSES} processes with ${EACH} confirmations each on one notes.md: each is there once, none is interleaved`,
  async () => {
    const run = (name: string) =>
      new Promise<number | null>((done) => {
        spawn(process.execPath, [WORKER, home, name, String(EACH)], { stdio: ['ignore', 'ignore', 'inherit'] }).on(
          'close',
          done,
        );
      });
    const codes = await Promise.all(Array.from({ length: PROCESSES }, (_, index) => run(`w${index}`)));
    expect(codes.every((code) => code === 0)).toBe(true);
    const expected = Array.from({ length: PROCESSES }, (_, writer) =>
      Array.from(
        { length: EACH },
        (_, index) => `note w${writer}.${index} of a process\nwith a second line, so that half of it would show`,
      ),
    ).flat();
    expect(blocksOfNotes().sort()).toEqual(expected.sort());
    await expectVerified(open());
    console.log(`${expected.length} of ${PROCESSES * EACH} present once`);
  },
  LONGEST_MS,
);

it(`M25 ${IN_FLIGHT} confirmations in flight in one process: each is there once`, async () => {
  const bearings = open();
  const session = await (await bearings.sessions()).openSession('w', 'test');
  const texts = Array.from({ length: IN_FLIGHT }, (_, index) => `flight ${index}\nsecond line`);
  const proposals = await Promise.all(
    texts.map(async (content) => {
      const proposed = await (await bearings.gate()).propose(session, { kind: 'notes', content });
      if (proposed.status !== 'pending') throw new Error('expected pending');
      return (await (await bearings.gate()).showProposal(proposed.proposal_id)).proposal;
    }),
  );
  const decided = await Promise.all(
    proposals.map(async (proposal) =>
      (await bearings.gate()).decide(shownOf(proposal), 'notes', { decision: 'accept', via: 'review', client: null }),
    ),
  );
  expect(decided.map(({ status }) => status)).toEqual(texts.map(() => 'accepted'));
  expect(blocksOfNotes().sort()).toEqual([...texts].sort());
  await expectVerified(bearings);
});

it('M27 one proposal confirmed by two at once is written once; the other hears not_found', async () => {
  const bearings = open();
  const session = await (await bearings.sessions()).openSession('w', 'test');
  const proposed = await (await bearings.gate()).propose(session, { kind: 'notes', content: 'only once' });
  if (proposed.status !== 'pending') throw new Error('expected pending');
  const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
  const both = await Promise.allSettled(
    [bearings, open()].map(async (each) =>
      (await each.gate()).decide(shownOf(proposal), 'notes', { decision: 'accept', via: 'review', client: null }),
    ),
  );
  expect(both.map((each) => (each.status === 'fulfilled' ? each.value.status : each.reason.code)).sort()).toEqual([
    'accepted',
    'not_found',
  ]);
  expect(blocksOfNotes()).toEqual(['only once']);
});
