import type { StepRow } from '../../run-wire.ts';
import { counted, durationOf } from '../words.ts';

const WIDTH = 640;
const HEIGHT = 64;
const MOST_BARS = 160;

interface Bar {
  /** The largest of those that the bar stands for. */
  row: StepRow;
  value: number;
  inner: number;
}

export interface StepPlotsProps {
  rows: readonly StepRow[];
  onPick: (path: string) => void;
}

// Steps that ask a model, in the order in which they ended: what lies around them only sums them up.
export function StepPlots({ rows, onPick }: StepPlotsProps) {
  const asked = rows.filter(({ type }) => type === 'atomic');
  if (asked.length < 2) return null;
  const timed = asked.filter(({ ms }) => ms !== null);
  const tokens = asked.reduce((sum, { read, written }) => sum + read + written, 0);
  const time = timed.reduce((sum, { ms }) => sum + (ms ?? 0), 0);
  return (
    <div class="plots">
      <Plot
        title={`${counted(tokens, 'token')} in ${counted(asked.length, 'step')}`}
        bars={barsOf(
          asked,
          ({ read, written }) => read + written,
          ({ written }) => written,
        )}
        each={Math.ceil(asked.length / MOST_BARS)}
        word={(value) => counted(value, 'token')}
        onPick={onPick}
      />
      {timed.length > 1 ? (
        <Plot
          title={`${durationOf(time) || '0 ms'} in ${counted(timed.length, 'step')}`}
          bars={barsOf(
            timed,
            ({ ms }) => ms ?? 0,
            () => 0,
          )}
          each={Math.ceil(timed.length / MOST_BARS)}
          word={durationOf}
          onPick={onPick}
        />
      ) : null}
    </div>
  );
}

interface PlotProps {
  title: string;
  bars: readonly Bar[];
  each: number;
  word: (value: number) => string;
  onPick: (path: string) => void;
}

function Plot({ title, bars, each, word, onPick }: PlotProps) {
  const largest = bars.reduce<Bar | null>((most, bar) => (most && most.value >= bar.value ? most : bar), null);
  if (!largest) return null;
  const scale = HEIGHT / Math.max(1, largest.value);
  const step = WIDTH / bars.length;
  const gap = step > 4 ? 1 : 0;
  const draw = (height: (bar: Bar) => number): string =>
    bars
      .map((bar, index) => {
        const tall = height(bar) * scale;
        if (tall <= 0) return '';
        return `M${(index * step).toFixed(2)},${HEIGHT}v${(-Math.max(1, tall)).toFixed(2)}h${(step - gap).toFixed(2)}V${HEIGHT}z`;
      })
      .join('');
  return (
    <figure class="plot">
      <p>{title}</p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}; the largest is ${largest.row.path} with ${word(largest.value)}`}
      >
        <path class="bars" d={draw(({ value }) => value)} />
        <path class="bars written" d={draw(({ inner }) => inner)} />
      </svg>
      <figcaption>
        <span>{each > 1 ? `a bar: the largest of ${each.toLocaleString('en')}` : 'a bar: one step'}</span>
        <button type="button" class="link" onClick={() => onPick(largest.row.path)}>
          most: {word(largest.value)}
        </button>
      </figcaption>
    </figure>
  );
}

function barsOf(rows: readonly StepRow[], value: (row: StepRow) => number, inner: (row: StepRow) => number): Bar[] {
  const each = Math.ceil(rows.length / MOST_BARS);
  const bars: Bar[] = [];
  for (let from = 0; from < rows.length; from += each) {
    const group = rows.slice(from, from + each);
    const [first, ...others] = group;
    if (!first) break;
    const row = others.reduce((most, next) => (value(next) > value(most) ? next : most), first);
    bars.push({ row, value: value(row), inner: inner(row) });
  }
  return bars;
}
