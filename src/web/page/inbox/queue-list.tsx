import { useEffect } from 'preact/hooks';
import type { Queue, QueueRow } from '../api.ts';
import { Button, Empty, useWindow } from '../parts.tsx';
import { ageOf, figure } from '../words.ts';
import { UndoLink } from './action-bar.tsx';
import type { Said } from './hooks.ts';

const ROW = 84;

const TYPES: Record<string, string> = {
  clients: 'look first',
  first: 'first look',
  aside: 'set aside',
  key: 'unknown key',
  fault: 'does not verify',
  merged: 'merged',
  block: 'unaccounted',
  due: 'review again',
  approve: 'a run waits',
};

// Only what can be seen is drawn, whether ten wait or ten thousand.
export function QueueList({
  total,
  rows,
  current,
  onNeed,
  onPick,
}: {
  total: number;
  rows: ReadonlyMap<number, QueueRow>;
  current: number;
  onNeed: (from: number) => void;
  onPick: (row: QueueRow) => void;
}) {
  const { ref, read, from, to } = useWindow(ROW, total, current);
  const indexes = Array.from({ length: to - from }, (_, index) => from + index);
  const missing = indexes.find((index) => !rows.has(index));
  useEffect(() => {
    if (missing !== undefined) onNeed(missing);
  }, [missing, onNeed]);
  return (
    <div class="queue-scroll" ref={ref} onScroll={read}>
      <ol style={{ height: `${total * ROW}px` }}>
        {indexes.map((index) => {
          const row = rows.get(index);
          return (
            <li
              key={index}
              style={{ top: `${index * ROW}px`, height: `${ROW}px` }}
              aria-setsize={total}
              aria-posinset={index + 1}
              class={row?.group && row.group.index < row.group.total ? 'goes-on' : undefined}
            >
              {row ? <RowButton row={row} isCurrent={index === current} onPick={() => onPick(row)} /> : null}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function RowButton({ row, isCurrent, onPick }: { row: QueueRow; isCurrent: boolean; onPick: () => void }) {
  const { title, target, type, by, group, at } = row;
  return (
    <button type="button" aria-current={isCurrent ? 'true' : undefined} onClick={onPick}>
      <span class="title">{title || '…'}</span>
      <span class="where">{target}</span>
      <span class="meta">
        {TYPES[type] ? <span class={`tag ${type}`}>{TYPES[type]}</span> : null}
        {by ? <span class="by-whom">{by}</span> : null}
        {group ? <span class="group">{`${group.index}/${group.total}`}</span> : null}
        <span class="when">{ageOf(at)}</span>
      </span>
    </button>
  );
}

/** Which of all it is; of a list from which to which. */
export function placeIn(total: number, at: number, group: QueueRow['group']): string {
  if (at === -1) return figure(total);
  if (group === null) return `${figure(at + 1)} of ${figure(total)}`;
  const first = at + 2 - group.index;
  return `${figure(first)} to ${figure(first + group.total - 1)} of ${figure(total)}`;
}

const DONE: Record<string, string> = {
  accept: 'accepted',
  decline: 'declined',
  adopt: 'adopted',
  remove: 'took out',
  tidy: 'tidied',
};

export function InboxEmpty({
  queue: { last, workspaces, others },
  said,
  onUndo,
  isReady,
  onElse,
}: {
  queue: Queue;
  said: Said | null;
  onUndo: () => void;
  /** Every key counts. */
  isReady: boolean;
  onElse: () => void;
}) {
  return (
    <Empty name="Inbox" title="Nothing waits for you">
      {said ? (
        <p class="said" role="status">
          {said.text}
          {said.undo ? <UndoLink onUndo={onUndo} isReady={isReady} /> : null}
        </p>
      ) : null}
      {others > 0 ? (
        <p>
          <Button class="main" letter="v" onClick={onElse}>
            {`Look at everything else: ${figure(others)}`}
          </Button>
        </p>
      ) : null}
      <p>
        When an agent learns something, it proposes it, and it shows here: who says it, why, and exactly what would be
        written where. Nothing enters memory without your yes.
      </p>
      {workspaces === 0 ? (
        <p>
          Make your first workspace in a terminal: <code>bearings init NAME</code>
        </p>
      ) : (
        <p>
          Try it yourself: <code>bearings propose notes ID --content "…"</code>
        </p>
      )}
      {last ? (
        <p class="quiet">
          Last: {DONE[last.decision] ?? last.decision} {last.file ?? ''}{' '}
          {last.ledger === 'tastes' ? 'in tastes' : `of ${last.ledger}`}, {ageOf(last.at)}
        </p>
      ) : null}
    </Empty>
  );
}
