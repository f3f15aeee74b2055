// A namespace's code is loaded at its first call, as a whole: an agent's first turn waits for nothing but reading.
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}
