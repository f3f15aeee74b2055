import { lstatSync, type Stats, statSync } from 'node:fs';

/** Device, inode, modified and changed of each place, one after the other; all 0 where nothing is. */
export type PlaceMarks = Float64Array;

export interface Place {
  path: string;
  /** What a link leads to counts, not the link. */
  followed: boolean;
}

const NUMBERS = 4;
const CHANGED = 3;

/** Null where one can't be looked at. */
export function marksOf(places: readonly Place[]): PlaceMarks | null {
  const marks = new Float64Array(places.length * NUMBERS);
  for (const [n, place] of places.entries()) {
    const stat = statAt(place);
    if (stat === null) return null;
    if (stat) marks.set([stat.dev, stat.ino, stat.mtimeMs, stat.ctimeMs], n * NUMBERS);
  }
  return marks;
}

/** Whether the first of the marks are still those of these places. */
export function areAsMarked(places: readonly Place[], marks: PlaceMarks): boolean {
  return places.every((place, n) => isAsMarked(place, marks, n));
}

/** Which of the places are as they were. */
export function unchangedIn(places: readonly Place[], marks: PlaceMarks): number[] {
  return [...places.keys()].filter((n) => isAsMarked(places[n] as Place, marks, n));
}

function isAsMarked(place: Place, marks: PlaceMarks, n: number): boolean {
  const stat = statAt(place);
  if (stat === null) return false;
  const at = n * NUMBERS;
  return (
    marks[at + 1] === (stat?.ino ?? 0) &&
    marks[at + CHANGED] === (stat?.ctimeMs ?? 0) &&
    marks[at + 2] === (stat?.mtimeMs ?? 0) &&
    marks[at] === (stat?.dev ?? 0)
  );
}

export function devicesIn(marks: PlaceMarks): number[] {
  return Array.from({ length: marks.length / NUMBERS }, (_, n) => marks[n * NUMBERS] as number);
}

/** When each was changed. */
export function changesIn(marks: PlaceMarks): number[] {
  return Array.from({ length: marks.length / NUMBERS }, (_, n) => marks[n * NUMBERS + CHANGED] as number);
}

function statAt({ path, followed }: Place): Stats | undefined | null {
  try {
    return followed ? statSync(path, { throwIfNoEntry: false }) : lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}
