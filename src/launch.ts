#!/usr/bin/env node
// The way in. Node compiles every file anew at each start; here the compiled form comes from beside the files, made at
// build time for one version of the engine. Where there is none for this one, Node does what it always does.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, Script } from 'node:vm';

const ENTRY = './bearings.cjs';
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'] as const;

const nodeRequire = createRequire(__filename);
const compiled = compiledCode();
if (compiled === null) nodeRequire(ENTRY);
else runWith(compiled);

// One file: the length of its list, the list (name, place, size), then what the engine made of each file.
function compiledCode(): Map<string, Buffer> | null {
  try {
    const bytes = readFileSync(`${__dirname}/code-${process.versions.v8}-${process.arch}.bin`);
    const size = bytes.readUInt32LE(0);
    const list: [string, number, number][] = JSON.parse(bytes.toString('latin1', 4, 4 + size));
    return new Map(list.map(([name, from, length]) => [name, bytes.subarray(from, from + length)]));
  } catch {
    return null;
  }
}

function runWith(code: ReadonlyMap<string, Buffer>): void {
  const loaded = new Map<string, { exports: object }>();
  const load = (name: string): unknown => {
    const cachedData = name.startsWith('./') ? code.get(name) : undefined;
    if (cachedData === undefined) return nodeRequire(name);
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const filename = `${__dirname}/${name.slice(2)}`;
    const source = readFileSync(filename, 'utf8');
    // A rejected cache is no fault: the engine compiles the source.
    const script = new Script(WRAPPER.join(source), {
      filename,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    script.runInThisContext().call(module.exports, module.exports, load, module, filename, __dirname);
    return module.exports;
  };
  load(ENTRY);
}
