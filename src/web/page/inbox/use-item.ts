import { useEffect, useState } from 'preact/hooks';
import type { Item } from '../../wire.ts';
import { ApiError, get } from '../api.ts';
import { rename } from '../route.ts';

interface Told {
  /** Another item, or none, is meant. */
  onChange(): void;
  onShown(): void;
  onProblem(text: string): void;
}

/** The item at a key, with what the person changed in it. On the list of a session no item is shown. */
export function useItem(key: string | null, session: string | null, { onChange, onShown, onProblem }: Told) {
  const [loaded, setItem] = useState<Item | null>(null);
  const [gone, setGone] = useState(false);
  const [edited, setEdited] = useState<string | null>(null);
  const [until, setUntil] = useState<string | null>(null);

  useEffect(() => {
    if (key === null) {
      setItem(null);
      rename();
      onShown();
      return;
    }
    setGone(false);
    setEdited(null);
    onChange();
    if (session !== null) {
      setItem(null);
      rename();
      return;
    }
    let current = true;
    rename(...(key.startsWith('p/') ? ['p', key.slice(2)] : []));
    get<Item>('/api/item', { key }).then(
      (found) => {
        if (!current) return;
        onShown();
        setUntil(found.body.type === 'proposal' ? found.body.until : null);
        setItem(found);
      },
      (error: unknown) => {
        if (!current) return;
        setItem(null);
        setGone(true);
        if (!(error instanceof ApiError && error.status === 404)) onProblem((error as Error).message);
      },
    );
    return () => {
      current = false;
    };
  }, [key, session]);

  return {
    // While the next one is on its way, no key may meet the one before.
    item: loaded?.key === key ? loaded : null,
    gone,
    edited,
    setEdited,
    until,
    setUntil,
    /** Decided here: nothing is shown until the next one has come. */
    clear: () => setItem(null),
    /** Decided elsewhere. */
    lose: () => {
      setItem(null);
      setGone(true);
    },
  };
}
