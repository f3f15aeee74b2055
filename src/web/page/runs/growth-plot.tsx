import type { FilePage } from '../../wire.ts';
import { counted, dayOf } from '../words.ts';

const WIDTH = 640;
const HEIGHT = 72;

// The lines that are there today, by when they were decided.
export function GrowthPlot({ points }: { points: FilePage['growth'] }) {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return null;
  const start = Date.parse(first.at);
  const span = Math.max(1, Date.parse(last.at) - start);
  const x = (at: string) => ((Date.parse(at) - start) / span) * WIDTH;
  const y = (lines: number) => HEIGHT - (lines / last.lines) * (HEIGHT - 4);
  const steps = points.map(({ at, lines }, index) =>
    index === 0 ? `M0,${y(lines).toFixed(1)}` : `H${x(at).toFixed(1)}V${y(lines).toFixed(1)}`,
  );
  const line = `${steps.join('')}H${WIDTH}`;
  return (
    <figure class="growth">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Grew to ${counted(last.lines, 'line')} from ${dayOf(first.at)} to ${dayOf(last.at)}`}
      >
        <path class="area" d={`${line}V${HEIGHT}H0Z`} />
        <path class="line" d={line} />
      </svg>
      <figcaption>
        <span>{dayOf(first.at)}</span>
        <span>{counted(last.lines, 'line')} that are there today, by when they were decided</span>
        <span>{dayOf(last.at)}</span>
      </figcaption>
    </figure>
  );
}
