import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeQuietly } from './atomic-write.ts';
import { identityOf } from './kept-code.ts';
import { cacheFolder, type Variables } from './places.ts';
import { isStillSo, type Seen } from './seen-paths.ts';
import { readTwice, writeTwice } from './twice-file.ts';

/** One command line, where and by what it was given, and the file that keeps what it printed. */
export interface OutputPlace {
  question: string;
  path: string;
}

const MOST_OUTPUTS = 64;
const MOST_BYTES = 1024 * 1024;

// Null for commands whose output may depend on more than their words and what stands on disk.
export function outputPlace(binary: string, args: readonly string[], variables: Variables): OutputPlace | null {
  if (args[0] !== 'load') return null;
  const own = Object.keys(variables).filter((name) => name.startsWith('BEARINGS_'));
  const settings = own.sort().map((name) => `${name}=${variables[name]}`);
  const question = JSON.stringify([identityOf(binary), process.cwd(), args, settings]);
  return { question, path: join(cacheFolder(variables), 'outputs', `${shortName(question)}.bin`) };
}

// What the same words printed the last time, where nothing that was looked at then has changed since.
export function keptOutput({ question, path }: OutputPlace): string | null {
  const once = readTwice(path);
  if (once === null) return null;
  try {
    const head = once.indexOf(10);
    const known = JSON.parse(once.toString('utf8', 0, head));
    if (known.question !== question) return null;
    const text = head + 1 + known.stats;
    // A copy: numbers must begin at a multiple of eight.
    const stats = new Float64Array(new Uint8Array(once.subarray(head + 1, text)).buffer);
    return isStillSo({ paths: known.paths, stats }) ? once.toString('utf8', text) : null;
  } catch {
    // a folder on the way that may no longer be entered
    return null;
  }
}

export function keepOutput({ question, path }: OutputPlace, { paths, stats }: Seen, text: string): void {
  const numbers = Buffer.from(stats.buffer);
  const head = `${JSON.stringify({ question, paths, stats: numbers.length })}\n`;
  const once = Buffer.concat([Buffer.from(head), numbers, Buffer.from(text)]);
  if (once.length > MOST_BYTES) return;
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeTwice(path, once);
    forgetOldest(folder);
  } catch {
    // no place to keep it, or another process tidies too
  }
}

function forgetOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST_OUTPUTS) return;
  const byAge = names.map((name) => join(folder, name)).map((path) => ({ path, time: statSync(path).mtimeMs }));
  byAge.sort((a, b) => a.time - b.time);
  for (const { path } of byAge.slice(0, names.length - MOST_OUTPUTS)) removeQuietly(path);
}

// Only to find the file: the whole question stands in it. (A real hash would have to be loaded first.)
function shortName(question: string): string {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < question.length; i += 1) {
    a = Math.imul(a ^ question.charCodeAt(i), 0x01000193);
    b = Math.imul(b + question.charCodeAt(i), 0x5bd1e995) ^ (b >>> 15);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
