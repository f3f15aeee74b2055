import type { ListedLine } from '../../list-wire.ts';
import { seen } from '../words.ts';

/** A proposal on a list: its whole text, why it matters, and below it those that say nearly the same. */
export function ListedLineView({
  line: { own, target, why, repeats },
  number,
  isLeftOut,
  onLeaveOut,
}: {
  line: ListedLine;
  number: number;
  isLeftOut: boolean;
  onLeaveOut: (isLeftOut: boolean) => void;
}) {
  return (
    <li class={isLeftOut ? 'listed left-out' : 'listed'}>
      <p class="listed-head">
        <span class="number" aria-hidden="true">
          {number}
        </span>
        <span>
          {seen(target)} · {seen(why)}
          {own.until === null ? '' : ` · to review again on ${seen(own.until)}`}
        </span>
      </p>
      <pre class="listed-text">{seen(own.content)}</pre>
      {repeats.map((repeat) => (
        <div class="repeat">
          <p class="quiet">Nearly the same, declined when you accept this one:</p>
          <pre class="listed-text">{seen(repeat.content)}</pre>
        </div>
      ))}
      <label class="leave-out">
        <input type="checkbox" checked={isLeftOut} onChange={(event) => onLeaveOut(event.currentTarget.checked)} />
        Leave out <span class="unseen">number {number}</span>
      </label>
    </li>
  );
}
