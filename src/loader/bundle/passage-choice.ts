import type { ScoredPassage } from '../../matching/passages.ts';

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
  /** `size`: of a small file that is given whole, its characters. */
  units: readonly (Unit & { text?: string; size?: number })[];
}

/** One unit in the order in which the room is given. */
export interface Choice {
  place: number;
  unit: Contender['units'][number];
  value: number;
}

// Up to this size half of a file costs more attention than all of it.
const SMALL_FILE = 1_500;
// The bundle ends where a unit is worth less than this part of the best.
const LEAST_VALUE = 0.12;
// Each further place in the ranking counts less, each further unit of a file too, and what a file's kind takes is taken three
// times (docs/decisions).
const [PLACE_POWER, NEXT_POWER, KIND_POWER] = [0.7, 0.4, 3];
// What the best units call or name is worth this much more.
const [CALLING, CALLED] = [4, Math.exp(0.3)];
const SHORTEST_NAME = 4;

export function unitsOf(text: string, passages: readonly ScoredPassage[]): Contender['units'] {
  const last = passages.at(-1);
  if (last === undefined) return [];
  if (text.length > SMALL_FILE) return passages;
  const score = Math.max(...passages.map((passage) => passage.score));
  return [{ start: 1, end: last.end, title: null, score, size: text.length }];
}

// One order over the units of all files: what a unit says of the task, times what its file does. It ends where the value falls.
export function inOrderOfWorth(contenders: readonly Contender[]): Choice[] {
  const best = Math.max(Number.MIN_VALUE, ...contenders.map(({ score }) => score));
  const choices = contenders.flatMap(({ place, path, score, units, leftByKind = 1 }) => {
    const file = ((Math.max(0, score) / best) * leftByKind ** KIND_POWER) / (1 + place) ** PLACE_POWER;
    return units.map((unit) => ({ place, path, unit, value: file * unit.score }));
  });
  const inOrder = (a: Choice, b: Choice): number =>
    b.value - a.value || a.place - b.place || a.unit.start - b.unit.start;
  choices.sort(inOrder);
  const calling = choices.slice(0, CALLING);
  const names = new Set(calling.flatMap(({ unit }) => (unit.text ?? '').match(/[\p{L}\p{N}_$]+/gu) ?? []));
  const times = new Map<string, number>();
  for (const { unit } of choices) times.set(nameOf(unit), (times.get(nameOf(unit)) ?? 0) + 1);
  for (const choice of choices) {
    const name = nameOf(choice.unit);
    if (name.length < SHORTEST_NAME || calling.includes(choice) || !names.has(name)) continue;
    choice.value *= CALLED ** (1 / Math.sqrt(times.get(name) ?? 1));
  }
  choices.sort(inOrder);
  const before = new Map<number, number>();
  for (const choice of choices) {
    const count = before.get(choice.place) ?? 0;
    before.set(choice.place, count + 1);
    choice.value /= (1 + count) ** NEXT_POWER;
  }
  choices.sort(inOrder);
  const least = (choices[0]?.value ?? 0) * LEAST_VALUE;
  // A few lines cost next to nothing: they need not be worth as much as a page.
  const leastOf = ({ unit: { size = SMALL_FILE } }: Choice) => least * Math.min(1, size / SMALL_FILE);
  const given = choices.filter((choice) => choice.value > 0 && choice.value >= leastOf(choice));
  return given.map(({ place, unit: { start, end, title, score }, value }) => ({
    ...{ place, value, unit: { start, end, title, score } },
  }));
}

function nameOf({ title }: Unit): string {
  return title?.slice(title.lastIndexOf('.') + 1) ?? '';
}
