import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { keyGuard } from '../../key-guard.ts';

export type KeyMap = Record<string, (() => void) | undefined>;

// What was pressed before a new thing could be read was not meant for it.
const SETTLE_MS = 300;

type Sight = ReturnType<typeof useSight>;

/** What the person has had time to see: a key counts after a rest, a yes once the end of what it is about was on the screen. */
export function useSight() {
  const guard = useRef(keyGuard(() => performance.now()));
  const [isReady, setReady] = useState(false);
  const [sawEnd, setSawEnd] = useState(false);
  const [showing, setShowing] = useState(0);
  const shownAt = useRef(0);
  const timer = useRef(0);
  const endSeen = useCallback(() => setSawEnd(true), []);
  const wait = (): void => {
    const rest = guard.current.readyIn();
    setReady(rest === 0);
    clearTimeout(timer.current);
    if (rest > 0) timer.current = window.setTimeout(wait, rest);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isReady,
    sawEnd,
    endSeen,
    /** Changes with everything that is shown. */
    showing,
    isSettled: () => performance.now() - shownAt.current >= SETTLE_MS,
    shown: (): void => {
      shownAt.current = performance.now();
      setSawEnd(false);
      setShowing((count) => count + 1);
      guard.current.screenChanged();
      wait();
    },
    /** Every press; true where it counts. */
    press: (key: string): boolean => {
      const counts = guard.current.press(key);
      wait();
      return counts;
    },
  };
}

interface Decides {
  sight: Sight;
  /** Those that wait for a rest. */
  keys: readonly string[];
  inDialog?: boolean;
}

// Single keys, as in `bearings review`. Held keys do not count, nor what is typed into a field, or a dialog of another.
export function useKeys(keys: KeyMap, decides: Decides | null = null): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const counts = decides === null || decides.sight.press(event.key);
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const at = event.target instanceof Element ? event.target : null;
      if (at?.closest('input:not([type="checkbox"]), textarea, select')) return;
      if (!decides?.inDialog && document.querySelector('dialog[open]')) return;
      const work = keys[event.key];
      if (!work || (!counts && decides?.keys.includes(event.key))) return;
      event.preventDefault();
      work();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}

/** Page Down and its like for a box that need not have the focus. */
export function scrollKeys(box: { readonly current: HTMLElement | null }): KeyMap {
  const page = (): number => (box.current?.clientHeight ?? 0) * 0.9;
  return {
    PageDown: () => box.current?.scrollBy(0, page()),
    PageUp: () => box.current?.scrollBy(0, -page()),
    End: () => box.current?.scrollTo(0, box.current.scrollHeight),
    Home: () => box.current?.scrollTo(0, 0),
  };
}
