import { lstatSync } from 'node:fs';
import { sha256Of } from './sha256.ts';

/** Some files of a project, and what tells the content of each from another. */
export interface Listing {
  names: readonly string[];
  /** Size, modified, changed, inode of each; all 0 for what is no plain file. */
  stats: Float64Array;
}

/** The same, with the time just before they were looked at. */
export interface Look extends Listing {
  at: number;
}

const NUMBERS = 4;
// A file changed this shortly before it was looked at may change again within the same tick of its clock.
const RACY_MS = 20;
const MAY_CHANGE = -1;

export function lookAt(root: string, names: readonly string[], at: number): Look {
  return { names, stats: statsOf(root, names), at };
}

// One text for one state of the files; null while one of them may still change unseen.
export function stateOf(look: Look): string | null {
  const { stats } = settled(look);
  if (stats.some((number) => number === MAY_CHANGE)) return null;
  return sha256Of([look.names.join('\0'), new Uint8Array(stats.buffer)]);
}

function statsOf(root: string, names: readonly string[]): Float64Array {
  const stats = new Float64Array(names.length * NUMBERS);
  for (let i = 0; i < names.length; i += 1) {
    const stat = lstatSync(`${root}/${names[i]}`, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    stats[i * NUMBERS] = stat.size;
    stats[i * NUMBERS + 1] = stat.mtimeMs;
    stats[i * NUMBERS + 2] = stat.ctimeMs;
    stats[i * NUMBERS + 3] = stat.ino;
  }
  return stats;
}

export function identities({ names, stats }: Listing): Map<string, string> {
  return new Map(names.map((name, i) => [name, stats.subarray(i * NUMBERS, (i + 1) * NUMBERS).join(' ')]));
}

export function isSame(a: Listing, b: Listing): boolean {
  return (
    a.names.length === b.names.length &&
    bytesOf(a.stats).equals(bytesOf(b.stats)) &&
    a.names.every((name, i) => name === b.names[i])
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

// What may still change within its clock's tick is kept with a time that never comes again.
export function settled({ names, stats, at }: Look): Listing {
  const kept = stats.slice();
  for (let i = 2; i < kept.length; i += NUMBERS) if ((kept[i] as number) > at - RACY_MS) kept[i] = MAY_CHANGE;
  return { names, stats: kept };
}
