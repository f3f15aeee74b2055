import { useEffect, useRef, useState } from 'preact/hooks';
import { keyGuard } from '../../key-guard.ts';

export type KeyMap = Record<string, (() => void) | undefined>;

/** When keys count: `shown` says that something else is on the screen; `isReady` that every key counts. */
export interface KeyRest {
  isReady: boolean;
  shown(): void;
  /** Every press; true where it counts. */
  press(key: string): boolean;
}

export function useKeyRest(): KeyRest {
  const guard = useRef(keyGuard(() => performance.now()));
  const [isReady, setReady] = useState(false);
  const timer = useRef(0);
  const wait = (): void => {
    const rest = guard.current.readyIn();
    setReady(rest === 0);
    clearTimeout(timer.current);
    if (rest > 0) timer.current = window.setTimeout(wait, rest);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const shown = (): void => {
    guard.current.screenChanged();
    wait();
  };
  const press = (key: string): boolean => {
    const counts = guard.current.press(key);
    wait();
    return counts;
  };
  return { isReady, shown, press };
}

// Single keys, as in `bearings review`. Held keys do not count, nor what is typed into a field or a dialog.
export function useKeys(keys: KeyMap, decides: { rest: KeyRest; keys: readonly string[] } | null = null): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const counts = decides === null || decides.rest.press(event.key);
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const at = event.target instanceof Element ? event.target : null;
      if (at?.closest('input:not([type="checkbox"]), textarea, select, dialog')) return;
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
