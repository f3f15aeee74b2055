// For `node --require` before the built binary: V8 gets what other starts of this run have compiled already, which is half of
// what a short command takes. The code is the same, and the cache goes with the sandbox of the run. Node 22 can do it by itself.
const { createHash } = require('node:crypto');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, sep } = require('node:path');
const { Script } = require('node:vm');
const { threadId } = require('node:worker_threads');

// Functions are compiled when they are first called: so many starts add theirs to what the first one left.
const LAST_TO_ADD = 4;
const WRITE_MS = 4_000;
const [, binary = '', command = ''] = process.argv;
const folder = dirname(binary) + sep;
const loaded = [];

const load = Module._extensions['.js'];
Module._extensions['.cjs'] = (module, path) => {
  if (!path.startsWith(folder)) return load(module, path);
  const source = readFileSync(path, 'utf8').replace(/^#!.*/, '');
  // Code out of a cache does not know where it is, and finds no module by its name.
  if (/\bimport\(/.test(source)) return load(module, path);
  const name = `${createHash('sha256').update(source).digest('hex')}-${command.replace(/\W/g, '')}`;
  const [added, cachedData] = kept(join(__dirname, name));
  const script = new Script(Module.wrap(source), { filename: path, cachedData });
  if (added < LAST_TO_ADD) loaded.push({ name, script, added });
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, Module.createRequire(path), module, path, dirname(path));
};

process.on('exit', keep);
// Some are ended by a signal.
setTimeout(keep, WRITE_MS).unref();

// The first byte counts who has added to it.
function kept(path) {
  try {
    const bytes = readFileSync(path);
    return [bytes[0], bytes.subarray(1)];
  } catch {
    return [0, undefined];
  }
}

function keep() {
  for (const { name, script, added } of loaded.splice(0)) {
    const draft = join(__dirname, `${name}-${process.pid}-${threadId}`);
    try {
      writeFileSync(draft, Buffer.concat([Buffer.of(added + 1), script.createCachedData()]));
      renameSync(draft, join(__dirname, name));
    } catch {
      // Started as a user who may not write here.
    }
  }
}
