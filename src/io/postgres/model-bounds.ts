import { type PlaceStore, sharedPlaces, type WithPlace } from './places.ts';
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

// Twice what is at work at once, so that a free hand never waits for the next look into the queue; half as many again as
// a model takes over all workers, who then wait for a place. Where calls are counted by the minute they are counted as
// they are taken, so none is taken that does not begin at once.
export function queueBounds({ concurrency: bound, perMinute }: ModelBounds, own: number) {
  if (perMinute !== null) {
    const rateLimit = { limitPerPeriod: perMinute, periodSec: 60 };
    return { rateLimit, workerConcurrency: Math.min(own, bound ?? own), ...(bound && { globalConcurrency: bound }) };
  }
  if (bound === null) return { workerConcurrency: own * AHEAD };
  const globalConcurrency = Math.ceil(bound * AHEAD_OF_PLACES);
  return { globalConcurrency, workerConcurrency: Math.min(own * AHEAD, globalConcurrency) };
}

// Where nothing is taken ahead, the queue holds the bound by itself.
export function placesAt(models: readonly ModelBounds[], own: WorkerStore, lost: AbortSignal): Map<string, WithPlace> {
  const places = new Map<string, WithPlace>();
  for (const { name, concurrency: bound, perMinute } of models) {
    if (bound === null || perMinute !== null) continue;
    const store: PlaceStore = {
      take: (most) => own.takePlaces(name, bound, most),
      give: (numbers) => own.givePlaces(name, numbers),
    };
    places.set(name, sharedPlaces(store, lost));
  }
  return places;
}
