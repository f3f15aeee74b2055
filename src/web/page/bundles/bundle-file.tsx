import { useEffect, useState } from 'preact/hooks';
import type { BundleFile, Explained, Which } from '../../bundle-wire.ts';
import { get } from '../api.ts';
import { counted, seen } from '../words.ts';
import { sliceName } from './budget-bars.tsx';
import { Passages } from './passages.tsx';

// One line a file: place, slice, name, how much of it, why. Unfolded: the whole story and the text.
export function BundleFileRow({ file, which, at }: { file: BundleFile; which: Which; at: number }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <button type="button" class="entry-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="figure">{file.rank}</span>
        <span class={`tag slice ${file.source_class.replaceAll(/[^a-z_]/g, '')}`}>
          {sliceName(seen(file.source_class))}
        </span>
        <span class="path">{seen(file.path)}</span>
        <span class="how-much">{howMuch(file)}</span>
        <span class="why-in quiet">{seen(whyIn(file))}</span>
      </button>
      {open ? <FileStory file={file} which={which} at={at} /> : null}
    </li>
  );
}

function FileStory({ file, which, at }: { file: BundleFile; which: Which; at: number }) {
  const [{ reasons, passages }, setExplained] = useState<Pick<Explained, 'reasons' | 'passages'>>({
    reasons: [],
    passages: [],
  });
  useEffect(() => {
    if (which === 'built') get<Explained>('/api/explain', { path: file.path }).then(setExplained, () => undefined);
  }, []);
  // What is said of a passage is above it.
  const inPlace = new Set(passages.map(({ why }) => why));
  const others = reasons.filter((reason) => !inPlace.has(reason));
  const parts = Object.entries(file.score?.parts ?? {}).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return (
    <div class="story-of-file">
      {others.length > 0 ? (
        <ul class="reasons">
          {others.map((reason) => (
            <li key={reason}>{seen(reason)}</li>
          ))}
        </ul>
      ) : null}
      <dl>
        <dt>selected by</dt>
        <dd>
          <code>{seen(file.selected_by)}</code>
        </dd>
        {parts.length > 0 ? (
          <>
            <dt>score</dt>
            <dd>
              {file.score?.total.toFixed(2)} = {parts.map(([name, value]) => `${seen(name)} ${value}`).join(' + ')}
            </dd>
          </>
        ) : null}
        <dt>provenance</dt>
        <dd>
          {Object.entries(file.provenance)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => `${seen(name)}: ${seen(wordOf(value))}`)
            .join(' · ')}
        </dd>
        <dt>size</dt>
        <dd>
          {howMuch(file)} · {counted(file.total_bytes, 'byte')} on disk
        </dd>
        <dt>sha256</dt>
        <dd>
          <code>{seen(file.sha256)}</code>
        </dd>
      </dl>
      <Passages label={`What the agent sees of ${seen(file.path)}`} which={which} at={at} passages={passages} />
    </div>
  );
}

function howMuch({ truncated, chars, total_chars, total_bytes }: BundleFile): string {
  const figure = chars.toLocaleString('en');
  if (!truncated) return `${figure} whole`;
  return `${figure} of ${total_chars === null ? `${total_bytes.toLocaleString('en')} bytes` : total_chars.toLocaleString('en')}`;
}

function whyIn({ score, selected_by }: BundleFile): string {
  if (score) return `match ${score.total.toFixed(2)}${score.words.length > 0 ? `: ${score.words.join(', ')}` : ''}`;
  const [kind = '', key = '', ...rest] = selected_by.split(':');
  if (kind === 'task') return `pattern ${rest.join(':')}`;
  if (kind === 'control_plane') return key === 'active_decision' ? 'an active decision' : 'whatever the task';
  return [key, ...rest].join(' ');
}

function wordOf(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
