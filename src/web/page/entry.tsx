import { useState } from 'preact/hooks';
import { enter } from './api.ts';

// What anybody sees who was not let in: it says how, and decides nothing.
export function Entry({ why, onEntered }: { why: string; onEntered: () => void }) {
  const [problem, setProblem] = useState(why);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('code') as HTMLInputElement;
    if (field.value.trim() === '') return;
    setBusy(true);
    try {
      await enter(field.value);
      onEntered();
    } catch (error) {
      setProblem((error as Error).message);
      field.select();
    }
    setBusy(false);
  };
  return (
    <main class="entry">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <circle cx="16" cy="16" r="13" />
        <path d="M20.5 6.5 18 18l-6.5 7.5L14 14z" />
      </svg>
      <h1>Bearings</h1>
      <p>
        This is a person’s page. Type the code shown in the terminal where <code>bearings ui</code> runs. Enter gives a
        new one there.
      </p>
      <form onSubmit={(event) => void submit(event)}>
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
        {problem}
      </p>
    </main>
  );
}
