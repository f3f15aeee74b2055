// What a run left outside the folders of its tests. Other programs write there too: a new name counts where our code can have made it.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, dirname, join, parse } from 'node:path';
import { TOOLS } from './tools.mjs';

// What belongs to Bearings itself is held whole: a test that uses the person's own home changes a file in it.
const WHOLE = ['.bearings', '.cache/bearings', '.config/bearings', '.local/share/bearings', '.local/state/bearings'];
const NAMES = ['', '.cache', '.config', '.local', '.local/share', '.local/state'];

const ROOT = join(import.meta.dirname, '../..');

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

/** The machine as it is now. */
export function machineState({ home, shared } = PLACES) {
  const state = new Map();
  const note = (path, value) => {
    if (path !== TOOLS) state.set(path, value);
  };
  for (const folder of [...shared, ...NAMES.map((name) => join(home, name))])
    for (const entry of entriesOf(folder)) note(join(folder, entry), 'there');
  for (const folder of WHOLE.map((name) => join(home, name)))
    for (const entry of entriesOf(folder, { recursive: true })) note(join(folder, entry), stampOf(join(folder, entry)));
  return state;
}

/** One line for each thing of ours that came or changed between the two. */
export function leftBehind(before, after, { home } = PLACES) {
  const isOurs = ([path, value]) => value !== 'there' || (isOwned(path) && isNamed(path, home));
  return [...after]
    .filter(([path, value]) => before.get(path) !== value)
    .filter(isOurs)
    .map(([path]) => `${path} ${before.has(path) ? 'was changed' : 'was left behind'}`);
}

// Tests that run as root become others too.
function isOwned(path) {
  const user = process.getuid?.() ?? 0;
  return user === 0 || lstatSync(path, { throwIfNoEntry: false })?.uid === user;
}

// Our temporary folders begin with the product's name (test/testing.test.ts). Other names are written out in the code: whole paths, and what clients call their files in a home.
function isNamed(path, home) {
  if (/^\.?bearings/i.test(basename(path))) return true;
  if (NAMES.some((name) => path === join(home, name))) return false;
  return writtenOut().has(dirname(path) === home ? basename(path) : path);
}

// Of each path in quotes that begins with a slash or a dot, every step.
let paths;
function writtenOut() {
  paths ??= new Set(
    ['src', 'test', 'scripts']
      .flatMap((folder) => entriesOf(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, name)))
      .filter((path) => /\.(?:ts|[cm]js)$/.test(path))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/(?<=['"`])[/.][\w./-]{1,200}/g)])
      .flatMap(([path]) => path.split('/').map((_, i, steps) => steps.slice(0, i + 1).join('/'))),
  );
  return paths;
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
