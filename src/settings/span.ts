/** What may be said of an operation beside its name: names, sizes and hashes. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  /** False: nobody listens, so nothing needs to be worked out. */
  isOn: boolean;
  set(facts: Facts): void;
  name(name: string): void;
  event(name: string, facts: Facts): void;
  fail(type: string): void;
}

export interface SpanStart {
  name: string;
  /** `internal` where nothing is said. */
  kind?: 'internal' | 'server' | 'client';
  /** Asked for only where somebody listens. */
  facts?: () => Facts;
  /** What came with a request: its trace goes on here. */
  from?: unknown;
}
