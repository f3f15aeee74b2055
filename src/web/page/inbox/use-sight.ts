import { useCallback, useRef, useState } from 'preact/hooks';
import { useKeyRest } from '../keys.ts';

// What was pressed before a new thing could be read was not meant for it.
const SETTLE_MS = 300;

/** What the person has had time to see: a yes counts once the end of what it is about was on the screen. */
export function useSight() {
  const rest = useKeyRest();
  const shownAt = useRef(0);
  const [sawEnd, setSawEnd] = useState(false);
  const [showing, setShowing] = useState(0);
  const endSeen = useCallback(() => setSawEnd(true), []);
  return {
    rest,
    sawEnd,
    endSeen,
    /** Changes with everything that is shown. */
    showing,
    isSettled: () => performance.now() - shownAt.current >= SETTLE_MS,
    shown: (): void => {
      shownAt.current = performance.now();
      setSawEnd(false);
      setShowing((count) => count + 1);
      rest.shown();
    },
  };
}
