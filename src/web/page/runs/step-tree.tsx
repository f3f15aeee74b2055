import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted, durationOf, figure } from '../words.ts';
import { parentOf, type StepNode, unfolded } from './step-order.ts';

const ROW = 30;
const PAGE = 12;
const SPARE_ROWS = 8;
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
