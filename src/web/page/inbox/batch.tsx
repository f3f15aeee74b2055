import type { Item } from '../../wire.ts';
import { Dialog } from '../dialog.tsx';
import { seen } from '../words.ts';
import { titleOf } from './inbox-words.ts';

export function Batch({ items, onYes, onNo }: { items: readonly Item[]; onYes: () => void; onNo: () => void }) {
  return (
    <Dialog title={`Accept all ${items.length} that you were shown?`} onClose={onNo}>
      <ul class="batch">
        {items.map((each) => (
          <li>
            <span class="where">{'target' in each.body ? seen(each.body.target) : ''}</span>
            <span>{seen(titleOf(each))}</span>
          </li>
        ))}
      </ul>
      <div class="row-end">
        <button type="button" onClick={onNo}>
          No, go back
        </button>
        <button type="button" class="main" onClick={onYes}>
          Yes, all of them
        </button>
      </div>
    </Dialog>
  );
}
