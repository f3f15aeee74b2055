export interface Semaphore {
  /** How many could come in at once. */
  room(): number;
  within<T>(work: () => Promise<T>): Promise<T>;
}

// So many at a time, in the order they came.
export function semaphore(places: number): Semaphore {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    room: () => places - inside,
    async within(work) {
      if (inside >= places) await new Promise<void>((enter) => waiting.push(enter));
      else inside += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inside -= 1;
      }
    },
  };
}
