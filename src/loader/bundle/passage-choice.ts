import type { ScoredPassage } from '../../matching/passages.ts';

/** A part of a file that may be given by itself. */
export interface Unit {
  /** Lines counted from 1, both included. */
  start: number;
  end: number;
  title: string | null;
  /** What the passage itself says of the task; comparable between files. */
  score: number;
  /** Pointed at by a stack frame: it is in as long as it fits. */
  isFramed?: boolean;
}

/** A file that competes, with what it would be given by. */
export interface Contender {
  /** Its place in the ranking, from 0. */
  place: number;
  /** The score of the file. */
  score: number;
  /** What its kind leaves of what speaks for it; default all, 1. */
  leftByKind?: number;
  /** `names`: what a small file that is given whole defines. */
  units: readonly (Unit & { text: string; names?: string[] })[];
}

/** One unit in the order in which the room is given. */
export interface Choice {
  place: number;
  unit: Contender['units'][number];
  value: number;
}

// Up to this size half of a file costs more attention than all of it.
const SMALL_FILE = 1_500;
// While the bundle holds less than a page, far less is enough: a bundle that is small and wrong helps nobody (docs/decisions).
const [PAGE, LEAST_ON_PAGE] = [4_000, 0.15];
// An issue says which file is meant, and much of it; a few words fit many, and a little of each (docs/decisions). The bundle
// ends where a unit is worth less than `least` of the best, and a long one where it is worth less than more. As powers: how
// sure a file is, its place, among how many units its own one would be, what its kind takes, and its length. Who reads a good
// passage reads on: what lies near it is worth a part of it, a third where it ends so many lines off.
const LONG = { least: 0.11, file: 2, place: 1.2, units: 0.4, kind: 3, length: 0, near: 20 };
const BRIEF = { least: 0.045, file: 1, place: 0.45, units: 0.7, kind: 4, length: 0.5, near: 5 };
const [BRIEF_WORDS, LONG_WORDS] = [15, 60];
const LEAST_LENGTH = 0.3;
// What a good unit names is worth more, by what that unit is worth; each speaks half for itself.
const [CALLED_POWER, SELF, LEAST_CALLED, MOST_CALLING] = [0.46, 0.5, 0.02, 60];
const SHORTEST_NAME = 4;

type Spread = typeof LONG;

/** How far a bundle spreads for a task. */
export function spreadFor(task: string): Spread {
  const words = task.split(/\s+/).length;
  const detail = Math.min(1, Math.max(0, (words - BRIEF_WORDS) / (LONG_WORDS - BRIEF_WORDS)));
  const between = (name: keyof Spread) => BRIEF[name] + (LONG[name] - BRIEF[name]) * detail;
  return {
    least: between('least'),
    file: between('file'),
    place: between('place'),
    units: between('units'),
    kind: between('kind'),
    length: between('length'),
    near: between('near'),
  };
}

export function unitsOf(text: string, passages: readonly ScoredPassage[]): Contender['units'] {
  const last = passages.at(-1);
  if (last === undefined) return [];
  if (text.length > SMALL_FILE) return passages;
  const score = Math.max(...passages.map((passage) => passage.score));
  const isFramed = passages.some((passage) => passage.isFramed);
  return [{ start: 1, end: last.end, title: null, score, text, names: passages.map(nameOf), isFramed }];
}

// One order over the units of all files: what a unit says of the task, times what its file does and who calls it. It ends where
// the value falls.
export function inOrderOfWorth(contenders: readonly Contender[], spread: Spread = LONG): Choice[] {
  const files = contenders
    .map(({ score, leftByKind = 1, ...file }) => ({
      ...file,
      worth: Math.max(0, score) * leftByKind ** spread.kind,
    }))
    .sort((a, b) => b.worth - a.worth || a.place - b.place);
  const best = files[0]?.worth || Number.MIN_VALUE;
  const choices = files.flatMap(({ place, worth, units }, at) => {
    const file = (worth / best) ** spread.file / (1 + at) ** spread.place / Math.max(1, units.length) ** spread.units;
    return units.map((unit) => ({ place, unit, value: file * unit.score }));
  });
  const inOrder = (a: Choice, b: Choice): number =>
    b.value - a.value || a.place - b.place || a.unit.start - b.unit.start;
  choices.sort(inOrder);
  const called = calledBy(choices);
  for (const choice of choices) choice.value *= (LEAST_CALLED + (called.get(choice) as number)) ** CALLED_POWER;
  liftNear(choices, spread.near);
  // What a file itself says best comes in first of it: that is the passage which `match` names.
  const own = new Map<number, { best: Choice; value: number }>();
  for (const choice of choices) {
    const { best = choice, value = 0 } = own.get(choice.place) ?? {};
    const isBetter = choice.unit.score > best.unit.score;
    own.set(choice.place, { best: isBetter ? choice : best, value: Math.max(value, choice.value) });
  }
  for (const { best, value } of own.values()) best.value = value;
  const top = Math.max(0, ...[...own.values()].map(({ value }) => value)) || 1;
  for (const choice of choices) if (choice.unit.isFramed) choice.value = top;
  choices.sort(inOrder);
  const least = (choices[0]?.value ?? 0) * spread.least;
  // A few lines cost next to nothing: they need not be worth as much as a page.
  let size = 0;
  return choices.filter(({ unit: { names, text }, value }) => {
    const forLength = Math.max(LEAST_LENGTH, text.length / SMALL_FILE) ** spread.length;
    const needed = forLength * least * (names ? text.length / SMALL_FILE : 1) * (size < PAGE ? LEAST_ON_PAGE : 1);
    const isIn = value > 0 && value >= needed;
    if (isIn) size += text.length;
    return isIn;
  });
}

// What stands above the first definition is no neighbour: a licence, imports.
function liftNear(choices: readonly Choice[], near: number): void {
  const inFile = choices
    .filter(({ unit }) => unit.title !== null || unit.start > 1)
    .sort((a, b) => a.place - b.place || a.unit.start - b.unit.start);
  for (const [order, edge] of [
    [inFile, 'end'],
    [inFile.toReversed(), 'start'],
  ] as const)
    for (const [at, { place, unit, value }] of order.entries()) {
      const next = order[at + 1];
      if (next?.place !== place) continue;
      const lines = Math.abs(next.unit[edge] - unit[edge]);
      next.value = Math.max(next.value, value * Math.exp(-lines / near));
    }
}

// For what the best name: the part of the best value that whoever names it has; less where several have its name.
function calledBy(choices: readonly Choice[]): Map<Choice, number> {
  const named = new Map<string, Choice[]>();
  for (const choice of choices)
    for (const name of new Set(choice.unit.names ?? [nameOf(choice.unit)])) {
      const others = named.get(name) ?? [];
      if (name.length >= SHORTEST_NAME) named.set(name, others);
      others.push(choice);
    }
  const best = choices[0]?.value || Number.MIN_VALUE;
  const called = new Map(choices.map((choice) => [choice, (SELF * choice.value) / best]));
  for (const { unit, value } of choices.slice(0, MOST_CALLING)) {
    for (const name of new Set(unit.text.match(/[\p{L}\p{N}_$]+/gu) ?? [])) {
      const others = named.get(name) ?? [];
      for (const other of others)
        if (other.unit !== unit)
          called.set(other, Math.max(called.get(other) as number, value / best / Math.sqrt(others.length)));
    }
  }
  return called;
}

function nameOf({ title }: Pick<Unit, 'title'>): string {
  return title?.slice(title.lastIndexOf('.') + 1) ?? '';
}
