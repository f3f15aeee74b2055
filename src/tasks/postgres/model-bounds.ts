import { type SlotStore, sharedSlots, type WithSlot } from './model-slots.ts';
import type { Semaphore } from './semaphore.ts';
import type { WorkerStore } from './worker-store.ts';

export interface ModelBounds {
  name: string;
  /** At the same time, over all workers. */
  concurrency: number | null;
  /** Begun per minute, over all workers. */
  perMinute: number | null;
}

const AHEAD = 2;
const AHEAD_OF_PLACES = 1.5;

// Twice what is at work at once, so that a free hand never waits for the next look into the queue; hardly more than a
// model has places, so that little comes before what is more urgent. Where calls are counted by the minute they are
// counted as they are taken, so none is taken that does not begin at once.
export function queueBounds({ concurrency: bound, perMinute }: ModelBounds, own: number) {
  const most = bound ?? Number.POSITIVE_INFINITY;
  if (perMinute === null) return { workerConcurrency: Math.min(own * AHEAD, Math.ceil(most * AHEAD_OF_PLACES)) };
  const rateLimit = { limitPerPeriod: perMinute, periodSec: 60 };
  return { rateLimit, workerConcurrency: Math.min(own, most), ...(bound && { globalConcurrency: bound }) };
}

interface WorkerParts {
  own: WorkerStore;
  hands: Semaphore;
  lost: AbortSignal;
}

// Where nothing is taken ahead, the queue holds the bound by itself.
export function slotsAt(models: readonly ModelBounds[], { own, hands, lost }: WorkerParts): Map<string, WithSlot> {
  const places = new Map<string, WithSlot>();
  for (const { name, concurrency: bound, perMinute } of models) {
    if (bound === null || perMinute !== null) continue;
    const store: SlotStore = {
      take: (most) => own.takePlaces(name, bound, most),
      give: (place) => own.givePlace(name, place),
      room: () => hands.room(),
    };
    places.set(name, sharedSlots(store, lost));
  }
  return places;
}
