import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { go, pathOf } from './route.ts';

// A list on the left, one thing of it in the middle; on a narrow screen one of the two, and the counter opens the list.
export function SplitView({
  listLabel,
  oneLabel,
  counter,
  list,
  children,
}: {
  listLabel: string;
  oneLabel: string;
  counter: ComponentChildren;
  /** `onGo` closes the list where it covers the rest. */
  list: (onGo: () => void) => ComponentChildren;
  children: ComponentChildren;
}) {
  const [listOpen, setListOpen] = useState(false);
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label={listLabel}>
        {list(() => setListOpen(false))}
      </section>
      <section class="one" aria-label={oneLabel}>
        <div class="scroll">
          <p class="counter">
            <button type="button" class="list-toggle" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
              {counter}
            </button>
          </p>
          {children}
        </div>
      </section>
    </div>
  );
}

/** A link to a place of the page: back and forward, a new tab and the keyboard work as everywhere. */
export function PlaceLink({
  to,
  isHere = false,
  class: name,
  onGo,
  children,
}: {
  to: readonly string[];
  isHere?: boolean;
  class?: string | undefined;
  onGo?: (() => void) | undefined;
  children: ComponentChildren;
}) {
  return (
    <a
      href={pathOf(...to)}
      class={name}
      aria-current={isHere ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(...to);
        onGo?.();
      }}
    >
      {children}
    </a>
  );
}
