import { useEffect, useState } from 'preact/hooks';
import type { TaskPage } from '../wire.ts';
import { get } from './api.ts';
import { postSigned, registered } from './passkey.ts';
import { seen } from './words.ts';

const WORDS: Record<TaskPage['kind'], string> = {
  register: 'Register it',
  add: 'Register another one',
  sign: 'Confirm with your authenticator',
};

// What a command in the terminal has the person confirm here; then the page is done.
export function Task() {
  const [task, setTask] = useState<TaskPage | null>(null);
  const [problem, setProblem] = useState('');
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  useEffect(() => {
    get<TaskPage>('/api/task').then(setTask, (error: Error) => setProblem(error.message));
  }, []);
  const confirm = async ({ kind, credentials }: TaskPage): Promise<void> => {
    setState('busy');
    setProblem('');
    try {
      const registration = kind === 'sign' ? null : await registered(credentials);
      await postSigned('/api/task', { registration }, credentials);
      setState('done');
    } catch (error) {
      setProblem((error as Error).message);
      setState('open');
    }
  };
  return (
    <main class="entry task">
      <h1>{task?.title ?? 'Bearings'}</h1>
      {task?.lines.map((line) => (
        <p>{seen(line)}</p>
      ))}
      {task?.text ? <pre>{seen(task.text)}</pre> : null}
      {state === 'done' ? (
        <p class="said" role="status">
          Done. The terminal goes on, and this page can be closed.
        </p>
      ) : task ? (
        <button type="button" class="main" disabled={state === 'busy'} onClick={() => void confirm(task)}>
          {WORDS[task.kind]}
        </button>
      ) : null}
      <p class="problem" role="alert">
        {problem}
      </p>
    </main>
  );
}
