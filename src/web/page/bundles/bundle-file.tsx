import { useState } from 'preact/hooks';
import { type Got, useGet } from '../api.ts';
import { Facts, TextBox } from '../parts.tsx';
import { counted, figure } from '../words.ts';

type File = NonNullable<Got<'/api/bundles'>['built']>['files'][number];
type Passages = Got<'/api/explain'>['passages'];

interface Props {
  file: File;
  slice: string;
  which: 'built' | 'opened';
  at: number;
}

// One line a file: place, slice, name, how much of it, why. Unfolded: the whole story and the text.
export function BundleFileRow({ file, slice, which, at }: Props) {
  const [open, setOpen] = useState(false);
  const { rank, source_class, path } = file;
  const Story = which === 'built' ? BuiltStory : FileStory;
  return (
    <li>
      <button type="button" class="entry-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="figure">{rank}</span>
        <span class={`tag slice ${source_class.replaceAll(/[^a-z_]/g, '')}`}>{slice}</span>
        <span class="path">{path}</span>
        <span class="how-much">{howMuch(file)}</span>
        <span class="why-in quiet">{whyIn(file)}</span>
      </button>
      {open ? <Story file={file} which={which} at={at} /> : null}
    </li>
  );
}

type StoryProps = Omit<Props, 'slice'> & { reasons?: readonly string[]; passages?: Passages };

// Of one that was built here it is also known why.
function BuiltStory(props: StoryProps) {
  const { found } = useGet('/api/explain', { path: props.file.path });
  return <FileStory {...props} reasons={found?.reasons ?? []} passages={found?.passages ?? []} />;
}

function FileStory({ file, which, at, reasons = [], passages = [] }: StoryProps) {
  // What is said of a passage is above it.
  const inPlace = new Set(passages.map(({ why }) => why));
  const others = reasons.filter((reason) => !inPlace.has(reason));
  const parts = Object.entries(file.score?.parts ?? {}).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const score = parts.map(([name, value]) => `${name} ${value}`).join(' + ');
  const provenance = Object.entries(file.provenance)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${wordOf(value)}`);
  return (
    <div class="story-of-file">
      {others.length > 0 ? (
        <ul class="reasons">
          {others.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
      <Facts
        all={[
          ['selected by', <code>{file.selected_by}</code>],
          ['score', score && `${file.score?.total.toFixed(2)} = ${score}`],
          ['provenance', provenance.join(' · ')],
          ['size', `${howMuch(file)} · ${counted(file.total_bytes, 'byte')} on disk`],
          ['sha256', <code>{file.sha256}</code>],
        ]}
      />
      <Excerpt label={`What the agent sees of ${file.path}`} which={which} at={at} passages={passages} />
    </div>
  );
}

// What an agent sees of a file, in its place there: the numbers of its lines, what is left out between them, and above each
// passage why it is in.
function Excerpt({ label, passages, ...values }: { label: string; which: string; at: number; passages: Passages }) {
  const { found: excerpt, problem } = useGet('/api/excerpt', values);
  if (!excerpt) return <p class="quiet">{problem || '…'}</p>;
  if (!excerpt.lines) return <TextBox text={excerpt.text} chars={excerpt.chars} label={label} />;
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
                  <td colSpan={2}>{why}</td>
                </tr>
              ),
              <tr key={row} class={number === null ? 'left-out-lines' : ''}>
                <td class="number">{number ?? ''}</td>
                <td class="line">{text}</td>
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
