import { useEffect, useState } from 'preact/hooks';
import type { ServedView } from '../../seen-wire.ts';
import { get } from '../api.ts';
import { TextBox } from '../shown-text.tsx';
import { counted, seen } from '../words.ts';
import { whyWords } from './why-words.ts';

const VIEWS = [
  { name: 'lines', label: 'Line by line' },
  { name: 'exact', label: 'Exact text' },
] as const;

/** A text that an agent was given: each line with where it comes from, or the very text. */
export function ServedText({ sha256, workspace }: { sha256: string; workspace: string | undefined }) {
  const [served, setServed] = useState<ServedView | null>(null);
  const [problem, setProblem] = useState('');
  const [view, setView] = useState<'lines' | 'exact'>('lines');
  useEffect(() => {
    get<ServedView>('/api/served', { sha256, workspace }).then(setServed, (error: Error) => setProblem(error.message));
  }, [sha256]);
  if (problem) return <p class="quiet">{problem}</p>;
  if (!served) return <p class="quiet">…</p>;
  const { exact, masked, parts, left_out } = served;
  return (
    <div class="served-text">
      <div class="section-head">
        <fieldset class="switch">
          <legend class="unseen">View</legend>
          {VIEWS.map(({ name, label }) => (
            <button type="button" key={name} aria-pressed={name === view} onClick={() => setView(name)}>
              {label}
            </button>
          ))}
        </fieldset>
        <code class="quiet">sha256 {sha256.slice(0, 12)}</code>
      </div>
      {masked > 0 ? (
        <p class="quiet">{counted(masked, 'secret')} replaced by its class: this page shows none.</p>
      ) : null}
      {view === 'exact' ? (
        <>
          <TextBox text={exact.text} label="The exact text" />
          {exact.chars > exact.text.length ? (
            <p class="quiet">
              The first {exact.text.length.toLocaleString('en')} of {exact.chars.toLocaleString('en')} characters.
            </p>
          ) : null}
        </>
      ) : (
        parts.map((part) => <Part key={`${part.kind} ${part.file}`} part={part} />)
      )}
      {view === 'lines' && left_out > 0 ? (
        <p class="quiet">and {counted(left_out, 'more line')}: see the exact text</p>
      ) : null}
    </div>
  );
}

const NAMES: Record<string, string> = { 'log.jsonl': 'log', 'vocabulary_gaps.jsonl': 'gaps' };

function Part({ part: { kind, file, lines } }: { part: ServedView['parts'][number] }) {
  const title = kind === 'text' ? 'text' : (NAMES[file] ?? file);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="shown-text passages served-lines" tabIndex={0} aria-label={`Lines of ${seen(title)}`}>
      <table>
        <caption>{seen(title)}</caption>
        <tbody>
          {lines.map(({ text, sources }, at) => (
            <tr key={at}>
              <td class="line">{seen(text) || '\u00a0'}</td>
              <td class="quiet why-line">{text.trim() === '' ? '' : whyWords(sources, file)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
