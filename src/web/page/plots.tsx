import type { ComponentChildren } from 'preact';

export const WIDTH = 640;
export const HEIGHT = 64;

interface PlotProps {
  label: string;
  title?: string;
  class?: string;
  /** Said below the picture. */
  below: readonly ComponentChildren[];
}

/** A picture with words around it. */
export function Plot({ label, title, class: name = '', below, children }: PlotProps & { children: ComponentChildren }) {
  return (
    <figure class={`plot ${name}`}>
      {title ? <p>{title}</p> : null}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {children}
      </svg>
      <figcaption>
        {below.map((words) => (
          <span>{words}</span>
        ))}
      </figcaption>
    </figure>
  );
}

interface Bar {
  value: number;
  /** The part of it that is drawn darker. */
  inner: number;
}

/** One bar beside the other, as high as its value. */
export function Bars({ bars, ...rest }: PlotProps & { bars: readonly Bar[] }) {
  const scale = (HEIGHT - 2) / Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / bars.length;
  const gap = step > 4 ? Math.min(2, step / 4) : 0;
  const draw = (height: (bar: Bar) => number): string =>
    bars
      .map((bar, index) => {
        const tall = height(bar) * scale;
        if (tall <= 0) return '';
        return `M${(index * step).toFixed(2)},${HEIGHT}v${(-Math.max(1, tall)).toFixed(2)}h${(step - gap).toFixed(2)}V${HEIGHT}z`;
      })
      .join('');
  return (
    <Plot {...rest}>
      <path class="bars" d={draw(({ value }) => value)} />
      <path class="bars written" d={draw(({ inner }) => inner)} />
    </Plot>
  );
}
