// npm run bench:person: sessions, search and blame against a plain scan of the same files. Ratios in one run.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBearings } from '../dist/index.js';

const ENTRIES = 100_000;
const DECISIONS = 10_000;
const SESSIONS = 50;
const ROUNDS = 9;
const folder = mkdtempSync(join(tmpdir(), 'bearings-person-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const home = join(folder, 'home');
const workspace = join(home, 'workspaces/w');
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

const transcripts = makeTranscripts();
const { ledger, notes } = makeDecisions();
const open = () => openBearings({ home, cwd: home, variables: { BEARINGS_CACHE: join(folder, 'cache') } });
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
if ((await bearings.gate.searchSessions('needle')).length !== 100) throw new Error('search is wrong');

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
  await row('blame, 10,000 decisions', scanDecisions, () => bearings.gate.blame('notes.md', { workspace: 'w' })),
  await row('blame, 10,000 decisions, newly opened', scanDecisions, () =>
    open().gate.blame('notes.md', { workspace: 'w' }),
  ),
];
for (const { what, figures, ratio } of rows)
  console.log(
    `${ratio <= 3 ? 'ok  ' : 'FAIL'} ${what.padEnd(36)} ${figures.padEnd(24)} ${ratio.toFixed(2)}× (at most 3×)`,
  );
process.exitCode = rows.every(({ ratio }) => ratio <= 3) ? 0 : 1;

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

// Signed as the person's own decisions are, with a key made for this run.
function makeDecisions() {
  const pair = generateKeyPairSync('ed25519');
  const public_key = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const private_key = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const key = sha256(Buffer.from(public_key, 'base64')).slice(0, 16);
  writeFileSync(join(home, 'key.json'), JSON.stringify({ version: 1, public_key, private_key }));
  writeFileSync(join(home, 'machine'), 'bench\n');
  const text = (index) => `Note ${index}: the white balance runs cool on this set; start from 5,400 K.`;
  let prev = '';
  const lines = Array.from({ length: DECISIONS }, (_, index) => {
    const unsigned = {
      decision: 'accept',
      at: '2026-01-01T00:00:00.000Z',
      who: 'bench',
      via: 'review',
      client: 'bench',
      proposal_id: `p_${index}`,
      session_id: `s${index % SESSIONS}`,
      image_id: 'w',
      file: 'notes.md',
      category: null,
      reason: null,
      content_sha256: sha256(text(index)),
      written_sha256: sha256(text(index)),
      edited: false,
      already_present: false,
      blocks: [sha256(text(index))],
      level: 'ask',
      seq: index + 1,
      prev,
      machine: 'bench',
      key,
      public_key,
    };
    const sig = sign(null, Buffer.from(canonical(unsigned)), pair.privateKey).toString('base64');
    const line = canonical({ ...unsigned, sig });
    prev = sha256(line);
    return line;
  });
  mkdirSync(join(workspace, 'ledger'), { recursive: true });
  const ledger = join(workspace, 'ledger/bench.jsonl');
  const notes = join(workspace, 'notes.md');
  writeFileSync(ledger, `${lines.join('\n')}\n`);
  writeFileSync(notes, Array.from({ length: DECISIONS }, (_, index) => `${text(index)}\n`).join('\n'));
  return { ledger, notes };
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
