import { useCallback, useRef, useState } from 'preact/hooks';
import type { Queue } from '../../wire.ts';
import { get } from '../api.ts';
import { mapOf } from './inbox-words.ts';

const WINDOW = 100;

/** What waits: a window of it at a time. */
export function useQueue(first: Queue, onWaits: (count: number) => void) {
  const [queue, setQueue] = useState(first);
  const [rows, setRows] = useState(() => mapOf(first));
  // Of answers that cross on their way the one that was asked for last counts: it knows of every change that was told before.
  const order = useRef({ asked: 0, shown: 0 });
  const load = useCallback(
    async (near: string | null): Promise<Queue> => {
      order.current.asked += 1;
      const own = order.current.asked;
      const found = await get<Queue>('/api/queue', { from: 0, count: WINDOW, key: near ?? undefined });
      if (own < order.current.shown) return found;
      order.current.shown = own;
      setQueue(found);
      setRows(mapOf(found));
      onWaits(found.total - found.counts.aside);
      return found;
    },
    [onWaits],
  );
  const need = useCallback((from: number) => {
    void get<Queue>('/api/queue', { from: Math.max(0, from - 20), count: WINDOW }).then((found) =>
      setRows((known) => new Map([...known, ...mapOf(found)])),
    );
  }, []);
  return { queue, rows, load, need };
}
