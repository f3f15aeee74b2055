import { useState } from 'preact/hooks';
import { type Got, useGet } from '../api.ts';
import { Facts, TextBox } from '../parts.tsx';
import { counted, figure } from '../words.ts';

type File = NonNullable<Got<'/api/bundles'>['built']>['files'][number];

// One line a file: place, slice, name, how much of it, why. Unfolded: the whole story and the text.
export function BundleFileRow({ file, slice, at }: { file: File; slice: string; at: number }) {
  const [open, setOpen] = useState(false);
  const { rank, source_class, path } = file;
  return (
    <li>
      <button type="button" class="entry-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="figure">{rank}</span>
        <span class={`tag slice ${source_class}`}>{slice}</span>
        <span class="path">{path}</span>
        <span class="how-much">{howMuch(file)}</span>
        <span class="why-in quiet">{whyIn(file)}</span>
      </button>
      {open ? <FileStory file={file} at={at} /> : null}
    </li>
  );
}

function FileStory({ file, at }: { file: File; at: number }) {
  const { found, problem } = useGet('/api/bundle-file', { at });
  if (!found) return <p class="quiet">{problem || '…'}</p>;
  // What is said of a passage is above it.
  const inPlace = new Set(found.passages.map(({ why }) => why));
  const reasons = found.reasons.filter((reason) => !inPlace.has(reason));
  const parts = Object.entries(file.score?.parts ?? {}).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const score = parts.map(([name, value]) => `${name} ${value}`).join(' + ');
  const provenance = Object.entries(file.provenance)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${wordOf(value)}`);
  return (
    <div class="story-of-file">
      <ul class="reasons">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <Facts
        all={[
          ['selected by', <code>{file.selected_by}</code>],
          ['score', score && `${file.score?.total.toFixed(2)} = ${score}`],
          ['provenance', provenance.join(' · ')],
          ['size', `${howMuch(file)} · ${counted(file.total_bytes, 'byte')} on disk`],
          ['sha256', <code>{file.sha256}</code>],
        ]}
      />
      <Excerpt label={`What the agent sees of ${file.path}`} {...found} />
    </div>
  );
}

// What an agent sees of a file, in its place there: the numbers of its lines, what is left out between them, and above each
// passage why it is in.
function Excerpt({ label, text, chars, lines, passages }: Got<'/api/bundle-file'> & { label: string }) {
  if (!lines) return <TextBox text={text} chars={chars} label={label} />;
  const firstLines = new Map(passages.map(({ start, why }) => [start, why]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="shown-text passages" tabIndex={0} aria-label={label}>
      <table>
        <tbody>
          {lines.flatMap(({ number, text: line }, row) => {
            const why = number === null ? undefined : firstLines.get(number);
            return [
              why === undefined ? null : (
                <tr key={`why ${number}`} class="why-passage">
                  <td colSpan={2}>{why}</td>
                </tr>
              ),
              <tr key={row} class={number === null ? 'left-out-lines' : ''}>
                <td class="number">{number ?? ''}</td>
                <td class="line">{line}</td>
              </tr>,
            ];
          })}
        </tbody>
      </table>
    </section>
  );
}

function howMuch({ truncated, chars, total_chars, total_bytes }: File): string {
  if (!truncated) return `${figure(chars)} whole`;
  return `${figure(chars)} of ${total_chars === null ? `${figure(total_bytes)} bytes` : figure(total_chars)}`;
}

function whyIn({ score, selected_by }: File): string {
  if (score && score.words.length === 0) return `it belongs to files that fit the task (${score.total.toFixed(2)})`;
  if (score) return `it speaks of ${score.words.join(', ')} (${score.total.toFixed(2)})`;
  const [kind = '', key = '', ...rest] = selected_by.split(':');
  if (kind === 'task') return `the policy names ${rest.join(':')} for such tasks`;
  if (kind === 'control_plane') return key === 'active_decision' ? 'it is an active decision' : 'every task gets it';
  return [key, ...rest].join(' ');
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
