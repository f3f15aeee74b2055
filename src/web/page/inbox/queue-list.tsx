import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { QueueRow } from '../../wire.ts';
import { ageOf, seen } from '../words.ts';

const ROW = 84;
const SPARE = 8;

const TYPES: Record<QueueRow['type'], string> = {
  clients: 'look first',
  first: 'first look',
  proposal: '',
  aside: 'set aside',
  key: 'unknown key',
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
  onPick: (row: QueueRow, index: number) => void;
}) {
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
    if (top < box.scrollTop || top + ROW > box.scrollTop + box.clientHeight)
      box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    read();
  }, [current, total]);
  const from = Math.max(0, Math.floor(view.top / ROW) - SPARE);
  const to = Math.min(total, Math.ceil((view.top + view.height) / ROW) + SPARE);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
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
              {row ? (
                <button
                  type="button"
                  aria-current={index === current ? 'true' : undefined}
                  onClick={() => onPick(row, index)}
                >
                  <span class="title">{seen(row.title) || '…'}</span>
                  <span class="where">{seen(row.target)}</span>
                  <span class="meta">
                    {TYPES[row.type] ? <span class={`tag ${row.type}`}>{TYPES[row.type]}</span> : null}
                    {row.by ? <span class="by-whom">{seen(row.by)}</span> : null}
                    {row.group ? (
                      <span class="group">
                        {row.group.index}/{row.group.total}
                      </span>
                    ) : null}
                    <span class="when">{ageOf(row.at)}</span>
                  </span>
                </button>
              ) : (
                <span class="loading" />
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
