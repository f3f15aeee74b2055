import type { ComponentChildren, RefObject } from 'preact';
import type { Item } from '../../wire.ts';
import { Decline, Editor, Until } from '../editor.tsx';
import { ActionBar, type ActionButton } from './action-bar.tsx';
import { End } from './end.tsx';
import { contentOf, isEditable } from './inbox-words.ts';
import { ItemView } from './item-view.tsx';

interface Answers {
  onEnd(): void;
  onEdited(text: string): void;
  onUntil(text: string): void;
  onDecline(reason: string): void;
  onBack(): void;
  onHelp(): void;
}

/** One thing, what the person types about it, and the keys. */
export function SingleView({
  item,
  gone,
  edited,
  until,
  showing,
  mode,
  box,
  counter,
  said,
  actions,
  busy,
  isReady,
  answers,
}: {
  item: Item | null;
  /** It was decided elsewhere. */
  gone: boolean;
  edited: string | null;
  until: string | null;
  /** Changes when its end has to be seen again. */
  showing: number;
  mode: string;
  box: RefObject<HTMLDivElement>;
  counter: ComponentChildren;
  said: ComponentChildren;
  actions: readonly ActionButton[];
  busy: boolean;
  isReady: boolean;
  answers: Answers;
}) {
  return (
    <section class="one" aria-label="To decide">
      <div class="scroll" ref={box}>
        {counter}
        {item ? <ItemView item={item} edited={edited} until={until} /> : null}
        {item ? <End key={showing} onSeen={answers.onEnd} /> : null}
        {gone ? (
          <article class="item">
            <h1>This no longer waits</h1>
            <p>It was decided elsewhere, or taken back. Go on with the next one: j.</p>
          </article>
        ) : null}
        {mode === 'edit' && isEditable(item) ? (
          <Editor text={edited ?? contentOf(item)} onDone={answers.onEdited} onCancel={answers.onBack} />
        ) : null}
        {mode === 'until' ? <Until onDone={answers.onUntil} onCancel={answers.onBack} /> : null}
        {mode === 'decline' ? <Decline onDecline={answers.onDecline} onCancel={answers.onBack} /> : null}
      </div>
      {said}
      <ActionBar actions={actions} busy={busy} isReady={isReady && (item !== null || gone)} onHelp={answers.onHelp} />
    </section>
  );
}
