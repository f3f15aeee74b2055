import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Got } from '../api.ts';
import { counted, durationOf, figure } from '../words.ts';

const ROW = 30;
const PAGE = 12;
const SPARE_ROWS = 8;
const LOOP = 'director_evaluator_loop';

interface StepTreeProps {
  nodes: readonly StepNode[];
  running: boolean;
  /** The run waits for the person: what is around that step has not failed. */
  asks: boolean;
  current: string | null;
  onPick: (path: string) => void;
}

// Only what can be seen is drawn, whether ten steps or ten thousand. One stop for Tab; arrows go on from there.
export function StepTree({ nodes, running, asks, current, onPick }: StepTreeProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => unfolded(nodes, folded), [nodes, folded]);
  const at = shown.findIndex(({ path }) => path === current);
  const { ref, read, from, to } = useWindow(shown.length, at);
  const fold = (path: string, isFolded: boolean): void => {
    const others = [...folded].filter((each) => each !== path);
    setFolded(new Set(isFolded ? [...others, path] : others));
  };
  const move = (to: number): void => {
    const node = shown[Math.max(0, Math.min(shown.length - 1, to))];
    if (node) onPick(node.path);
  };
  const pressed = (event: KeyboardEvent): void => {
    const node = shown[at];
    const isOpen = node !== undefined && node.children > 0 && !folded.has(node.path);
    const keys: Record<string, () => void> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      PageDown: () => move(at + PAGE),
      PageUp: () => move(at - PAGE),
      Home: () => move(0),
      End: () => move(shown.length - 1),
      ArrowRight: () => (node && node.children > 0 && !isOpen ? fold(node.path, false) : move(at + 1)),
      ArrowLeft: () => {
        const parent = node && parentOf(node.path);
        if (isOpen) fold(node.path, true);
        else if (parent) onPick(parent);
      },
    };
    const work = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!work || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    work();
  };
  return (
    <div
      class="steps"
      role="tree"
      tabIndex={0}
      aria-label="Steps"
      aria-activedescendant={at >= from && at < to ? rowId(shown[at]?.path ?? '') : undefined}
      ref={ref}
      onScroll={read}
      onKeyDown={pressed}
    >
      <div class="all-steps" role="none" style={{ height: `${shown.length * ROW}px` }}>
        {shown.slice(from, to).map((node, index) => {
          const state = stateOf(node, { running, asks });
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the tree itself has the focus
            <div
              key={node.path}
              id={rowId(node.path)}
              class={`step ${state}`}
              role="treeitem"
              aria-level={node.depth + 1}
              aria-selected={node.path === current}
              aria-expanded={node.children > 0 ? !folded.has(node.path) : undefined}
              aria-setsize={shown.length}
              aria-posinset={from + index + 1}
              style={{ top: `${(from + index) * ROW}px`, paddingLeft: `${10 + Math.min(node.depth, 8) * 16}px` }}
              onClick={() => onPick(node.path)}
            >
              <Fold node={node} folded={folded.has(node.path)} onFold={(isFolded) => fold(node.path, isFolded)} />
              <span class="mark" aria-hidden="true">
                {MARKS[state]}
              </span>
              <span class="unseen">{state} </span>
              <span class="step-name">
                {node.name || node.path}
                {node.type === LOOP && node.children > 0 ? ` · ${counted(node.children, 'round')}` : ''}
              </span>
              <span class="step-path">{node.path}</span>
              <Figures node={node} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Of a long list the part that can be seen, with some to spare; the current one is brought into view. */
function useWindow(count: number, current: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const read = (): void => {
    const box = ref.current;
    if (box) setView({ top: box.scrollTop, height: box.clientHeight });
  };
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const top = current * ROW;
    if (current >= 0 && (top < box.scrollTop || top + ROW > box.scrollTop + box.clientHeight))
      box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    read();
  }, [current, count]);
  const from = Math.max(0, Math.floor(view.top / ROW) - SPARE_ROWS);
  const to = Math.min(count, Math.ceil((view.top + view.height) / ROW) + SPARE_ROWS);
  return { ref, read, from, to: Math.max(from, to) };
}

type State = 'done' | 'failed' | 'working' | 'waiting' | 'asks';
const MARKS: Record<State, string> = { done: '✓', failed: '✗', working: '●', waiting: '·', asks: '?' };

function stateOf(
  { row, type, children, doneBelow, failedBelow }: StepNode,
  { running, asks }: Pick<StepTreeProps, 'running' | 'asks'>,
): State {
  if (row) return !row.failed ? 'done' : asks ? 'asks' : 'failed';
  if (type === 'round' && failedBelow > 0) return 'failed';
  if (type === 'round' && !running && doneBelow === children) return 'done';
  return running && doneBelow > 0 ? 'working' : 'waiting';
}

function Fold({ node, folded, onFold }: { node: StepNode; folded: boolean; onFold: (folded: boolean) => void }) {
  if (node.children === 0) return <span class="fold" />;
  return (
    <span
      class="fold"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onFold(!folded);
      }}
    >
      {folded ? '▸' : '▾'}
    </span>
  );
}

function Figures({ node: { row, children, doneBelow } }: { node: StepNode }) {
  return (
    <span class="figures">
      {row ? (
        <>
          <span class="tokens">{`${figure(row.read)} → ${figure(row.written)}`}</span>
          <span class="took">{durationOf(row.ms)}</span>
        </>
      ) : children > 0 ? (
        <span class="tokens">{figure(doneBelow)} done below</span>
      ) : null}
    </span>
  );
}

function rowId(path: string): string {
  return `step-${path}`;
}

export type StepRow = Got<'/api/run'>['rows'][number];

interface StepNode {
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
function unfolded(nodes: readonly StepNode[], folded: ReadonlySet<string>): StepNode[] {
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

function parentOf(path: string): string | null {
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
