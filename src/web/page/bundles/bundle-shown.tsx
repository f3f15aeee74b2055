import { useState } from 'preact/hooks';
import type { BundleView, Explained, Which } from '../../bundle-wire.ts';
import { get } from '../api.ts';
import { counted, seen } from '../words.ts';
import { BudgetBars, sliceName } from './budget-bars.tsx';
import { BundleFileRow } from './bundle-file.tsx';

const FIRST_FILES = 300;

const DROPPED: Record<string, string> = {
  budget_files: 'the files of its slice are used up',
  budget_chars: 'the characters of its slice are used up',
  budget_tokens: 'the tokens of its slice are used up',
  duplicate: 'the same file is in already',
  unsafe: 'not a plain file of this project',
  unreadable: 'could not be read',
};

export interface BundleShownProps {
  which: Which;
  bundle: BundleView;
  /** Only for an opened one. */
  onRebuild?: (() => void) | undefined;
}

export function BundleShown({ which, bundle, onRebuild }: BundleShownProps) {
  const [most, setMost] = useState(FIRST_FILES);
  const left = bundle.dropped.length + bundle.dropped_beyond;
  return (
    <article class="item bundle wide">
      <h1>{bundle.task === '' ? 'In general' : seen(bundle.task)}</h1>
      <p class="by">
        policy {seen(bundle.policy.name)} ({seen(bundle.policy.source)}) · task key {seen(bundle.task_key)} ·{' '}
        {counted(bundle.used_files, 'file')}, {counted(bundle.used_chars, 'character')}
        {bundle.fallback === 'none' ? '' : ` · fallback ${seen(bundle.fallback)}`} ·{' '}
        <code>{seen(bundle.bundle_sha256.slice(0, 12))}</code>
      </p>
      {bundle.edited ? (
        <ul class="warnings">
          <li>It was edited: its own hash does not match.</li>
        </ul>
      ) : null}
      {which === 'opened' ? (
        <p>
          <button type="button" disabled={!onRebuild} onClick={onRebuild}>
            Build the same here and see what moved
          </button>
          {bundle.asked_adapters.length > 0 ? (
            <span class="quiet">
              {' '}
              without {seen(bundle.asked_adapters.join(', '))}: the page runs no outside source
            </span>
          ) : null}
        </p>
      ) : null}
      <BudgetBars slices={bundle.slices} />
      {bundle.warnings.length > 0 ? (
        <ul class="warnings">
          {bundle.warnings.map((warning) => (
            <li key={warning}>{seen(warning)}</li>
          ))}
        </ul>
      ) : null}
      <h2>{counted(bundle.files.length, 'file')} in</h2>
      {bundle.files.length === 0 ? <p class="quiet">No file of this folder is one that the policy looks for.</p> : null}
      <ol class="entries">
        {bundle.files.slice(0, most).map((file, at) => (
          <BundleFileRow key={`${at} ${file.path}`} file={file} which={which} at={at} />
        ))}
      </ol>
      {bundle.files.length > most ? (
        <button type="button" onClick={() => setMost(most + FIRST_FILES)}>
          {counted(bundle.files.length - most, 'more file')}
        </button>
      ) : null}
      {left > 0 ? (
        <>
          <h2>{left.toLocaleString('en')} left out</h2>
          <table class="plain-table left-out">
            <tbody>
              {bundle.dropped.map(({ path, source_class, reason }) => (
                <tr key={`${source_class} ${path}`}>
                  <td class="path">{seen(path)}</td>
                  <td class="quiet">{sliceName(source_class)}</td>
                  <td>{Object.hasOwn(DROPPED, reason) ? DROPPED[reason] : seen(reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {bundle.dropped_beyond > 0 ? (
            <p class="quiet">and {bundle.dropped_beyond.toLocaleString('en')} more</p>
          ) : null}
        </>
      ) : null}
      {bundle.adapters.length > 0 ? (
        <>
          <h2>Outside sources</h2>
          <table class="plain-table">
            <tbody>
              {bundle.adapters.map(({ id, status, reason, selected }) => (
                <tr key={id}>
                  <td class="path">{seen(id)}</td>
                  <td>{seen(status)}</td>
                  <td class="quiet">{seen(reason ?? '')}</td>
                  <td class="figure">{counted(selected, 'item')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      ) : null}
      {which === 'built' ? <WhyNot /> : null}
    </article>
  );
}

function WhyNot() {
  const [said, setSaid] = useState<(Explained & { path: string }) | null>(null);
  const [problem, setProblem] = useState('');
  const ask = (event: SubmitEvent): void => {
    event.preventDefault();
    const path = String(new FormData(event.currentTarget as HTMLFormElement).get('path') ?? '');
    setProblem('');
    get<Explained>('/api/explain', { path }).then(
      (found) => setSaid({ path, ...found }),
      (error: Error) => setProblem(error.message),
    );
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
        {problem ? <p class="problem">{problem}</p> : null}
        {said ? (
          <div class="why">
            <p>
              <code>{seen(said.path)}</code> is {said.verdict}
            </p>
            <ul>
              {said.reasons.map((reason) => (
                <li key={reason}>{seen(reason)}</li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
    </>
  );
}
