import { useState } from 'preact/hooks';
import { enter, type Got, useGet, useWork } from './api.ts';
import { Button } from './parts.tsx';
import { postSigned, registered } from './signing.tsx';

export function Compass() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="13" />
      <path d="M20.5 6.5 18 18l-6.5 7.5L14 14z" />
    </svg>
  );
}

// What anybody sees who was not let in: it says how, and decides nothing.
export function Entry({ why, onEntered }: { why: string; onEntered: () => void }) {
  const { busy, problem, run } = useWork();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('code') as HTMLInputElement;
    if (field.value.trim() !== '')
      run(() =>
        enter(field.value)
          .then(onEntered)
          .finally(() => field.select()),
      );
  };
  return (
    <main class="entry">
      <Compass />
      <h1>Bearings</h1>
      <p>
        This is a person’s page. Type the code shown in the terminal where <code>bearings ui</code> runs. Enter gives a
        new one there.
      </p>
      <form onSubmit={submit}>
        <label>
          Code
          <input
            name="code"
            autocomplete="off"
            spellcheck={false}
            autocapitalize="characters"
            placeholder="XXXXX-XXXXX"
          />
        </label>
        <button type="submit" class="main" disabled={busy}>
          Open
        </button>
      </form>
      <p class="problem" role="alert">
        {problem || why}
      </p>
    </main>
  );
}

type TaskPage = Got<'/api/task'>;

const WORDS: Record<TaskPage['kind'], string> = {
  register: 'Register it',
  add: 'Register another one',
  sign: 'Confirm with your authenticator',
};

// What a command in the terminal has the person confirm here; then the page is done.
export function Task() {
  const { found: task, problem: missing } = useGet('/api/task');
  const { busy, problem, run } = useWork();
  const [isDone, setDone] = useState(false);
  const confirm = async ({ kind, credentials }: TaskPage): Promise<void> => {
    const registration = kind === 'sign' ? null : await registered(credentials);
    await postSigned('/api/task', { registration }, credentials);
    setDone(true);
  };
  return (
    <main class="entry task">
      <h1>{task?.title ?? 'Bearings'}</h1>
      {task?.lines.map((line) => (
        <p>{line}</p>
      ))}
      {task?.text ? <pre>{task.text}</pre> : null}
      {isDone ? (
        <p class="said" role="status">
          Done. The terminal goes on, and this page can be closed.
        </p>
      ) : task ? (
        <Button class="main" disabled={busy} onClick={() => run(() => confirm(task))}>
          {WORDS[task.kind]}
        </Button>
      ) : null}
      <p class="problem" role="alert">
        {problem || missing}
      </p>
    </main>
  );
}
