import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Acted, Action, Binding, Queue } from '../../wire.ts';
import { get } from '../api.ts';
import { Dialog } from '../dialog.tsx';
import { End } from '../inbox/end.tsx';
import { outcome } from '../inbox/inbox-words.ts';
import type { usePassphrase } from '../inbox/passphrase.tsx';
import { useKeyRest } from '../keys.ts';
import { postSigned } from '../passkey.ts';

export type Secret = ReturnType<typeof usePassphrase>;

// A decision that was asked for: shown whole, then one yes. A key counts after a rest, and once the end was seen.
export function Confirm({
  title,
  yes,
  binding,
  action,
  secret,
  onDone,
  onClose,
  children,
}: {
  title: string;
  yes: string;
  binding: Binding;
  action: Action;
  secret: Secret;
  onDone: (said: string) => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const rest = useKeyRest();
  const [sawEnd, setSawEnd] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const endSeen = useCallback(() => setSawEnd(true), []);
  useEffect(() => rest.shown(), []);
  const decide = async (): Promise<void> => {
    if (busy) return;
    if (!sawEnd) return setProblem('Scroll to its end first: you have not seen all of it.');
    setBusy(true);
    try {
      const { level, credentials } = await get<Queue>('/api/queue', { from: 0, count: 1 });
      const passphrase = level === 'passphrase' ? await secret.ask() : undefined;
      if (passphrase !== null)
        onDone(outcome(await postSigned<Acted>('/api/act', { binding, action, passphrase }, credentials)));
    } catch (error) {
      secret.forget();
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const counts = rest.press(event.key);
      const isTyped = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (event.key === 'y' && counts && !event.repeat && !isTyped) void decide();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="scroll confirm">
        {children}
        <End onSeen={endSeen} />
      </div>
      {problem ? (
        <p class="problem" role="alert">
          {problem}
        </p>
      ) : null}
      <div class="row-end">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <button type="button" class="main" disabled={busy || !rest.isReady} onClick={() => void decide()}>
          {yes}
        </button>
      </div>
    </Dialog>
  );
}
