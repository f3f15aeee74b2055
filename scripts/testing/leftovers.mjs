// What a run left outside the folders of its tests: names that are there after it and were not before.
import { lstatSync, readdirSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join, parse } from 'node:path';
import { TOOLS } from './tools.mjs';

// What belongs to Bearings itself is held whole: a test that uses the person's own home changes a file in it.
const WHOLE = ['.bearings', '.cache/bearings', '.config/bearings', '.local/share/bearings', '.local/state/bearings'];
const NAMES = ['', '.cache', '.config', '.local', '.local/share', '.local/state'];

// The person's own home, not the one of the run.
const HOME = ownHome();
const PLACES = { home: HOME, shared: [parse(HOME).root, tmpdir(), '/var/tmp', '/dev/shm'] };

function ownHome() {
  try {
    return userInfo().homedir;
  } catch {
    // Some containers run under a number that has no name.
    return homedir();
  }
}

/** The machine as it is now, without `ours`. */
export function machineState(ours = [], { home, shared } = PLACES) {
  const own = new Set([...ours, TOOLS]);
  const state = new Map();
  const note = (path, value) => {
    if (!own.has(path)) state.set(path, value);
  };
  for (const folder of [...shared, ...NAMES.map((name) => join(home, name))])
    for (const entry of entriesOf(folder)) note(join(folder, entry), 'there');
  for (const folder of WHOLE.map((name) => join(home, name)))
    for (const entry of entriesOf(folder, { recursive: true })) note(join(folder, entry), stampOf(join(folder, entry)));
  return state;
}

/** One line for each thing that came or changed between the two. */
export function leftBehind(before, after) {
  return [...after]
    .filter(([path, value]) => before.get(path) !== value)
    .map(([path]) => `${path} ${before.has(path) ? 'was changed' : 'was left behind'}`);
}

/** What is in the run's own home and temporary folder: a test that is done leaves neither. */
export function leftInside({ home, temporary }) {
  return [
    ...entriesOf(home).map((entry) => `~/${firstIn(home, entry)} was left in the home of the run`),
    ...entriesOf(temporary).map((entry) => `${firstIn(temporary, entry)} was left in the temporary folder of the run`),
  ];
}

// Of a folder that was left, a path inside says more than its name.
function firstIn(folder, entry) {
  const [inside] = entriesOf(join(folder, entry));
  return inside === undefined ? entry : firstIn(folder, join(entry, inside));
}

function entriesOf(folder, options) {
  try {
    return readdirSync(folder, options);
  } catch {
    return [];
  }
}

function stampOf(path) {
  try {
    const { size, mtimeMs, ctimeMs } = lstatSync(path);
    return `${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return 'gone';
  }
}
