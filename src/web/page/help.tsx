import { Dialog } from './parts.tsx';

const KEYS = [
  ['a', 'accepts exactly what is shown; adopts a block'],
  ['e', 'edits it; you see the result before you accept'],
  ['d', 'declines it for good, with a reason if you like'],
  ['s', 'leaves it for later'],
  ['A', 'accepts this one and those you were shown and skipped; on a list: all of it'],
  ['x D', 'on a list: accepts all but those you marked; declines all'],
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
        <button type="submit" class="main">
          Close
        </button>
      </form>
    </Dialog>
  );
}
