import { compareCodePoints } from '../code-point-order.ts';
import { statIdentity } from './file-stats.ts';
import { namesIn, PLAIN_FILE, type ProjectScan } from './project-scan.ts';

export interface Difference {
  changed: string[];
  gone: string[];
}

/** Every plain file of the scan, by code point. */
export function filesIn(scan: ProjectScan): string[] {
  return [...identitiesIn(scan).keys()].sort(compareCodePoints);
}

// From one scan to the next as a rule a handful of files differ: only the stretch of the listing around them is taken apart.
export function difference(kept: ProjectScan, scan: ProjectScan): Difference {
  if (kept.kind !== 'tracked' || scan.kind !== 'tracked') return between(identitiesIn(kept), identitiesIn(scan));
  const [before, now] =
    kept.signature === scan.signature && scan.signature !== ''
      ? [Buffer.alloc(0), Buffer.alloc(0)]
      : stretches(kept.records(), scan.records());
  const [oldRecords, records] = [trackedIn(before), trackedIn(now)];
  const [oldLoose, loose] = [looseIn(kept), looseIn(scan)];
  const wasOther = new Set(kept.loose.filter(({ other }) => other).map(({ name }) => name));
  const old = new Map<string, string | null>();
  const current = new Map<string, string | null>();
  for (const name of new Set([...oldRecords.keys(), ...records.keys(), ...oldLoose.keys(), ...loose.keys()])) {
    // What stands in no stretch is tracked as it was, or was never tracked.
    const listed = oldRecords.has(name) || records.has(name);
    const steady = listed || wasOther.has(name) ? null : 'as tracked';
    old.set(name, oldLoose.has(name) ? (oldLoose.get(name) ?? null) : (oldRecords.get(name) ?? steady));
    current.set(name, loose.has(name) ? (loose.get(name) ?? null) : (records.get(name) ?? steady));
  }
  return between(old, current);
}

function between(old: ReadonlyMap<string, string | null>, current: ReadonlyMap<string, string | null>): Difference {
  const isThere = ([, identity]: [string, string | null]): boolean => identity !== null;
  return {
    changed: [...current]
      .filter(isThere)
      .filter(([name, identity]) => old.get(name) !== identity)
      .map(([name]) => name),
    gone: [...old.keys()].filter((name) => (current.get(name) ?? null) === null),
  };
}

// Each plain file with what tells its content from another.
function identitiesIn(scan: ProjectScan): Map<string, string> {
  if (scan.kind === 'walked') {
    const names = namesIn(scan.records());
    return new Map(
      names.flatMap((name, i) => {
        const identity = statIdentity(scan.stats, i);
        return identity === null ? [] : [[name, identity] as const];
      }),
    );
  }
  const identities = trackedIn(scan.records());
  for (const [name, identity] of looseIn(scan)) {
    if (identity === null) identities.delete(name);
    else identities.set(name, identity);
  }
  return identities;
}

/** The plain files in a listing of git's index, each with what tells its content from another. */
export function trackedIn(records: Buffer): Map<string, string> {
  const identities = new Map<string, string>();
  for (const record of namesIn(records)) {
    const known = record.startsWith('H ') ? PLAIN_FILE.exec(record.slice(2)) : null;
    if (known) identities.set(record.slice(2 + known[0].length), known[1] as string);
  }
  return identities;
}

function looseIn({ loose, stats }: ProjectScan): Map<string, string | null> {
  return new Map(loose.map(({ name }, i) => [name, statIdentity(stats, i)]));
}

// Both without the records they start and end with alike.
function stretches(x: Buffer, y: Buffer): [Buffer, Buffer] {
  const shorter = Math.min(x.length, y.length);
  let start = 0;
  while (start + STEP <= shorter && x.compare(y, start, start + STEP, start, start + STEP) === 0) start += STEP;
  while (start < shorter && x[start] === y[start]) start += 1;
  // Back to where the record starts.
  start = start === 0 ? 0 : x.lastIndexOf(0, start - 1) + 1;
  let end = 0;
  const most = shorter - start;
  while (end + STEP <= most && sameEnd(x, y, end + STEP)) end += STEP;
  while (end < most && x[x.length - 1 - end] === y[y.length - 1 - end]) end += 1;
  // The end they share starts with a whole record in both.
  const startsRecord = (records: Buffer): boolean => end === records.length || records[records.length - end - 1] === 0;
  if (end > 0 && !(startsRecord(x) && startsRecord(y))) end = x.length - (x.indexOf(0, x.length - end) + 1);
  return [x.subarray(start, x.length - end), y.subarray(start, y.length - end)];
}

const STEP = 4096;

function sameEnd(x: Buffer, y: Buffer, length: number): boolean {
  return x
    .subarray(x.length - length, x.length - length + STEP)
    .equals(y.subarray(y.length - length, y.length - length + STEP));
}
