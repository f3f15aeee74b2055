import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';

export type AskPassphrase = () => Promise<string | null>;

// Held in memory for a while, never stored.
const CACHE_MS = 5 * 60_000;

export function usePassphrase(): { ask: AskPassphrase; forget: () => void; dialog: preact.ComponentChild } {
  const [cached, setCached] = useState<{ secret: string; until: number } | null>(null);
  const [waiting, setWaiting] = useState<((secret: string | null) => void) | null>(null);
  const ask: AskPassphrase = () =>
    cached && Date.now() < cached.until
      ? Promise.resolve(cached.secret)
      : new Promise((resolve) => setWaiting(() => resolve));
  const answer = (secret: string | null): void => {
    if (secret !== null) setCached({ secret, until: Date.now() + CACHE_MS });
    waiting?.(secret);
    setWaiting(null);
  };
  const dialog = waiting ? (
    <Dialog title="Your passphrase" onClose={() => answer(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem('secret') as HTMLInputElement;
          if (field.value !== '') answer(field.value);
        }}
      >
        <p class="quiet">Decisions here are signed with a key that only it opens. It is not stored.</p>
        <label>
          Passphrase
          <input name="secret" type="password" autocomplete="off" />
        </label>
        <div class="row-end">
          <button type="button" onClick={() => answer(null)}>
            Cancel
          </button>
          <button type="submit" class="main">
            Go on
          </button>
        </div>
      </form>
    </Dialog>
  ) : null;
  return { ask, forget: () => setCached(null), dialog };
}
