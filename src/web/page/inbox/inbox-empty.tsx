import type { Queue } from '../../wire.ts';
import { ageOf, counted, seen } from '../words.ts';

const DONE: Record<string, string> = {
  accept: 'accepted',
  decline: 'declined',
  adopt: 'adopted',
  remove: 'took out',
  tidy: 'tidied',
};

export function InboxEmpty({
  queue: { last, workspaces, counts },
  said,
  onUndo,
  isReady,
  onAside,
}: {
  queue: Queue;
  said: string | null;
  onUndo: (() => void) | null;
  /** Every key counts. */
  isReady: boolean;
  onAside: () => void;
}) {
  return (
    <section class="empty" aria-label="Inbox">
      <h1>Nothing waits for you</h1>
      {said ? (
        <p class="said" role="status">
          {seen(said)}
          {onUndo ? (
            <button type="button" class="link" aria-busy={!isReady} onClick={onUndo}>
              undo <kbd>u</kbd>
            </button>
          ) : null}
        </p>
      ) : null}
      <p>
        When an agent learns something, it proposes it, and it shows here: who says it, why, and exactly what would be
        written where. Nothing enters memory without your yes.
      </p>
      {workspaces === 0 ? (
        <p>
          Make your first workspace in a terminal: <code>bearings init NAME</code>
        </p>
      ) : (
        <p>
          Try it yourself: <code>bearings propose notes ID --content "…"</code>
        </p>
      )}
      {counts.aside > 0 ? (
        <p>
          <button type="button" class="link" onClick={onAside}>
            Look at {counted(counts.aside, 'proposal')} set aside undecided
          </button>
        </p>
      ) : null}
      {last ? (
        <p class="quiet">
          Last: {DONE[last.decision] ?? last.decision} {seen(last.file ?? '')}{' '}
          {last.ledger === 'tastes' ? 'in tastes' : `of ${seen(last.ledger)}`}, {ageOf(last.at)}
        </p>
      ) : null}
    </section>
  );
}
