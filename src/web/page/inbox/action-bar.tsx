import type { Act } from '../../routes/sign.ts';
import type { Asked, Item } from '../api.ts';
import { Button, Dialog } from '../parts.tsx';
import { labelOf } from '../words.ts';

/** What came of the last key. */
export interface Said {
  text: string;
  isProblem: boolean;
  undo: Asked | null;
}

interface ActionButton {
  key: string;
  label: string;
  work: () => void;
  isMain?: boolean;
  /** Why it does not count yet. */
  off?: string;
}

type Work = Record<'accept' | 'edit' | 'decline' | 'until' | 'skip' | 'oneByOne', () => void> & {
  act(action: Act['action']): void;
  toList: (() => void) | null;
};

/** Key, words, what is done, and why it does not count yet. */
type ShownChoice = readonly [key: string, label: string, deed: string, off?: string];

const SKIP: ShownChoice = ['s', 'Skip', 'skip'];
const DECLINE: ShownChoice = ['d', 'Decline', 'decline'];

function choicesOf({ body }: Item, leftOut: number, sawEnd: boolean): readonly ShownChoice[] {
  if (body.type === 'proposal' && body.state === 'stale') return [DECLINE, SKIP];
  if (body.type === 'proposal')
    return [['a', 'Accept', 'accept'], ['e', 'Edit', 'edit'], DECLINE, SKIP, ['t', 'Until', 'until']];
  if (body.type !== 'list') return body.choices.map(([key, label, , act]) => [key, labelOf(label), act]);
  const all = body.lines.length;
  const scroll = sawEnd ? '' : 'Scroll to the end of the list first (Page Down): you have not seen all of it.';
  const marked = leftOut > 0 ? 'Some are marked: x accepts the others, or remove the marks.' : '';
  const unmarked = leftOut === 0 || leftOut === all ? 'Mark what to leave out first, and not all of it.' : '';
  return [
    ['A', `Accept all ${all}`, 'accept', scroll || marked],
    ['x', leftOut > 0 ? `All but ${leftOut}` : 'All but marked', 'accept', scroll || unmarked],
    ['D', 'Decline all', 'decline', scroll || marked],
    ['o', 'One by one', 'oneByOne'],
    SKIP,
  ];
}

// The same keys as in `bearings review`. The first is the main one, but a key is not trusted by habit.
export function actionsOf(item: Item | null, leftOut: number, sawEnd: boolean, work: Work): ActionButton[] {
  if (!item) return [];
  const { body } = item;
  const hasMain = !['key', 'fault'].includes(body.type) && !(body.type === 'proposal' && body.state === 'stale');
  const actions = choicesOf(item, leftOut, sawEnd).map(([key, label, deed, off = ''], at) => ({
    ...{ key, label, off, isMain: at === 0 && hasMain },
    work: () => (deed in work ? work[deed as 'accept']() : work.act(deed as Act['action'])),
  }));
  return work.toList ? [...actions, { key: 'o', label: 'On one list', work: work.toList }] : actions;
}

interface Saying {
  said: Said | null;
  isReady: boolean;
  onUndo: () => void;
}

/** What came of the last key. */
export function SaidLine({ said, isReady, onUndo }: Saying) {
  return (
    <p class={said?.isProblem ? 'said problem' : 'said'} role={said?.isProblem ? 'alert' : 'status'}>
      {said ? <span>{said.text}</span> : null}
      {said?.undo ? (
        <Button class="link" letter="u" aria-busy={!isReady} onClick={onUndo}>
          undo
        </Button>
      ) : null}
    </p>
  );
}

interface BarProps extends Saying {
  actions: readonly ActionButton[];
  busy: boolean;
  onHelp: () => void;
}

/** What came of the last key, then all that can be done. */
export function ActionBar({ said, actions, busy, isReady, onUndo, onHelp }: BarProps) {
  return (
    <>
      <SaidLine {...{ said, onUndo }} isReady />
      <div class="bar" role="toolbar" aria-label="Decide" aria-busy={busy || !isReady}>
        {actions.map(({ key, label, work, isMain, off }) => (
          <Button
            letter={key}
            aria-keyshortcuts={key}
            class={isMain ? 'main' : ''}
            disabled={busy || Boolean(off)}
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

// Those that stand on no button, or on many.
const KEYS = [
  ['j k', 'next and previous, without deciding'],
  ['Page Down', 'scrolls: a long text is accepted once you saw its end'],
  ['e', 'edits it; you see the result before you accept'],
  ['d', 'declines it for good, with a reason if you like'],
  ['t', 'when to review it again; on other things what its button says'],
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
