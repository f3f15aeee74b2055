import type { Coverage } from './measure.ts';

/** What one selection held over all cases: shares from 0 to 1, characters on the mean. */
export interface Figures extends Coverage {
  /** Cases of which it held any line. */
  hits: number;
}

export function figuresOf(cases: readonly Coverage[]): Figures {
  const mean = (of: (one: Coverage) => number) =>
    cases.reduce((sum, one) => sum + of(one), 0) / Math.max(1, cases.length);
  return {
    files: mean(({ files }) => files),
    lines: mean(({ lines }) => lines),
    precision: mean(({ precision }) => precision),
    f1: mean(({ f1 }) => f1),
    hits: mean(({ lines }) => Number(lines > 0)),
    chars: Math.round(mean(({ chars }) => chars)),
  };
}
