import { useCallback, useState } from 'preact/hooks';
import type { Queue } from '../../wire.ts';
import { get } from '../api.ts';
import { mapOf } from './inbox-words.ts';

const WINDOW = 100;

/** What waits: a window of it at a time. */
export function useQueue(first: Queue, onWaits: (count: number) => void) {
  const [queue, setQueue] = useState(first);
  const [rows, setRows] = useState(() => mapOf(first));
  const load = useCallback(
    async (near: string | null): Promise<Queue> => {
      const found = await get<Queue>('/api/queue', { from: 0, count: WINDOW, key: near ?? undefined });
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
