// Keeps what the engine makes of the binary's files after a first `load` and `read`, so that later starts need not compile.
// Run by the build, with the Node it is for. The launcher (src/launch.ts) reads the result.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';

const BIN = fileURLToPath(new URL('../dist/bin/', import.meta.url));
const ENTRY = './bearings.cjs';
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];
const COMMANDS = [
  ['init', 'sample'],
  ['load', '--task', 'fix the palette of the docs', '--json'],
  ['load', '--task', 'fix the palette of the docs', '--json'],
  ['read', 'sample', '--json'],
];

if (process.argv[2] === 'child') record(process.argv[3]);
else build();

function build() {
  for (const name of readdirSync(BIN)) if (/^code-.*\.bin$/.test(name)) rmSync(join(BIN, name));
  const root = mkdtempSync(join(tmpdir(), 'bearings-build-'));
  try {
    const project = join(root, 'project');
    for (const folder of ['docs', 'src']) mkdirSync(join(project, folder), { recursive: true });
    for (const name of ['AGENTS.md', 'docs/a.md', 'docs/b.md', 'src/palette.ts'])
      writeFileSync(join(project, name), 'The palette of the docs.\nexport function palette() {}\n');
    writeFileSync(join(project, 'package.json'), '{"name": "sample"}');
    const env = { PATH: process.env.PATH, HOME: root };
    const found = new Map();
    for (const command of COMMANDS) {
      const out = join(root, 'code.json');
      const args = [fileURLToPath(import.meta.url), 'child', out, ...command];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
      // The longer one knows more functions.
      for (const [name, base64] of Object.entries(JSON.parse(readFileSync(out, 'utf8'))))
        if ((found.get(name)?.length ?? 0) < base64.length) found.set(name, base64);
    }
    write([...found].map(([name, base64]) => [name, Buffer.from(base64, 'base64')]));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function write(parts) {
  const room = JSON.stringify(parts.map(([name]) => [name, 99_999_999, 99_999_999])).length;
  let at = padded(4 + room);
  const size = at - 4;
  const list = parts.map(([name, data]) => {
    const from = at;
    at += padded(data.length);
    return [name, from, data.length];
  });
  const bytes = Buffer.alloc(at);
  bytes.writeUInt32LE(size, 0);
  bytes.write(JSON.stringify(list).padEnd(size), 4, 'latin1');
  for (const [index, [, data]] of parts.entries()) data.copy(bytes, list[index][1]);
  writeFileSync(join(BIN, `code-${process.versions.v8}-${process.arch}.bin`), bytes);
}

function padded(size) {
  return Math.ceil(size / 8) * 8;
}

// The launcher's way of loading, and what the engine made of it at the end.
function record(out) {
  process.argv.splice(1, 3, join(BIN, 'main.cjs'));
  const nodeRequire = createRequire(join(BIN, 'main.cjs'));
  const loaded = new Map();
  const scripts = new Map();
  const load = (name) => {
    if (!name.startsWith('./')) return nodeRequire(name);
    if (loaded.has(name)) return loaded.get(name).exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const filename = join(BIN, name.slice(2));
    const script = new Script(WRAPPER.join(readFileSync(filename, 'utf8')), {
      filename,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(name, script);
    script.runInThisContext().call(module.exports, module.exports, load, module, filename, BIN);
    return module.exports;
  };
  process.on('exit', () => {
    const kept = [...scripts].map(([name, script]) => [name, script.createCachedData().toString('base64')]);
    writeFileSync(out, JSON.stringify(Object.fromEntries(kept)));
  });
  load(ENTRY);
}
