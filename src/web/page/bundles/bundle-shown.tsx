import { useState } from 'preact/hooks';
import type { Slice } from '../../../loader/bundle/partitions.ts';
import { type Got, useGet } from '../api.ts';
import { Beyond, Table, TextBox, Warnings } from '../parts.tsx';
import { counted, dotted, figure } from '../words.ts';

export type Bundle = NonNullable<Got<'/api/bundles'>['built']>;

const MAX_FILES = 300;
const SLICE_NAMES: Record<Slice, string> = {
  control_plane: 'control plane',
  task: 'task',
  tactical: 'tactical',
  adapter: 'adapters',
};
const DROPPED: Record<Bundle['dropped'][number]['reason'], string> = {
  budget_files: 'the files of its slice are used up',
  budget_chars: 'the characters of its slice are used up',
  budget_tokens: 'the tokens of its slice are used up',
  low_value: 'it says too little of the task beside what is in',
  duplicate: 'the same file is in already',
  unsafe: 'not a plain file of this project',
  unreadable: 'could not be read',
};

export function BundleShown({ bundle }: { bundle: Bundle }) {
  const { task, policy, task_key, budget, fallback, bundle_sha256 } = bundle;
  const { files, dropped, dropped_beyond } = bundle;
  const left = dropped.length + dropped_beyond;
  return (
    <article class="item bundle wide">
      <h1>{task === '' ? 'In general' : task}</h1>
      <p class="by">
        {dotted(
          `policy ${policy.name} (${policy.source})`,
          `task key ${task_key}`,
          `${counted(budget.used_files, 'file')}, ${counted(budget.used_chars, 'character')}`,
          fallback.level !== 'none' && `fallback ${fallback.level}`,
        )}{' '}
        · <code>{bundle_sha256.slice(0, 12)}</code>
      </p>
      <BudgetBars slices={budget.partitions} />
      <Warnings lines={bundle.warnings} />
      <h2>{counted(files.length, 'file')} in</h2>
      {files.length === 0 ? <p class="quiet">No file of this folder is one that the policy looks for.</p> : null}
      <ol class="entries">
        {files.slice(0, MAX_FILES).map((file, at) => (
          <BundleFileRow key={file.path} file={file} slice={SLICE_NAMES[file.source_class]} at={at} />
        ))}
      </ol>
      <Beyond left={files.length - MAX_FILES} what="more file" command="bearings load --json" />
      {left > 0 ? (
        <>
          <h2>{figure(left)} left out</h2>
          <Table
            class="left-out"
            rows={dropped.map(({ path, source_class, reason }) => [
              [path, 'path'],
              [SLICE_NAMES[source_class], 'quiet'],
              DROPPED[reason],
            ])}
          />
          {dropped_beyond > 0 ? <p class="quiet">and {figure(dropped_beyond)} more</p> : null}
        </>
      ) : null}
      <p class="quiet">
        Why is another file not in? <code>bearings explain PATH --task "…"</code>
      </p>
    </article>
  );
}

function BudgetBars({ slices }: { slices: Bundle['budget']['partitions'] }) {
  return (
    <table class="budget">
      <caption class="unseen">The budget by slice</caption>
      <thead>
        <tr>
          <th scope="col">slice</th>
          <th scope="col">files</th>
          <th scope="col">characters</th>
          <th scope="col" class="figure">
            left out
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(slices).map(([slice, { used_files, max_files, used_chars, max_chars, dropped }]) => (
          <tr key={slice}>
            <th scope="row">{SLICE_NAMES[slice as Slice]}</th>
            <td>
              <Meter used={used_files} limit={max_files} what="files" />
            </td>
            <td>
              <Meter used={used_chars} limit={max_chars} what="characters" />
            </td>
            <td class="figure">{dropped > 0 ? figure(dropped) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Meter({ used, limit, what }: { used: number; limit: number | null; what: string }) {
  const share = limit === null || limit <= 0 ? (used > 0 ? 1 : 0) : Math.min(1, Math.max(0, used / limit));
  const of = limit === null ? 'no limit' : figure(limit);
  return (
    <div class="meter">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={`${figure(used)} of ${of} ${what}`}>
        <rect class="room" width="100" height="8" />
        <rect class={limit === null ? 'used unlimited' : 'used'} width={(share * 100).toFixed(2)} height="8" />
      </svg>
      <span class="figure" aria-hidden="true">
        {`${figure(used)} / ${of}`}
      </span>
    </div>
  );
}

type File = Bundle['files'][number];

// One line a file: place, slice, name, how much of it, why. Unfolded: each reason, and the text.
function BundleFileRow({ file, slice, at }: { file: File; slice: string; at: number }) {
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
  return (
    <div class="story-of-file">
      <ul class="reasons">
        {found.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <TextBox label={`What the agent sees of ${file.path}`} {...found} />
    </div>
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
