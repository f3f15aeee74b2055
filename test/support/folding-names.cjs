// Preloaded with NODE_OPTIONS=--require: below FOLDING_ROOT the disk behaves as on macOS and Windows. A name that differs from one that
// is there in case or in its composed form alone is that one; the spelling of who made it stays. What is opened by native code (the lock's
// database) passes by: its names are ours and never differ.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { fileURLToPath } = require('node:url');
const { join, resolve, sep } = require('node:path');

const root = process.env.FOLDING_ROOT;
const { existsSync, readdirSync } = fs;
const native = { existsSync, readdirSync };
const fold = (name) => name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');

function onDisk(given) {
  const isBytes = Buffer.isBuffer(given);
  const path = given instanceof URL ? fileURLToPath(given) : isBytes ? given.toString() : given;
  if (typeof path !== 'string' || path.includes('\0')) return given;
  const whole = resolve(path);
  if (!whole.startsWith(root + sep)) return given;
  let folder = root;
  for (const name of whole.slice(root.length + 1).split(sep)) folder = join(folder, stored(folder, name));
  return folder;
}

function stored(folder, name) {
  if (native.existsSync(join(folder, name))) return name;
  try {
    return native.readdirSync(folder).find((known) => fold(known) === fold(name)) ?? name;
  } catch {
    return name;
  }
}

const ONE = [
  'access',
  'appendFile',
  'chmod',
  'exists',
  'lstat',
  'lutimes',
  'mkdir',
  'open',
  'opendir',
  'readFile',
  'readdir',
];
const MORE = ['readlink', 'realpath', 'rm', 'rmdir', 'stat', 'statfs', 'truncate', 'unlink', 'utimes', 'writeFile'];
// A rename to another case of itself changes the spelling, as it does there.
const TWO = ['copyFile', 'cp', 'link', 'rename'];

function wrap(object, name, paths) {
  const original = object[name];
  if (typeof original !== 'function') return;
  object[name] = Object.assign((...args) => {
    const isOwn = paths === 2 && onDisk(args[0]) === onDisk(args[1]);
    for (let at = 0; at < paths; at++) if (!(isOwn && at === 1)) args[at] = onDisk(args[at]);
    return original.apply(object, args);
  }, original);
}

for (const [names, paths] of [
  [[...ONE, ...MORE], 1],
  [TWO, 2],
])
  for (const name of names) {
    for (const each of [name, `${name}Sync`]) wrap(fs, each, paths);
    wrap(fs.promises, name, paths);
  }
wrap(fs.realpathSync, 'native', 1);
for (const name of ['createReadStream', 'createWriteStream', 'watch']) wrap(fs, name, 1);
syncBuiltinESMExports();
