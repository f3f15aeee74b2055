import type { Item, Queue, QueueRow } from '../../wire.ts';
import { seen } from '../words.ts';
import { placeIn, titleOf } from './inbox-words.ts';

interface Props {
  queue: Queue;
  at: number;
  item: Item | null;
  /** The list that is shown in place of one item. */
  list: { total: number } | null;
  group: QueueRow['group'];
  isOpen: boolean;
  onToggle(): void;
}

/** Where the person is in what waits; on a narrow screen it opens the list. */
export function Counter({ queue, at, item, list, group, isOpen, onToggle }: Props) {
  return (
    <p class="counter">
      <button type="button" class="list-toggle" aria-expanded={isOpen} onClick={onToggle}>
        {placeIn(queue.total, at, list ? group : null)}
      </button>
      {queue.minutes > 0 ? <span class="quiet"> about {queue.minutes} min</span> : null}
      <span class="unseen" role="status">
        {item
          ? `${at + 1} of ${queue.total}: ${seen(titleOf(item))}`
          : list
            ? `${list.total} proposals on one list`
            : ''}
      </span>
    </p>
  );
}
