import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Queue, QueueRow } from '../api.ts';
import { Button, Empty } from '../parts.tsx';
import { ageOf, figure } from '../words.ts';

const TYPES: Record<string, string> = {
  clients: 'look first',
  first: 'first look',
  aside: 'set aside',
  key: 'unknown key',
  fault: 'does not verify',
  merged: 'merged',
  block: 'unaccounted',
  due: 'review again',
  older: 'older taste',
  approve: 'a run waits',
};

interface Props {
  rows: readonly QueueRow[];
  current: string | null;
  onPick: (key: string) => void;
  onGo: () => void;
}

export function QueueList({ rows, current, onPick, onGo }: Props) {
  const pick = (key: string): void => {
    onPick(key);
    onGo();
  };
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [current]);
  return (
    <ol class="queue-scroll" ref={box}>
      {rows.map(({ key, title, target, type, by, group, at }) => (
        <li key={key} class={group && group.index < group.total ? 'goes-on' : undefined}>
          <button type="button" aria-current={key === current ? 'true' : undefined} onClick={() => pick(key)}>
            <span class="title">{title || '…'}</span>
            <span class="where">{target}</span>
            <span class="meta">
              {TYPES[type] ? <span class={`tag ${type}`}>{TYPES[type]}</span> : null}
              {by ? <span class="by-whom">{by}</span> : null}
              {group ? <span class="group">{`${group.index}/${group.total}`}</span> : null}
              <span class="when">{ageOf(at)}</span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** For `verify --expect`. */
export function LastCode({ code }: { code: string | null }) {
  return code === null ? null : (
    <p class="last-code quiet">Code of the last bearings verify, to note down elsewhere: {code}</p>
  );
}

interface EmptyProps {
  queue: Queue;
  /** What came of the last key. */
  said: ComponentChildren;
  onElse: () => void;
}

export function InboxEmpty({ queue: { others, code }, said, onElse }: EmptyProps) {
  return (
    <Empty name="Inbox" title="Nothing waits for you">
      {said}
      {others.total > 0 ? (
        <p>
          <Button class="main" letter="v" onClick={onElse}>
            {`Look at everything else: ${figure(others.total)}`}
          </Button>
        </p>
      ) : null}
      <p>
        When an agent learns something, it proposes it, and it shows here: who says it, why, and exactly what would be
        written where. Nothing enters memory without your yes.
      </p>
      <ol>
        <li>
          In a terminal: <code>bearings init first-steps</code>, the memory of one subject
        </li>
        <li>
          <code>bearings install</code> sets up Claude Code, Cursor and others
        </li>
        <li>Tell your agent something to remember: it shows here, and you press one key</li>
      </ol>
      <LastCode code={code} />
    </Empty>
  );
}
