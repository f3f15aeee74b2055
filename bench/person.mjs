// npm run bench:person: sessions, search and blame against a plain scan of the same files. Ratios in one run.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBearings } from '../dist/index.js';
import { confirmNotes } from './decisions.mjs';
import { exitCode, sized } from './results.mjs';

const ENTRIES = sized(100_000, 2_000);
const DECISIONS = sized(1_000, 20);
const SESSIONS = sized(50, 1);
const ROUNDS = sized(9, 1);
const folder = mkdtempSync(join(tmpdir(), 'bearings-person-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const home = join(folder, 'home');
const workspace = join(home, 'workspaces/w');

const transcripts = makeTranscripts();
const options = { home, cwd: home, variables: { BEARINGS_CACHE: join(folder, 'cache') } };
const open = () => openBearings(options);
await confirmNotes(
  options,
  Array.from({ length: DECISIONS }, (_, index) => `Note ${index}: the tests of part ${index} need port ${index}.`),
  'w',
);
const [chain] = readdirSync(join(workspace, 'ledger')).filter((name) => name.endsWith('.jsonl'));
const ledger = join(workspace, 'ledger', chain);
const notes = join(workspace, 'notes.md');
const bearings = open();

const scan = (paths) => {
  let records = 0;
  for (const path of paths)
    for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '' && JSON.parse(line)) records += 1;
  return records;
};
const scanDecisions = () => scan([ledger]) + readFileSync(notes, 'utf8').split('\n').length;

const { blocks } = await bearings.gate.blame('notes.md', { workspace: 'w' });
if (blocks.length !== DECISIONS || blocks.some(({ origin }) => origin === null)) throw new Error('blame is wrong');
if ((await bearings.gate.searchSessions('needle')).length !== ENTRIES / 1_000) throw new Error('search is wrong');

const rows = [
  await row(
    'sessions list, 100,000 entries',
    () => scan(transcripts),
    () => bearings.gate.listSessions(),
  ),
  await row(
    'sessions search, 100,000 entries',
    () => scan(transcripts),
    () => bearings.gate.searchSessions('needle'),
  ),
  await row('blame, 1,000 decisions', scanDecisions, () => bearings.gate.blame('notes.md', { workspace: 'w' })),
  await row('blame, 1,000 decisions, newly opened', scanDecisions, () =>
    open().gate.blame('notes.md', { workspace: 'w' }),
  ),
];
for (const { what, figures, ratio } of rows)
  console.log(
    `${ratio <= 3 ? 'ok  ' : 'FAIL'} ${what.padEnd(36)} ${figures.padEnd(24)} ${ratio.toFixed(2)}× (at most 3×)`,
  );
process.exitCode = exitCode(rows.every(({ ratio }) => ratio <= 3));

async function row(what, plain, ours) {
  const times = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [side, work] of [plain, ours].entries()) {
      const start = performance.now();
      await work();
      times[side].push(performance.now() - start);
    }
  }
  const [short, long] = times.map((values) => values.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
  return { what, figures: `${short.toFixed(1)} → ${long.toFixed(1)} ms`, ratio: long / short };
}

function makeTranscripts() {
  const sessions = join(workspace, 'sessions');
  mkdirSync(sessions, { recursive: true });
  return Array.from({ length: SESSIONS }, (_, session) => {
    const path = join(sessions, `2026-01-01T00-00-00Z_s${session}.jsonl`);
    const lines = Array.from({ length: ENTRIES / SESSIONS }, (_, index) =>
      JSON.stringify(
        index === 0
          ? { type: 'session_start', at: '2026-01-01T00:00:00Z', session_id: `s${session}`, client: 'bench' }
          : {
              type: 'tool_call',
              at: '2026-01-01T00:00:01Z',
              tool: 'log_operation',
              arguments: {
                op: 'apply',
                details: { note: index % 1000 === 7 ? 'a needle' : `frame ${index}`, value: index },
              },
            },
      ),
    );
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  });
}
