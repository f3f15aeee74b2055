import { useRef } from 'preact/hooks';
import type { Got } from '../api.ts';
import { useKeys } from '../keys.ts';

interface Props {
  page: Got<'/api/bundles'>;
  busy: boolean;
  onBuild: (form: ReturnType<typeof formOf>) => void;
}

const LIMITS = [
  ['max_files', 'Files', '12'],
  ['max_total_chars', 'Characters', '30,000'],
] as const;

export function BundleForm({ page: { folder, built }, busy, onBuild }: Props) {
  const first = built?.form;
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
