import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { readTwice, writeTwice } from './twice-file.ts';

interface Place {
  /** The binary's own file; the chunks of the program stand beside it. */
  file: string;
  /** Where the code of this command is kept; null: it is not. */
  kept: string | null;
  require: NodeJS.Require;
}

interface Kept {
  identity: string;
  names: string[];
  /** How often the chunks have run as one piece. */
  runs: number;
  source: string;
  /** What V8 made of the source. */
  code: Buffer | undefined;
}

type Chunk = (exports: object, require: object, module: object, file: string, folder: string) => void;

// The first run shows which chunks a command needs, the next ones which of their functions it calls.
const LEARNING_RUNS = 3;
const BAD_USE = 2;
// The build leaves only ASCII in the chunks: nothing to decode.
const ENCODING = 'latin1';

// Runs a program of CommonJS chunks as node would, but from one file that holds all chunks of this command and the code
// V8 made of them the last time: finding, reading and compiling them anew is most of what a short command takes.
export function runKept({ file, kept: path, require }: Place, entry: string): void {
  const folder = dirname(file);
  const identity = identityOf(file);
  const kept = path === null ? null : readKept(path, identity);
  const script = kept && scriptOf(kept.source, join(folder, entry), kept.code);
  const chunks: Chunk[] = script?.runInThisContext() ?? [];
  const modules = new Map<string, { exports: object }>();
  const missing: string[] = [];

  const load = (name: string): object => {
    const before = modules.get(name);
    if (before) return before.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const chunk = chunks[kept?.names.indexOf(name) ?? -1] ?? readChunk(name);
    chunk.call(module.exports, module.exports, requireChunk, module, join(folder, name), folder);
    return module.exports;
  };
  const readChunk = (name: string): Chunk => {
    missing.push(name);
    return scriptOf(`(${wrapped(folder, name)})`, join(folder, name)).runInThisContext();
  };
  const requireChunk = Object.assign((id: string) => (id.startsWith('./') ? load(id.slice(2)) : require(id)), require, {
    // A script has no `import()` of its own; the build turns theirs into this one.
    import: (name: string) => import(name),
  });

  process.once('exit', (status) => {
    if (path === null || status === BAD_USE || (kept && missing.length === 0 && kept.runs >= LEARNING_RUNS)) return;
    const names = [...(kept?.names ?? []), ...missing];
    if (kept && script && missing.length === 0)
      keep(path, { ...kept, runs: kept.runs + 1, code: script.createCachedData() });
    else
      keep(path, {
        identity,
        names,
        runs: 0,
        source: `[${names.map((name) => wrapped(folder, name))}]`,
        code: undefined,
      });
  });
  load(entry);
}

function scriptOf(source: string, filename: string, cachedData?: Buffer): Script {
  return new Script(source, { filename, ...(cachedData ? { cachedData } : {}) });
}

// Without brackets around it: those would tell V8 to compile it all, and of a command's chunks few run every time.
function wrapped(folder: string, name: string): string {
  const source = readFileSync(join(folder, name), 'utf8').replace(/^#!.*/, '');
  return `function (exports, require, module, __filename, __dirname) {${source}\n}`;
}

// Of one build, and of the V8 that made the code: an update writes the binary anew.
export function identityOf(file: string): string {
  const { size, mtimeMs, ctimeMs, ino } = statSync(file);
  return [file, size, mtimeMs, ctimeMs, ino, process.version, process.arch, ...process.execArgv].join(' ');
}

function readKept(path: string, identity: string): Kept | null {
  try {
    const once = readTwice(path);
    if (once === null) return null;
    const head = once.subarray(0, once.indexOf(10));
    const { lengths, ...known } = JSON.parse(head.toString());
    if (known.identity !== identity) return null;
    const start = head.length + 1;
    const end = start + lengths.source;
    return {
      ...known,
      source: once.toString(ENCODING, start, end),
      code: lengths.code > 0 ? once.subarray(end, end + lengths.code) : undefined,
    };
  } catch {
    return null;
  }
}

function keep(path: string, { source, code, ...known }: Kept): void {
  const text = Buffer.from(source, ENCODING);
  const lengths = { source: text.length, code: code?.length ?? 0 };
  const head = Buffer.from(`${JSON.stringify({ ...known, lengths })}\n`);
  writeTwice(path, Buffer.concat([head, text, code ?? Buffer.alloc(0)]));
}
