import type { Act } from '../../routes/act.ts';
import type { Item } from '../api.ts';
import { Button } from '../parts.tsx';
import type { Said } from './hooks.ts';

export interface ActionButton {
  key: string;
  label: string;
  work: () => void;
  isMain?: true;
  /** It does not count yet. */
  isOff?: boolean;
}

type Deed = 'accept' | 'edit' | 'decline' | 'until' | 'skip' | 'all';
type Work = Record<Deed, () => void> & { act(action: Act['action']): void };

/** Key, words, and what is done: of the person's own deeds by name, of others as the action. */
type Choice = readonly [key: string, label: string, deed: Deed | { act: Act['action'] }];

const SKIP: Choice = ['s', 'Skip', 'skip'];
const ACCEPT: Choice = ['a', 'Accept', 'accept'];
const EDIT: Choice = ['e', 'Edit', 'edit'];
const DECLINE: Choice = ['d', 'Decline', 'decline'];
const UNTIL: Choice = ['t', 'Until', 'until'];
const ALL: Choice = ['A', 'All shown', 'all'];

// The same keys as in `bearings review`. The first is the main one, but a key is not trusted by habit.
function choicesOf({ body }: Item): readonly Choice[] {
  switch (body.type) {
    case 'proposal':
      return body.state === 'stale' ? [DECLINE, SKIP] : [ACCEPT, EDIT, DECLINE, SKIP, UNTIL, ALL];
    case 'approve':
      return [ACCEPT, EDIT, DECLINE, SKIP];
    case 'aside':
      return [['r', 'Revive', { act: 'revive' }], SKIP];
    case 'clients':
      return [['g', 'I have seen these', { act: 'seen' }], SKIP];
    case 'first':
      return [
        ['y', 'Yes, adopt all', { act: 'adopt' }],
        ['n', 'Not now', 'skip'],
      ];
    case 'key':
      return [['t', 'Trust it', { act: 'trust' }], SKIP];
    case 'fault':
      return [
        body.is_clone ? ['y', 'Yes, it is mine', { act: 'settle' }] : ['t', 'Settle it', { act: 'settle' }],
        SKIP,
      ];
    case 'merged':
      return [['t', 'Tidy', { act: 'tidy' }], ['k', 'Keep as it is', { act: 'keep' }], SKIP];
    case 'due':
      return [['k', 'Keep', 'accept'], EDIT, ['r', 'Retire', { act: 'retire' }], UNTIL, SKIP];
    case 'block':
      return [['a', 'Adopt', { act: 'adopt' }], ['t', 'Take out', { act: 'take_out' }], SKIP, ALL];
  }
}

export function actionsOf(item: Item | null, work: Work): ActionButton[] {
  if (!item) return [];
  const { type } = item.body;
  const isStale = item.body.type === 'proposal' && item.body.state === 'stale';
  const hasMain = type !== 'key' && type !== 'fault' && !isStale;
  return choicesOf(item).map(([key, label, deed], at) => ({
    key,
    label,
    work: () => (typeof deed === 'string' ? work[deed]() : work.act(deed.act)),
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
  /** Every key counts. */
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
