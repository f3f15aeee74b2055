import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// How much the heap may grow beyond what is alive before it is cleared, in per cent.
const GROWTH = 30;

// For a process that works for days. What a call needs outlives the young part of the heap and is garbage a moment later;
// left alone, the old part takes in some hundred megabytes of it before anyone looks. Cleared once now, so that the
// engine knows what is alive, and from then on whenever a third of that has come on top.
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
