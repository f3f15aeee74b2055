import { useEffect } from 'preact/hooks';

export type KeyMap = Record<string, (() => void) | undefined>;

// Single keys, as in `bearings review`. Held keys do not count, nor what is typed into a field or a dialog.
export function useKeys(keys: KeyMap): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const at = event.target instanceof Element ? event.target : null;
      if (at?.closest('input, textarea, select, dialog')) return;
      if (document.querySelector('dialog[open]')) return;
      const work = keys[event.key];
      if (!work) return;
      event.preventDefault();
      work();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
}
