import type { Action, Item } from '../../wire.ts';

export interface ActionButton {
  key: string;
  label: string;
  work: () => void;
  isMain?: true;
  /** It does not count yet. */
  isOff?: boolean;
}

interface Hands {
  accept(): void;
  edit(): void;
  decline(): void;
  until(): void;
  skip(): void;
  all(): void;
  act(action: Action): void;
}

// The same keys as in `bearings review`.
export function actionsOf(item: Item | null, hands: Hands): ActionButton[] {
  if (!item) return [];
  const skip = { key: 's', label: 'Skip', work: hands.skip };
  const all = { key: 'A', label: 'All shown', work: hands.all };
  const button = (key: string, label: string, action: Action): ActionButton => ({
    key,
    label,
    work: () => hands.act(action),
  });
  switch (item.body.type) {
    case 'proposal': {
      const decline = { key: 'd', label: 'Decline', work: hands.decline };
      if (item.body.state === 'stale') return [decline, skip];
      return [
        { key: 'a', label: 'Accept', work: hands.accept, isMain: true },
        { key: 'e', label: 'Edit', work: hands.edit },
        decline,
        skip,
        { key: 't', label: 'Until', work: hands.until },
        all,
      ];
    }
    case 'approve':
      return [
        { key: 'a', label: 'Accept', work: hands.accept, isMain: true },
        { key: 'e', label: 'Edit', work: hands.edit },
        { key: 'd', label: 'Decline', work: hands.decline },
        skip,
      ];
    case 'aside':
      return [{ ...button('r', 'Revive', 'revive'), isMain: true }, skip];
    case 'clients':
      return [{ ...button('g', 'I have seen these', 'seen'), isMain: true }, skip];
    case 'first':
      return [
        { ...button('y', 'Yes, adopt all', 'adopt'), isMain: true },
        { ...skip, key: 'n', label: 'Not now' },
      ];
    case 'key':
      return [button('t', 'Trust it', 'trust'), skip];
    case 'merged':
      return [{ ...button('t', 'Tidy', 'tidy'), isMain: true }, button('k', 'Keep as it is', 'keep'), skip];
    case 'due':
      return [
        { key: 'k', label: 'Keep', work: hands.accept, isMain: true },
        { key: 'e', label: 'Edit', work: hands.edit },
        button('r', 'Retire', 'retire'),
        { key: 't', label: 'Until', work: hands.until },
        skip,
      ];
    case 'block':
      return [{ ...button('a', 'Adopt', 'adopt'), isMain: true }, button('t', 'Take out', 'take_out'), skip, all];
  }
}

export function ActionBar({
  actions,
  busy,
  isReady,
  onHelp,
}: {
  actions: readonly ActionButton[];
  busy: boolean;
  /** Every key counts. */
  isReady: boolean;
  onHelp: () => void;
}) {
  return (
    <div class="bar" role="toolbar" aria-label="Decide" aria-busy={!isReady}>
      {actions.map(({ key, label, work, isMain, isOff }) => (
        <button
          type="button"
          class={isMain ? 'main' : undefined}
          disabled={busy || isOff}
          aria-keyshortcuts={key}
          onClick={work}
        >
          {label} <kbd>{key}</kbd>
        </button>
      ))}
      <button type="button" class="help" aria-keyshortcuts="?" onClick={onHelp}>
        <span class="wide">Help</span> <kbd>?</kbd>
      </button>
    </div>
  );
}
