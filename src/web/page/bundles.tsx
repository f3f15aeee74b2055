import { useRef, useState } from 'preact/hooks';
import { type Got, post, useGet, useWork } from './api.ts';
import { useKeys } from './keys.ts';
import { Empty, Problem, SplitView, Table, TextBox, Warnings } from './parts.tsx';
import { counted, dotted, figure } from './words.ts';

type Bundle = NonNullable<Got<'/api/bundles'>['built']>;

// Build one here: what an agent sees of this folder for a task.
export function Bundles() {
  const { found: page, problem: unread, reload } = useGet('/api/bundles');
  const { busy, problem, run } = useWork();
  if (!page) return <Problem text={unread} />;
  const { built, folder } = page;
  const build = (form: object): void => run(() => post('/api/build', form).then(reload));
  return (
    <SplitView
      names={['Build', 'Bundle']}
      counter="Task and budget"
      list={(onGo) => <BundleForm folder={folder} busy={busy} onBuild={build} onGo={onGo} />}
    >
      <Problem text={problem} />
      {built ? <BundleShown key={built.bundle_sha256} bundle={built} /> : <NoBundle />}
    </SplitView>
  );
}

function NoBundle() {
  return (
    <Empty name="Bundles" title="Bundles">
      <p>
        A bundle is what an agent sees of a project for one task: in a fixed order, inside a budget, with the reason for
        every file. Say the task and build one here. In a terminal:
      </p>
      <pre>bearings load --task "review the visual rules" --out bundle.json</pre>
      <p class="quiet">
        Is a saved one still true, or what moved between two? <code>bearings drift</code>
      </p>
    </Empty>
  );
}

const LIMITS = [
  ['max_files', 'Files', '12'],
  ['max_total_chars', 'Characters', '30,000'],
] as const;

interface Props {
  folder: string;
  busy: boolean;
  onBuild: (form: object) => void;
  onGo: () => void;
}

function BundleForm({ folder, busy, onBuild, onGo }: Props) {
  const task = useRef<HTMLTextAreaElement>(null);
  useKeys({ b: () => task.current?.focus() });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const limits = LIMITS.map(([name]) => [name, Number(data.get(name)) || null]);
    onBuild({ task: data.get('task'), ...Object.fromEntries(limits) });
    onGo();
  };
  return (
    <div class="tree bundle-form">
      <form onSubmit={submit}>
        <h2>Build in {folder || 'this folder'}</h2>
        <label>
          Task
          <textarea
            ref={task}
            name="task"
            rows={3}
            placeholder="What is the agent about to do?"
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <div class="limits">
          {LIMITS.map(([name, label, usual]) => (
            <label key={name}>
              {label}
              <input name={name} type="number" min={1} max={1_000_000_000} placeholder={usual} />
            </label>
          ))}
        </div>
        <button type="submit" class="main" disabled={busy}>
          {busy ? 'Building…' : 'Build'}
        </button>
      </form>
    </div>
  );
}

function BundleShown({ bundle }: { bundle: Bundle }) {
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
        {files.map((file, at) => (
          <BundleFileRow key={file.path} file={file} at={at} />
        ))}
      </ol>
      {left > 0 ? (
        <>
          <h2>{figure(left)} left out</h2>
          <Table
            class="left-out"
            rows={dropped.map(({ path, source_class, reason }) => [path, plain(source_class), plain(reason)])}
          />
          {dropped_beyond > 0 ? <p class="quiet">and {figure(dropped_beyond)} more</p> : null}
        </>
      ) : null}
      <p class="quiet">
        Why is a file not in? <code>bearings explain PATH --task "…"</code>
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
            <th scope="row">{plain(slice)}</th>
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
function BundleFileRow({ file, at }: { file: File; at: number }) {
  const [open, setOpen] = useState(false);
  const { rank, source_class, path } = file;
  return (
    <li>
      <button type="button" class="entry-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="figure">{rank}</span>
        <span class={`tag slice ${source_class}`}>{plain(source_class)}</span>
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
  return score ? `match ${score.total.toFixed(2)}: ${score.words.join(', ')}` : selected_by.replaceAll(/[:_]/g, ' ');
}

const plain = (name: string): string => name.replace('_', ' ');
