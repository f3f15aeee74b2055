import { useEffect, useRef, useState } from 'preact/hooks';
import { type Got, post, useGet, useWork } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Empty, Problem, SplitView } from '../parts.tsx';
import { type Bundle, BundleShown } from './bundle-shown.tsx';

// Build one here: what an agent sees of this folder for a task.
export function Bundles() {
  const { found: page, problem: unread } = useGet('/api/bundles');
  const [bundle, setBundle] = useState<Bundle | null>(null);
  const { busy, problem, run } = useWork();
  useEffect(() => setBundle(page?.built ?? null), [page]);
  if (!page) return <Problem text={unread} />;
  return (
    <SplitView
      names={['Build', 'Bundle']}
      counter="Task and budget"
      list={(onGo) => (
        <BundleForm
          page={page}
          busy={busy}
          onBuild={(form) => {
            onGo();
            run(async () => setBundle((await post('/api/build', form)) as Bundle));
          }}
        />
      )}
    >
      <Problem text={problem} />
      {bundle ? <BundleShown key={bundle.bundle_sha256} bundle={bundle} /> : <NoBundle />}
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

interface Props {
  page: Got<'/api/bundles'>;
  busy: boolean;
  onBuild: (form: ReturnType<typeof formOf>) => void;
}

const LIMITS = [
  ['max_files', 'Files', '12'],
  ['max_total_chars', 'Characters', '30,000'],
] as const;

function BundleForm({ page: { folder, built }, busy, onBuild }: Props) {
  const first = built?.arguments;
  const task = useRef<HTMLTextAreaElement>(null);
  useKeys({ b: () => task.current?.focus() });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onBuild(formOf(new FormData(event.currentTarget as HTMLFormElement)));
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
            defaultValue={first?.task ?? ''}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <div class="limits">
          {LIMITS.map(([name, label, usual]) => (
            <label key={name}>
              {label}
              <input
                name={name}
                type="number"
                min={1}
                max={1_000_000_000}
                placeholder={usual}
                defaultValue={first?.[name]?.toString() ?? ''}
              />
            </label>
          ))}
        </div>
        <label>
          Policy
          <input
            name="policy"
            list="policies"
            autocomplete="off"
            spellcheck={false}
            placeholder="what the project has"
            defaultValue={first?.policy ?? ''}
          />
          <datalist id="policies">
            <option value="repo" />
            <option value="cortex" />
          </datalist>
        </label>
        <label class="check">
          <input name="tactical" type="checkbox" defaultChecked={first?.tactical ?? false} />
          Notes, log and gaps
        </label>
        <button type="submit" class="main" disabled={busy}>
          {busy ? 'Building…' : 'Build'}
        </button>
      </form>
    </div>
  );
}

function formOf(data: FormData) {
  const text = (name: string): string => String(data.get(name) ?? '').trim();
  const limit = (name: string): number | null => (text(name) === '' ? null : Number(text(name)));
  return {
    task: text('task'),
    policy: text('policy') || null,
    max_files: limit('max_files'),
    max_total_chars: limit('max_total_chars'),
    tactical: data.get('tactical') !== null,
  };
}
