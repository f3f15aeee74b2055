import { useEffect, useState } from 'preact/hooks';
import type { BundleExcerpt, Explained, Which } from '../../bundle-wire.ts';
import { get } from '../api.ts';
import { ShownText } from '../shown-text.tsx';
import { seen } from '../words.ts';

export interface PassagesProps {
  label: string;
  which: Which;
  at: number;
  passages: Explained['passages'];
}

// What an agent sees of a file, in its place there: the numbers of its lines, what is left out between them, and above each
// passage why it is in.
export function Passages({ label, which, at, passages }: PassagesProps) {
  const [excerpt, setExcerpt] = useState<BundleExcerpt | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get<BundleExcerpt>('/api/excerpt', { which, at }).then(setExcerpt, (error: Error) => setProblem(error.message));
  }, []);
  if (problem) return <p class="quiet">{problem}</p>;
  if (!excerpt) return <p class="quiet">…</p>;
  if (!excerpt.lines) return <ShownText label={label} ask={async () => excerpt} />;
  const firstLines = new Map(passages.map(({ start, why }) => [start, why]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="shown-text passages" tabIndex={0} aria-label={label}>
      <table>
        <tbody>
          {excerpt.lines.flatMap(({ number, text }, row) => {
            const why = number === null ? undefined : firstLines.get(number);
            return [
              why === undefined ? null : (
                <tr key={`why ${number}`} class="why-passage">
                  <td colSpan={2}>{seen(why)}</td>
                </tr>
              ),
              <tr key={row} class={number === null ? 'left-out-lines' : ''}>
                <td class="number">{number ?? ''}</td>
                <td class="line">{seen(text)}</td>
              </tr>,
            ];
          })}
        </tbody>
      </table>
    </section>
  );
}
