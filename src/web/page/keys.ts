import { useEffect, useRef, useState } from 'preact/hooks';
import { type KeyGuard, keyGuard } from '../../key-guard.ts';

export type KeyMap = Record<string, (() => void) | undefined>;

/** When keys count: `shown` says that something else is on the screen; `isReady` that every key counts. */
export interface KeyRest {
  guard: KeyGuard;
  isReady: boolean;
  shown(): void;
}

export function useKeyRest(): KeyRest {
  const guard = useRef(keyGuard(() => performance.now()));
  const [isReady, setReady] = useState(false);
  const timer = useRef(0);
  const wait = (): void => {
    const rest = guard.current.readyIn();
    setReady(rest === 0);
    clearTimeout(timer.current);
    if (rest > 0) timer.current = setTimeout(wait, rest);
  };
  useEffect(() => {
    document.addEventListener('keydown', wait);
    return () => {
      document.removeEventListener('keydown', wait);
      clearTimeout(timer.current);
    };
  }, []);
  const shown = (): void => {
    guard.current.screenChanged();
    wait();
  };
  return { guard: guard.current, isReady, shown };
}

// Single keys, as in `bearings review`. Held keys do not count, nor what is typed into a field or a dialog.
export function useKeys(keys: KeyMap, decides: { guard: KeyGuard; keys: readonly string[] } | null = null): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const counts = decides === null || decides.guard.press(event.key);
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const at = event.target instanceof Element ? event.target : null;
      if (at?.closest('input, textarea, select, dialog')) return;
      if (document.querySelector('dialog[open]')) return;
      const work = keys[event.key];
      if (!work || (!counts && decides?.keys.includes(event.key))) return;
      event.preventDefault();
      work();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}
