import { useState } from 'preact/hooks';
import { type Got, get, useWork } from '../api.ts';
import { Button, More, Problem, Table, Warnings } from '../parts.tsx';
import { counted, dotted, figure } from '../words.ts';
import { BundleFileRow } from './bundle-file.tsx';

export type Which = 'built' | 'opened';
export type Bundle = NonNullable<Got<'/api/bundles'>['built']>;

const FIRST_FILES = 300;
const SLICES: Record<string, string> = {
  control_plane: 'control plane',
  task: 'task',
  tactical: 'tactical',
  adapter: 'adapters',
};
const DROPPED: Record<string, string> = {
  budget_files: 'the files of its slice are used up',
  budget_chars: 'the characters of its slice are used up',
  budget_tokens: 'the tokens of its slice are used up',
  low_value: 'it says too little of the task beside what is in',
  duplicate: 'the same file is in already',
  unsafe: 'not a plain file of this project',
  unreadable: 'could not be read',
};

const wordOf = (words: Record<string, string>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name;

interface Props {
  which: Which;
  bundle: Bundle;
  /** Only for an opened one. */
  onRebuild?: (() => void) | undefined;
}

export function BundleShown({ which, bundle, onRebuild }: Props) {
  const [shownFiles, setShownFiles] = useState(FIRST_FILES);
  const { task, policy, task_key, budget, fallback, bundle_sha256, form } = bundle;
  const { files, dropped, dropped_beyond, adapters } = bundle;
  const outside = [...form.adapters, form.adapter_file ?? []].flat();
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
      <Warnings lines={bundle.edited ? ['It was edited: its own hash does not match.'] : []} />
      {which === 'opened' ? (
        <p>
          <Button disabled={!onRebuild} onClick={onRebuild}>
            Build the same here and see what moved
          </Button>
          {outside.length > 0 ? (
            <span class="quiet">{` without ${outside.join(', ')}: the page runs no outside source`}</span>
          ) : null}
        </p>
      ) : null}
      <BudgetBars slices={bundle.slices} />
      <Warnings lines={bundle.warnings} />
      <h2>{counted(files.length, 'file')} in</h2>
      {files.length === 0 ? <p class="quiet">No file of this folder is one that the policy looks for.</p> : null}
      <ol class="entries">
        {files.slice(0, shownFiles).map((file, at) => (
          <BundleFileRow
            key={`${at} ${file.path}`}
            file={file}
            slice={wordOf(SLICES, file.source_class)}
            which={which}
            at={at}
          />
        ))}
      </ol>
      <More left={files.length - shownFiles} what="more file" onMore={() => setShownFiles(shownFiles + FIRST_FILES)} />
      {left > 0 ? (
        <>
          <h2>{figure(left)} left out</h2>
          <Table
            class="left-out"
            rows={dropped.map(({ path, source_class, reason }) => [
              [path, 'path'],
              [wordOf(SLICES, source_class), 'quiet'],
              wordOf(DROPPED, reason),
            ])}
          />
          {dropped_beyond > 0 ? <p class="quiet">and {figure(dropped_beyond)} more</p> : null}
        </>
      ) : null}
      {adapters.length > 0 ? (
        <>
          <h2>Outside sources</h2>
          <Table
            rows={adapters.map(({ id, status, reason, selected }) => [
              [id, 'path'],
              status,
              [reason ?? '', 'quiet'],
              [counted(selected, 'item'), 'figure'],
            ])}
          />
        </>
      ) : null}
      {which === 'built' ? <WhyNot /> : null}
    </article>
  );
}

// How full each slice is, in files and in characters.
function BudgetBars({ slices }: { slices: Bundle['slices'] }) {
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
        {slices.map(({ slice, used_files, max_files, used_chars, max_chars, dropped }) => (
          <tr key={slice}>
            <th scope="row">{wordOf(SLICES, slice)}</th>
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

function WhyNot() {
  const [answer, setAnswer] = useState<Got<'/api/explain'> | null>(null);
  const { problem, run } = useWork();
  const ask = (event: SubmitEvent): void => {
    event.preventDefault();
    const path = String(new FormData(event.currentTarget as HTMLFormElement).get('path') ?? '');
    run(async () => setAnswer(await get('/api/explain', { path })));
  };
  return (
    <>
      <h2>Why is a file in or out?</h2>
      <form class="why-form" onSubmit={ask}>
        <input
          name="path"
          aria-label="Path of a file"
          autocomplete="off"
          spellcheck={false}
          placeholder="docs/design.md"
        />
        <button type="submit">Why?</button>
      </form>
      <div role="status">
        <Problem text={problem} />
        {answer ? (
          <div class="why">
            <p>
              <code>{answer.path}</code> is {answer.verdict}
            </p>
            <ul>
              {answer.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
    </>
  );
}
