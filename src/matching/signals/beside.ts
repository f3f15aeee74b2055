import { FIELD } from '../index/fields.ts';
import type { IndexView } from '../index/index-view.ts';
import { importStems, targetsOf } from '../text/imports.ts';
import { baseName, foldersOf, isTest, subjectOf } from '../text/paths.ts';
import { Tally } from './tally.ts';

export interface BesideSignals {
  source: Tally;
  neighbour: Tally;
}

// What is beside the best hits: a test's source, and what they import.
export function besideSignals(view: IndexView, best: readonly { id: number; strength: number }[]): BesideSignals {
  const source = new Tally(view.size);
  const neighbour = new Tally(view.size);
  for (const { id, strength } of best) {
    const path = view.path(id);
    const ofTest = isTest(path);
    const subject = subjectOf(path);
    for (const other of ofTest ? view.postings(FIELD.subject + subject).ids : []) {
      const otherPath = view.path(other);
      if (isTest(otherPath)) continue;
      source.raise([other], strength * closeness(path, otherPath));
    }
    for (const target of importedBy(view, id, path)) {
      neighbour.raise([target], strength);
      if (ofTest) source.raise([target], strength * 0.5);
    }
  }
  return { source, neighbour };
}

// Whoever asks in a row finds the same files again: where their imports lead is known from the first time.
const imported = new WeakMap<IndexView, Map<number, readonly number[]>>();

function importedBy(view: IndexView, id: number, path: string): readonly number[] {
  const known = imported.get(view) ?? new Map<number, readonly number[]>();
  imported.set(view, known);
  let targets = known.get(id);
  if (!targets) {
    targets = view
      .imports(id)
      .map((name) => targetIn(view, path, name))
      .filter((target) => target !== undefined && target !== id) as number[];
    known.set(id, targets);
  }
  return targets;
}

/** The first of `importTargets` that is there. */
export function targetIn(view: IndexView, importer: string, name: string): number | undefined {
  for (const stem of importStems(importer, name)) {
    // Most imports lead out of the project or nowhere: one look in place of twenty, then one for each way on.
    if (!view.hasStart(stem)) continue;
    const isThere = new Map(['.', '/'].map((character) => [character, stem === '' || view.hasStart(stem + character)]));
    for (const path of targetsOf(stem)) {
      const id = (isThere.get(path[stem.length] ?? '') ?? true) ? view.idOf(path) : undefined;
      if (id !== undefined) return id;
    }
  }
  return undefined;
}

// Folders that both paths share count for a pair; the same extension too.
function closeness(a: string, b: string): number {
  const [left, right] = [new Set(foldersOf(a)), foldersOf(b)];
  const shared = right.filter((folder) => left.has(folder)).length;
  const all = new Set([...left, ...right]).size;
  const ending = (path: string) => baseName(path).split('.').at(-1);
  return (0.5 + (0.5 * shared) / Math.max(1, all)) * (ending(a) === ending(b) ? 1 : 0.7);
}
