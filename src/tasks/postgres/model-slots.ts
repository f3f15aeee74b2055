import { setTimeout as pause } from 'node:timers/promises';

/** A place at a model: whoever has one may make one call. */
interface Slot {
  number: number;
  /** When this worker got it, by its own clock. */
  since: number;
}

export interface SlotStore {
  take(most: number): Promise<number[]>;
  give(place: number): Promise<void>;
  /** How many calls this worker could begin now: no place is taken for one that can't. */
  room(): number;
}

const FIRST_AGAIN_MS = 20;
const LATEST_AGAIN_MS = 100;
// The next call is about to ask: giving a place back and taking it again would cost more than the wait.
const LINGER_MS = 10;
// Then others get a chance, so that no worker keeps all places for itself.
const TURN_MS = 1_000;

/** Works at a place of one model, of which there are as many over all workers as the model allows. */
export type WithSlot = <T>(work: () => Promise<T>) => Promise<T>;

// Taken from the database, passed on from call to call for a while, and given back.
export function sharedSlots(store: SlotStore, lost: AbortSignal): WithSlot {
  const waiting: ((place: Slot) => void)[] = [];
  let free: Slot[] = [];
  let isAsking = false;

  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    for (let againMs = FIRST_AGAIN_MS; waiting.length > 0 && !lost.aborted; ) {
      const most = Math.min(waiting.length, store.room());
      const taken = most > 0 ? await store.take(most).catch(() => []) : [];
      const since = performance.now();
      for (const number of taken) passOn({ number, since });
      againMs = taken.length === most ? FIRST_AGAIN_MS : Math.min(LATEST_AGAIN_MS, againMs * 1.5);
      if (waiting.length > 0) await pause(againMs);
    }
    isAsking = false;
  };
  const passOn = (place: Slot): void => {
    const next = waiting.shift();
    if (next) next(place);
    else linger(place);
  };
  const linger = (place: Slot): void => {
    free.push(place);
    setTimeout(() => {
      if (!free.includes(place)) return;
      free = free.filter((other) => other !== place);
      void giveBack(place);
    }, LINGER_MS);
  };
  const giveBack = ({ number }: Slot): Promise<void> => store.give(number).catch(() => {});
  const enter = async (): Promise<Slot> => {
    const place = free.pop();
    if (place) return place;
    return new Promise((resolve) => {
      waiting.push(resolve);
      void ask();
    });
  };
  const leave = (place: Slot): void => {
    if (performance.now() - place.since > TURN_MS) void giveBack(place);
    else passOn(place);
  };

  return async (work) => {
    const place = await enter();
    try {
      return await work();
    } finally {
      leave(place);
    }
  };
}
