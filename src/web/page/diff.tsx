import type { DiffLine } from '../../gate/proposals/proposal-diff.ts';
import { seen } from './words.ts';

const NAMES = { '+': 'added', '-': 'removed', ' ': 'unchanged' } as const;

export function Diff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard
    <section class="diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {lines.map(({ mark, number, text }) => (
            <tr class={NAMES[mark]}>
              <td class="number">{number ?? ''}</td>
              <td class="mark">
                <span aria-hidden="true">{mark}</span>
                <span class="unseen">{mark === ' ' ? '' : NAMES[mark]}</span>
              </td>
              <td class="line">{seen(text) || '\u00a0'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The same change with other words in it. */
export function withText(diff: readonly DiffLine[], text: string): DiffLine[] {
  const at = diff.findIndex(({ mark }) => mark === '+');
  const first = diff[at]?.number ?? null;
  const added = text.split('\n').map((line, index) => ({
    mark: '+' as const,
    number: first === null ? null : first + index,
    text: line,
  }));
  const around = diff.filter(({ mark }) => mark !== '+');
  return [...around.slice(0, at), ...added, ...around.slice(at)];
}
