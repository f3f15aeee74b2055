import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted, durationOf, seen } from '../words.ts';
import { parentOf, type StepNode, unfolded } from './step-order.ts';

const ROW = 30;
const SPARE = 10;
const PAGE = 12;
const LOOP = 'director_evaluator_loop';

export interface StepTreeProps {
  nodes: readonly StepNode[];
  running: boolean;
  /** The run waits for the person: what is around that step has not failed. */
  asks: boolean;
  current: string | null;
  onPick: (path: string) => void;
}

// Only what can be seen is drawn, whether ten steps or ten thousand. One stop for Tab; arrows go on from there.
export function StepTree({ nodes, running, asks, current, onPick }: StepTreeProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => unfolded(nodes, folded), [nodes, folded]);
  const at = shown.findIndex(({ path }) => path === current);
  const read = (): void => {
    const box = ref.current;
    if (box) setView({ top: box.scrollTop, height: box.clientHeight });
  };
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const top = at * ROW;
    if (at >= 0 && (top < box.scrollTop || top + ROW > box.scrollTop + box.clientHeight))
      box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    read();
  }, [at, shown.length]);
  const fold = (path: string, isFolded: boolean): void => {
    const next = new Set(folded);
    if (isFolded) next.add(path);
    else next.delete(path);
    setFolded(next);
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
  const from = Math.max(0, Math.floor(view.top / ROW) - SPARE);
  const to = Math.min(shown.length, Math.ceil((view.top + view.height) / ROW) + SPARE);
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
        {shown.slice(from, to).map((node, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the tree itself has the focus
          <div
            key={node.path}
            id={rowId(node.path)}
            class={`step ${stateOf(node, { running, asks })}`}
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
              {MARKS[stateOf(node, { running, asks })]}
            </span>
            <span class="unseen">{stateOf(node, { running, asks })} </span>
            <span class="step-name">
              {seen(node.name) || node.path}
              {node.type === LOOP && node.children > 0 ? ` · ${counted(node.children, 'round')}` : ''}
            </span>
            <span class="step-path">{node.path}</span>
            <Figures node={node} />
          </div>
        ))}
      </div>
    </div>
  );
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
          <span class="tokens">
            {row.read.toLocaleString('en')} → {row.written.toLocaleString('en')}
          </span>
          <span class="took">{durationOf(row.ms)}</span>
        </>
      ) : children > 0 ? (
        <span class="tokens">{doneBelow.toLocaleString('en')} done below</span>
      ) : null}
    </span>
  );
}

function rowId(path: string): string {
  return `step-${path}`;
}
