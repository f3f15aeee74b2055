import type { Got } from '../api.ts';

export type StepRow = Got<'/api/run'>['rows'][number];

export interface StepNode {
  path: string;
  name: string;
  type: string;
  depth: number;
  /** Null: nothing is recorded of it yet. */
  row: StepRow | null;
  children: number;
  /** Of the steps below, how many are kept, and how many of these failed. */
  doneBelow: number;
  failedBelow: number;
}

const NOTHING_BELOW = { children: 0, doneBelow: 0, failedBelow: 0 };

// The tree as a list in reading order: a task, then what is below it. Steps come in the order in which they ended.
export function orderSteps(rows: readonly StepRow[], template: Got<'/api/run'>['template']): StepNode[] {
  const nodes = new Map<string, StepNode>();
  const add = (path: string, about: { name: string; type: string; row: StepRow | null }): StepNode => {
    const node: StepNode = { path, ...about, depth: path.split('.').length - 1, ...NOTHING_BELOW };
    nodes.set(path, node);
    return node;
  };
  for (const { path, name, type } of template) add(path, { name, type, row: null });
  for (const row of rows) add(row.path, { name: row.name, type: row.type, row });
  // A task is kept when it ends, so its steps may be here before it.
  for (const path of [...nodes.keys()])
    for (let up = parentOf(path); up !== null && !nodes.has(up); up = parentOf(up))
      add(up, { ...between(up.slice(up.lastIndexOf('.') + 1)), row: null });
  for (const node of nodes.values()) {
    const parent = nodes.get(parentOf(node.path) ?? '');
    if (!parent) continue;
    parent.children += 1;
    if (node.row) parent.doneBelow += 1;
    if (node.row?.failed) parent.failedBelow += 1;
  }
  const keys = new Map([...nodes.keys()].map((path) => [path, sortKey(path)]));
  return [...nodes.values()].sort((a, b) => compare(keys.get(a.path) ?? '', keys.get(b.path) ?? ''));
}

/** Without what is below a folded one. */
export function unfolded(nodes: readonly StepNode[], folded: ReadonlySet<string>): StepNode[] {
  if (folded.size === 0) return [...nodes];
  const shown: StepNode[] = [];
  let below: string | null = null;
  for (const node of nodes) {
    if (below !== null && node.path.startsWith(below)) continue;
    below = folded.has(node.path) ? `${node.path}.` : null;
    shown.push(node);
  }
  return shown;
}

export function parentOf(path: string): string | null {
  const cut = path.lastIndexOf('.');
  return cut === -1 ? null : path.slice(0, cut);
}

// A round of a loop has no record of its own: it is what its parts are.
function between(name: string): { name: string; type: string } {
  const round = /^round:(\d+)$/.exec(name)?.[1];
  return round === undefined ? { name, type: '' } : { name: `round ${Number(round) + 1}`, type: 'round' };
}

function sortKey(path: string): string {
  // In a round the script comes before who judges it.
  return path.replace(/\.evaluator\b/g, '.zevaluator').replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
