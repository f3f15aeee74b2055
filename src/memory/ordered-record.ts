const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

// JavaScript lists whole-number keys first, whatever their place. A genre called "10" declared before "2" must stay
// first, also after JSON.stringify, so such records answer through a proxy that keeps the order they were given.
export function orderedRecord<T>(entries: ReadonlyArray<readonly [string, T]>): Record<string, T> {
  const record: Record<string, T> = {};
  // defineProperty, because assigning to "__proto__" would set the prototype instead of a key.
  for (const [key, value] of entries) {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  }
  const order = entries.map(([key]) => key);
  if (!order.some((key) => ARRAY_INDEX.test(key))) return record;
  return new Proxy(record, { ownKeys: () => order });
}
