// A cancellation. Cheaper than an AbortSignal: a signal is made only for those who ask for one.
export class Stop {
  #stopped = false;
  #listeners: Set<() => void> | null = null;
  #controller: AbortController | null = null;

  get stopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#controller?.abort();
    const listeners = this.#listeners;
    this.#listeners = null;
    for (const listener of listeners ?? []) listener();
  }

  onStop(listener: () => void): void {
    if (this.#stopped) listener();
    else {
      this.#listeners ??= new Set();
      this.#listeners.add(listener);
    }
  }

  off(listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stopped) this.#controller.abort();
    return this.#controller.signal;
  }
}

// Whatever `work` does, a stop ends the wait: nothing depends on a model or a memory that does not listen.
export function unlessStopped<T>(stop: Stop, work: Promise<T>, otherwise: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onStop = (): void => reject(otherwise());
    stop.onStop(onStop);
    work.then(
      (value) => {
        stop.off(onStop);
        resolve(value);
      },
      (error) => {
        stop.off(onStop);
        reject(error);
      },
    );
  });
}
