import type { Candidates } from './candidates.ts';
import { FIELD } from './fields.ts';
import { importTargets } from './imports.ts';
import type { IndexView } from './index-view.ts';
import { baseName, foldersOf, isTest, subjectOf } from './paths.ts';

const TOP = 20;

export interface BesideSignals {
  source: Float64Array;
  neighbour: Float64Array;
}

// What stands beside the best hits: a test's source, and what they import.
export function besideSignals(
  view: IndexView,
  base: Float64Array,
  { best, candidates }: { best: readonly number[]; candidates: Candidates },
): BesideSignals {
  const source = new Float64Array(view.size);
  const neighbour = new Float64Array(view.size);
  const raise = (signal: Float64Array, id: number, value: number): void => {
    candidates.add(id);
    signal[id] = Math.max(signal[id] as number, value);
  };
  for (const id of best.slice(0, TOP)) {
    const path = view.path(id);
    const strength = base[id] as number;
    const ofTest = isTest(path);
    const subject = subjectOf(path);
    for (const other of ofTest ? view.postings(FIELD.subject + subject).ids : []) {
      const otherPath = view.path(other);
      if (isTest(otherPath)) continue;
      raise(source, other, strength * closeness(path, otherPath));
    }
    for (const name of view.imports(id)) {
      const target = importTargets(path, name)
        .map((candidate) => view.idOf(candidate))
        .find((found) => found !== undefined);
      if (target === undefined || target === id) continue;
      raise(neighbour, target, strength);
      if (ofTest) raise(source, target, strength * 0.5);
    }
  }
  return { source, neighbour };
}

// Folders that both paths share count for a pair; the same extension too.
function closeness(a: string, b: string): number {
  const [left, right] = [new Set(foldersOf(a)), foldersOf(b)];
  const shared = right.filter((folder) => left.has(folder)).length;
  const all = new Set([...left, ...right]).size;
  const ending = (path: string) => baseName(path).split('.').at(-1);
  return (0.5 + (0.5 * shared) / Math.max(1, all)) * (ending(a) === ending(b) ? 1 : 0.7);
}
