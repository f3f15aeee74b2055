import { useRef, useState } from 'preact/hooks';
import type { Got } from '../api.ts';
import { useKeys } from '../keys.ts';

interface Props {
  page: Got<'/api/bundles'>;
  /** What is under way. */
  busy: string;
  onBuild: (form: ReturnType<typeof formOf>) => void;
  onOpen: (text: string) => void;
}

const LIMITS = [
  ['max_files', 'Files', '12'],
  ['max_total_chars', 'Characters', '30,000'],
  ['max_chars_per_file', 'Per file', 'auto'],
] as const;

const FALLBACKS = { none: 'keep to the budget', relaxed: 'twice the budget', unrestricted: 'no limits' };

/** Names of things to choose from, the first for none of them. */
const optionsOf = (names: Record<string, string> | readonly string[], none?: string) => [
  none === undefined ? null : <option value="">{none}</option>,
  ...Object.entries(names).map(([name, words]) => (
    <option key={name} value={Array.isArray(names) ? words : name}>
      {words}
    </option>
  )),
];

export function BundleForm({ page: { folder, workspaces, profiles, built }, busy, onBuild, onOpen }: Props) {
  const first = built?.form;
  const task = useRef<HTMLTextAreaElement>(null);
  const [pasted, setPasted] = useState('');
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
        <label>
          For
          <select name="for" defaultValue={first?.for ?? ''}>
            {optionsOf(profiles, 'an agent')}
          </select>
        </label>
        <label>
          If nothing fits
          <select name="fallback" defaultValue={first?.fallback ?? 'none'}>
            {optionsOf(FALLBACKS)}
          </select>
        </label>
        <label class="check">
          <input name="tactical" type="checkbox" defaultChecked={first?.tactical ?? false} />
          Notes, log and gaps of
          <select name="workspace" aria-label="Workspace" defaultValue={first?.workspace ?? ''}>
            {optionsOf(workspaces, 'this folder’s workspace')}
          </select>
        </label>
        <button type="submit" class="main" disabled={busy !== ''}>
          {busy === '/api/build' ? 'Building…' : 'Build'}
        </button>
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (pasted.trim() !== '') onOpen(pasted);
        }}
      >
        <h2>Or open one</h2>
        <label>
          A bundle file
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              const field = event.currentTarget;
              const [file] = field.files ?? [];
              // The same file may be chosen again after it changed.
              void file?.text().then((text) => {
                field.value = '';
                onOpen(text);
              });
            }}
          />
        </label>
        <label>
          Or its JSON
          <textarea
            rows={2}
            spellcheck={false}
            value={pasted}
            placeholder="bearings load --json"
            onInput={(event) => setPasted(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy !== '' || pasted.trim() === ''}>
          {busy === '/api/open' ? 'Opening…' : 'Open'}
        </button>
      </form>
    </div>
  );
}

function formOf(data: FormData) {
  const text = (name: string): string => String(data.get(name) ?? '').trim();
  const limit = (name: string): number | null => (text(name) === '' ? null : Number(text(name)));
  const tactical = data.get('tactical') !== null;
  return {
    task: text('task'),
    policy: text('policy') || null,
    max_files: limit('max_files'),
    max_chars_per_file: limit('max_chars_per_file'),
    max_total_chars: limit('max_total_chars'),
    fallback: text('fallback'),
    tactical,
    workspace: (tactical && text('workspace')) || null,
    for: text('for'),
  };
}
