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
  /** A change log that nearly every change is written down in: its newest part has a place. */
  isKept?: boolean;
  units: readonly Unit[];
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
// Imports stand at the head of a file, and new tests at the end of one: both are touched more often than they are named.
const [HEAD_BONUS, TAIL_BONUS] = [0.1, 0.1];
// What is worth less than this part of the best is not given at all.
const LEAST_VALUE = 0.2;
// Where a kept change log comes in: behind so many files.
const BEFORE_KEPT = 3;

export function unitsOf(path: string, text: string, passages: readonly ScoredPassage[], isCalled = false): Unit[] {
  const last = passages.at(-1);
  if (last === undefined) return [];
  if (kindOf(path) === 'record' && !isCalled) return newestOf(passages);
  if (text.length > SMALL_FILE) return passages.map(({ start, end, title, score }) => ({ start, end, title, score }));
  return [{ start: 1, end: last.end, title: null, score: Math.max(...passages.map(({ score }) => score)) }];
}

function newestOf(passages: readonly ScoredPassage[]): Unit[] {
  const units: Unit[] = [];
  let size = 0;
  for (const { start, end, title, score, text } of passages) {
    if (size > 0 && size + text.length > RECORD_CHARS) break;
    size += text.length;
    units.push({ start, end, title, score });
  }
  return units;
}

// A unit counts by its file and by its own words, each beside the best of the task. First the best unit of every file that
// can get a place, then whatever is worth most.
export function inOrderOfWorth(contenders: readonly Contender[], places: number): Choice[] {
  const bestFile = Math.max(Number.MIN_VALUE, ...contenders.map(({ score }) => score));
  const bestUnit = Math.max(Number.MIN_VALUE, ...contenders.flatMap(({ units }) => units.map(({ score }) => score)));
  const choices = contenders.flatMap(({ place, path, score, units }) => {
    const file = Math.max(0, score) / bestFile;
    return units.map((unit, at) => {
      const head = units.length > 1 && at === 0 ? HEAD_BONUS * file : 0;
      const tail = units.length > 1 && at === units.length - 1 && isTest(path) ? TAIL_BONUS * file : 0;
      return { place, unit, value: file + unit.score / bestUnit + head + tail };
    });
  });
  choices.sort((a, b) => b.value - a.value || a.place - b.place || a.unit.start - b.unit.start);
  const least = (choices[0]?.value ?? 0) * LEAST_VALUE;
  const placed = new Set(contenders.slice(0, places).map(({ place }) => place));
  const first = new Set<Choice>();
  for (const choice of choices) if (placed.delete(choice.place)) first.add(choice);
  const worthy = choices.filter(({ value }) => value >= least);
  const kept = contenders.flatMap(({ place, isKept, units }) =>
    isKept ? units.map((unit) => ({ place, unit, value: least })) : [],
  );
  const given = new Set(kept.map(({ unit }) => unit));
  const [bestOfEach, others] = [true, false].map((isFirst) =>
    worthy.filter((choice) => first.has(choice) === isFirst && !given.has(choice.unit)),
  ) as [Choice[], Choice[]];
  return [...bestOfEach.slice(0, BEFORE_KEPT), ...kept, ...bestOfEach.slice(BEFORE_KEPT), ...others];
}
