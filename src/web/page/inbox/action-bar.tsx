import type { Act } from '../../routes/sign.ts';
import type { Item } from '../api.ts';
import { Button, Dialog } from '../parts.tsx';
import type { Said } from './hooks.ts';

export interface ActionButton {
  key: string;
  label: string;
  work: () => void;
  isMain?: true;
  /** It does not count yet. */
  isOff?: boolean;
}

type Deed = 'accept' | 'edit' | 'decline' | 'until' | 'skip';
type Work = Record<Deed, () => void> & { act(action: Act['action']): void };

/** Key, words, and what is done: a deed of the person's, or the action itself. */
type Choice = readonly [key: string, label: string, deed: Deed | Act['action']];

const SKIP: Choice = ['s', 'Skip', 'skip'];
const ACCEPT: Choice = ['a', 'Accept', 'accept'];
const EDIT: Choice = ['e', 'Edit', 'edit'];
const DECLINE: Choice = ['d', 'Decline', 'decline'];
const UNTIL: Choice = ['t', 'Until', 'until'];

const CHOICES: Record<Item['body']['type'], readonly Choice[]> = {
  proposal: [ACCEPT, EDIT, DECLINE, SKIP, UNTIL],
  approve: [ACCEPT, EDIT, DECLINE, SKIP],
  aside: [['r', 'Revive', 'revive'], SKIP],
  clients: [['g', 'I have seen these', 'seen'], SKIP],
  first: [
    ['y', 'Yes, adopt all', 'adopt'],
    ['n', 'Not now', 'skip'],
  ],
  key: [['t', 'Trust it', 'trust'], SKIP],
  fault: [['t', 'Settle it', 'settle'], SKIP],
  merged: [['t', 'Tidy', 'tidy'], SKIP],
  due: [['k', 'Keep', 'accept'], EDIT, ['r', 'Retire', 'retire'], UNTIL, SKIP],
  block: [['a', 'Adopt', 'adopt'], ['t', 'Take out', 'take_out'], SKIP],
};

// The same keys as in `bearings review`. The first is the main one, but a key is not trusted by habit.
export function actionsOf(item: Item | null, work: Work): ActionButton[] {
  if (!item) return [];
  const { body } = item;
  const isStale = body.type === 'proposal' && body.state === 'stale';
  const isClone = body.type === 'fault' && body.kind === 'clone';
  const hasMain = !['key', 'fault'].includes(body.type) && !isStale;
  const choices: readonly Choice[] = isStale
    ? [DECLINE, SKIP]
    : isClone
      ? [['y', 'Yes, it is mine', 'settle'], SKIP]
      : CHOICES[body.type];
  return choices.map(([key, label, deed], at) => ({
    key,
    label,
    work: () => (deed in work ? work[deed as Deed]() : work.act(deed as Act['action'])),
    ...(at === 0 && hasMain ? { isMain: true } : {}),
  }));
}

/** What came of the last key, then all that can be done. */
export function ActionBar({
  said,
  actions,
  busy,
  isReady,
  onUndo,
  onHelp,
}: {
  said: Said | null;
  actions: readonly ActionButton[];
  busy: boolean;
  isReady: boolean;
  onUndo: () => void;
  onHelp: () => void;
}) {
  return (
    <>
      <p class={said?.isProblem ? 'said problem' : 'said'} role={said?.isProblem ? 'alert' : 'status'}>
        {said ? <span>{said.text}</span> : null}
        {said?.undo ? <UndoLink onUndo={onUndo} isReady /> : null}
      </p>
      <div class="bar" role="toolbar" aria-label="Decide" aria-busy={busy || !isReady}>
        {actions.map(({ key, label, work, isMain, isOff }) => (
          <Button
            letter={key}
            aria-keyshortcuts={key}
            class={isMain ? 'main' : ''}
            disabled={busy || isOff}
            onClick={work}
          >
            {label}
          </Button>
        ))}
        <Button letter="?" aria-keyshortcuts="?" class="help" onClick={onHelp}>
          <span class="wide">Help</span>
        </Button>
      </div>
    </>
  );
}

export function UndoLink({ onUndo, isReady }: { onUndo: () => void; isReady: boolean }) {
  return (
    <Button class="link" letter="u" aria-busy={!isReady} onClick={onUndo}>
      undo
    </Button>
  );
}

const KEYS = [
  ['a', 'accepts exactly what is shown; adopts a block'],
  ['e', 'edits it; you see the result before you accept'],
  ['d', 'declines it for good, with a reason if you like'],
  ['s', 'leaves it for later'],
  ['A x D', 'on a list: accepts all of it; all but those you marked; declines all'],
  ['o', 'from a list to one by one, and back'],
  ['j k', 'next and previous, without deciding'],
  ['Page Down', 'scrolls: a long text is accepted once you saw its end'],
  ['k', 'keeps what is due for review; keeps a merge as it is'],
  ['r', 'revives what was set aside; retires what no longer holds'],
  ['t', 'when to review it again; takes a block out; tidies a merge; trusts a key; settles what does not verify'],
  ['v', 'everything else: what you wrote by hand, what is due, set aside or does not verify; and back'],
  ['u', 'undoes the last decision: shows the text as it was before, and asks'],
  ['1 to 6', 'inbox, memory, bundles, sessions, runs, gaps'],
] as const;

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <form method="dialog" class="row-end">
        <Button type="submit" class="main">
          Close
        </Button>
      </form>
    </Dialog>
  );
}
