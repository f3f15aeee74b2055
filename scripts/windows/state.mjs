// What a home holds after a process was killed, as JSON: node state.mjs HOME. Reading it brings what was left half done to its end.
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openBearings } from '../../dist/index.js';

const [home] = process.argv.slice(2);
const { gate } = openBearings({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, 'cache') } });
const pending = (await gate.listProposals()).map(({ content }) => content);
const problems = (await gate.verify()).faults.map(({ message }) => message);
let notes = '';
try {
  notes = readFileSync(join(home, 'workspaces', 'w', 'notes.md'), 'utf8');
} catch {
  // Killed before the first note.
}
writeSync(1, `${JSON.stringify({ pending, problems, notes })}\n`);
