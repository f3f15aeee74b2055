// npm run bench:gate: what a decision and a listing cost. Ratios in one run; the machine's own speed cancels out.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBearings } from '../dist/index.js';
import { openPerson } from '../dist/person.js';
import { exitCode, sized } from './results.mjs';

const ROUNDS = sized(15, 1);
const folder = mkdtempSync(join(tmpdir(), 'bearings-gate-'));
const rows = [];
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function makeHouse(name, notes) {
  const home = join(folder, name);
  mkdirSync(join(home, 'workspaces/w'), { recursive: true });
  writeFileSync(join(home, 'workspaces/w/notes.md'), notes);
  const options = { home, cwd: home, variables: { BEARINGS_CACHE: join(home, 'cache') } };
  return { gate: openBearings(options).gate, person: openPerson(options) };
}

async function proposeOne(bearings, session, content) {
  const { proposal_id } = await bearings.gate.propose(session, { kind: 'notes', content });
  return bearings.person.showProposal(proposal_id);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function confirmations() {
  for (const [label, paragraph] of [
    ['one block', (i) => `line ${i} ${'x'.repeat(80)}\n`],
    ['many blocks', (i) => `line ${i} ${'x'.repeat(80)}\n\n`],
  ]) {
    const lines = Math.ceil((sized(100, 0.01) * 1024 * 1024) / paragraph(1_000_000).length);
    const libraries = [
      makeHouse(`small ${label}`, paragraph(0).repeat(12)),
      makeHouse(`large ${label}`, Array.from({ length: lines }, (_, i) => paragraph(i)).join('')),
    ];
    const sessions = await Promise.all(
      libraries.map((library) => library.gate.openSession({ workspace: 'w', client: 'bench' })),
    );
    const times = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [side, library] of libraries.entries()) {
        const shown = await proposeOne(library, sessions[side], `round ${round} is noted here`);
        times[side].push(
          await timed(() => library.person.decide(shown, { decision: 'accept', via: 'review', client: null })),
        );
      }
    }
    const [small, large] = times.map(median);
    rows.push([
      `confirm, notes of 1 kB → 100 MB (${label})`,
      `${small.toFixed(2)} → ${large.toFixed(2)} ms`,
      large / small,
      1.5,
    ]);
  }
}

async function listing() {
  const bearings = makeHouse('list', '');
  const session = await bearings.gate.openSession({ workspace: 'w', client: 'bench' });
  for (let i = 0; i < sized(1_000, 5); i += 1)
    await bearings.gate.propose(session, { kind: 'notes', content: `proposal number ${i}` });
  await bearings.gate.listProposals({ workspace: 'w' });
  const pending = join(folder, 'list/workspaces/w/sessions', session.session_id);
  const plain = () => {
    for (const name of readdirSync(pending)) statSync(join(pending, name));
  };
  plain();
  const [ours, theirs] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await timed(plain));
    ours.push(await timed(() => bearings.gate.listProposals({ workspace: 'w' })));
  }
  rows.push([
    'list 1,000 pending against readdir + stat',
    `${median(theirs).toFixed(2)} → ${median(ours).toFixed(2)} ms`,
    median(ours) / median(theirs),
    2,
  ]);
}

await confirmations();
await listing();
for (const [what, figures, ratio, bound] of rows) {
  console.log(
    `${ratio <= bound ? 'ok  ' : 'FAIL'} ${what.padEnd(52)} ${figures.padEnd(22)} ${ratio.toFixed(2)}× (at most ${bound}×)`,
  );
}
process.exitCode = exitCode(rows.every(([, , ratio, bound]) => ratio <= bound));
