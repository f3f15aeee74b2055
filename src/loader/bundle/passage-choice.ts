import type { ScoredPassage } from '../../matching/passages.ts';
import { isTest, kindOf } from '../../matching/text/paths.ts';

/** A part of a file that may be given by itself. */
export interface Unit {
  /** Lines counted from 1, both included. */
  start: number;
  end: number;
  title: string | null;
  /** What the passage itself says of the task; comparable between files. */
  score: number;
}

/** A file that competes, with what it would be given by. */
export interface Contender {
  /** Its place in the ranking, from 0. */
  place: number;
  path: string;
  /** The score of the file. */
  score: number;
  /** What its kind leaves of what speaks for it; default all, 1. */
  leftByKind?: number;
  /** A change log that nearly every change is written down in: its newest part has a place. */
  isChangeLog?: boolean;
  units: readonly Unit[];
  /** How many characters each unit has. */
  sizes: readonly number[];
}

/** One unit in the order in which the room is given. */
export interface Choice {
  place: number;
  unit: Unit;
  value: number;
}

// Up to this size half of a file costs more attention than all of it.
const SMALL_FILE = 3_000;
// Of a change log only what is newest: a change is written there, and the rest mentions everything.
const RECORD_CHARS = 1_500;
// With less than this of it in hand more is taken, and cut.
const RECORD_LEAST = 160;
// Imports are at the head of a file, and new tests at the end of one: both are touched more often than they are named.
const [HEAD_BONUS, TAIL_BONUS] = [0.1, 0.1];
// What is worth less than this part of the best is not given at all.
const LEAST_VALUE = 0.2;
// After the first round a file counts twice over and a unit by what it says for its size, but no unit as smaller than this.
const [SIZE_POWER, SMALLEST] = [0.4, 400];
// So many of the places go by the rank of the files alone.
const PLACES_BY_RANK = 2 / 3;
// A change log that is in use comes after so many files.
const FILES_BEFORE_LOG = 3;

export function unitsOf(path: string, text: string, passages: readonly ScoredPassage[], isCalled = false): Unit[] {
  const last = passages.at(-1);
  if (last === undefined) return [];
  if (kindOf(path) === 'record' && !isCalled) return newestOf(passages);
  if (text.length > SMALL_FILE) return passages.map(({ start, end, title, score }) => ({ start, end, title, score }));
  return [{ start: 1, end: last.end, title: null, score: Math.max(...passages.map(({ score }) => score)) }];
}

// Whole sections, as far as they fit; where the newest alone is longer than that, its first lines: a heading tells nothing.
function newestOf(passages: readonly ScoredPassage[]): Unit[] {
  const units: Unit[] = [];
  let size = 0;
  for (const { start, end, title, score, text } of passages) {
    const isWhole = size + text.length <= RECORD_CHARS;
    if (!isWhole && size >= RECORD_LEAST) break;
    const last = isWhole ? end : start + linesWithin(text, RECORD_CHARS - size) - 1;
    if (last >= start) units.push({ start, end: last, title, score });
    if (!isWhole) break;
    size += text.length;
  }
  return units;
}

// At least one: a line that is too long is cut where it is given.
function linesWithin(text: string, size: number): number {
  const lines = text.split(/\r\n|\n|\r/);
  let [count, sum] = [0, 0];
  while (count < lines.length && sum + (lines[count] as string).length < size) {
    sum += (lines[count] as string).length + 1;
    count += 1;
  }
  return Math.max(1, count);
}

// A unit counts by its file and by its own words, each beside the best of the task. First the best unit of every file that
// can get a place, then whatever says most for its size: else a few long definitions take the room of many short ones.
export function inOrderOfWorth(contenders: readonly Contender[], places: number): Choice[] {
  const bestFile = Math.max(Number.MIN_VALUE, ...contenders.map(({ score }) => score));
  const bestUnit = Math.max(Number.MIN_VALUE, ...contenders.flatMap(({ units }) => units.map(({ score }) => score)));
  const choices = contenders.flatMap(({ place, path, score, units, sizes }) => {
    const file = Math.max(0, score) / bestFile;
    return units.map((unit, at) => {
      const own = unit.score / bestUnit;
      const head = units.length > 1 && at === 0 ? HEAD_BONUS * file : 0;
      const tail = units.length > 1 && at === units.length - 1 && isTest(path) ? TAIL_BONUS * file : 0;
      const size = Math.max(SMALLEST, sizes[at] ?? SMALLEST);
      return {
        ...{ place, unit, value: file + own + head + tail },
        forItsSize: (file ** 2 * own + head + tail) / size ** SIZE_POWER,
      };
    });
  });
  choices.sort((a, b) => b.value - a.value || a.place - b.place || a.unit.start - b.unit.start);
  const least = (choices[0]?.value ?? 0) * LEAST_VALUE;
  const placed = new Set(withPlace(contenders, places, { bestFile, bestUnit }).map(({ place }) => place));
  const first = new Set<Choice>();
  for (const choice of choices) if (placed.delete(choice.place)) first.add(choice);
  const worthy = choices.filter(({ value }) => value >= least);
  const fromLogs = contenders.flatMap(({ place, isChangeLog, units }) =>
    isChangeLog ? units.map((unit) => ({ place, unit, value: least })) : [],
  );
  const given = new Set(fromLogs.map(({ unit }) => unit));
  const [bestOfEach, others] = [true, false].map((isFirst) =>
    worthy.filter((choice) => first.has(choice) === isFirst && !given.has(choice.unit)),
  ) as [typeof choices, typeof choices];
  others.sort((a, b) => b.forItsSize - a.forItsSize);
  return [...bestOfEach.slice(0, FILES_BEFORE_LOG), ...fromLogs, ...bestOfEach.slice(FILES_BEFORE_LOG), ...others];
}

// A file is ranked by all that it says, but a task may be about one place in a long one. So the last places go to what is
// highest by its rank or by its best unit, which its kind weighs as it weighs the file.
function withPlace(
  contenders: readonly Contender[],
  places: number,
  { bestFile, bestUnit }: { bestFile: number; bestUnit: number },
): Contender[] {
  const byRank = contenders.slice(0, Math.ceil(places * PLACES_BY_RANK));
  const others = contenders.slice(byRank.length).map((contender) => {
    const { score, units, leftByKind = 1 } = contender;
    const own = Math.max(0, ...units.map((unit) => unit.score)) / bestUnit;
    return { contender, claim: Math.max(score / bestFile, leftByKind * own) };
  });
  others.sort((a, b) => b.claim - a.claim || a.contender.place - b.contender.place);
  return [...byRank, ...others.slice(0, places - byRank.length).map(({ contender }) => contender)];
}
