import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { decisionsOf, type ListWord } from '../../../gate/proposals/list-decisions.ts';
import type { SessionListPage } from '../../list-wire.ts';
import type { Act } from '../../wire.ts';
import { get, post } from '../api.ts';
import { Decline } from '../editor.tsx';
import { scrollKeys, useKeyRest, useKeys } from '../keys.ts';
import { ageOf, counted, seen } from '../words.ts';
import { ActionBar, type ActionButton } from './action-bar.tsx';
import { End } from './end.tsx';
import { ListedLineView } from './listed-line.tsx';

// What was pressed before the list could be read was not meant for it.
const SETTLE_MS = 300;
const ARROW_PIXELS = 60;

interface Leads {
  /** `isWhole`: the list is not only the first part of what the session proposed. */
  onDecide(acts: Act[], isWhole: boolean): void;
  onOneByOne(): void;
  /** To what comes by itself, or past the session. */
  onSkip(next: string | null): void;
  onMove(step: 1 | -1): void;
  onUndo(): void;
  onHelp(): void;
  /** What is shown is no longer what waits. */
  onOutdated(): void;
  onProblem(text: string): void;
}

// What one session proposed, on one list, as `bearings review` shows it: a word on all of it counts once its end was seen.
export function SessionList({
  session,
  waits,
  busy,
  counter,
  said,
  leads,
}: {
  session: string;
  /** How many of the session wait now. */
  waits: number;
  busy: boolean;
  counter: ComponentChildren;
  said: ComponentChildren;
  leads: Leads;
}) {
  const [list, setList] = useState<SessionListPage | null>(null);
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const [sawEnd, setSawEnd] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const shownAt = useRef(0);
  const rest = useKeyRest();
  useEffect(() => {
    let current = true;
    get<SessionListPage>('/api/session-list', { session }).then(
      (found) => {
        if (!current) return;
        if (found.lines.length === 0) return leads.onOneByOne();
        shownAt.current = performance.now();
        rest.shown();
        setList(found);
      },
      (error: unknown) => {
        if (current) leads.onProblem((error as Error).message);
      },
    );
    return () => {
      current = false;
    };
  }, []);
  // What comes in addition waits for its turn; what is gone was decided elsewhere.
  const isOutdated = list !== null && waits < list.total && !busy;
  useEffect(() => {
    if (isOutdated) leads.onOutdated();
  }, [isOutdated]);
  const endSeen = useCallback(() => setSawEnd(true), []);
  useEffect(() => {
    // Only tells a session that ends what the person saw: no decision depends on it.
    if (sawEnd) void post('/api/session-list-seen', { session }).catch(() => undefined);
  }, [sawEnd]);

  const lines = list?.lines ?? [];
  const listed = lines.reduce((sum, { repeats }) => sum + 1 + repeats.length, 0);
  const mayDecide = (): boolean => {
    if (!list || busy || performance.now() - shownAt.current < SETTLE_MS) return false;
    if (!sawEnd) leads.onProblem('Scroll to the end of the list first (Page Down): you have not seen all of it.');
    return sawEnd;
  };
  const decide = (word: ListWord): void => {
    if (!mayDecide() || !list) return;
    const acts = decisionsOf(lines, word).map(({ of, decision, reason }): Act => {
      const until = decision === 'accept' && of.until !== null ? { until: of.until } : {};
      return { binding: of.binding, action: decision, ...(reason === undefined ? {} : { reason }), ...until };
    });
    leads.onDecide(acts, list.total === listed + list.others);
  };
  const isMarked = leftOut.size > 0;
  const marked = 'Some are marked: x accepts the others, or remove the marks.';
  const actions: ActionButton[] = [
    {
      key: 'A',
      label: `Accept all ${lines.length}`,
      isMain: true,
      isOff: !sawEnd || isMarked,
      work: () => (isMarked ? leads.onProblem(marked) : decide({ decision: 'accept', leftOut })),
    },
    {
      key: 'x',
      label: isMarked ? `All but ${leftOut.size}` : 'All but marked',
      isOff: !sawEnd || !isMarked || leftOut.size === lines.length,
      work: () => {
        if (!isMarked) leads.onProblem('Mark what to leave out first.');
        else if (leftOut.size < lines.length) decide({ decision: 'accept', leftOut });
      },
    },
    {
      key: 'D',
      label: 'Decline all',
      isOff: !sawEnd || isMarked,
      work: () => {
        if (isMarked) leads.onProblem(marked);
        else if (mayDecide()) setDeclining(true);
      },
    },
    { key: 'o', label: 'One by one', work: leads.onOneByOne },
    { key: 's', label: 'Skip', work: () => leads.onSkip(list?.next ?? null) },
  ];
  useKeys(
    {
      ...scrollKeys(box),
      ArrowDown: () => box.current?.scrollBy(0, ARROW_PIXELS),
      ArrowUp: () => box.current?.scrollBy(0, -ARROW_PIXELS),
      j: () => leads.onMove(1),
      k: () => leads.onMove(-1),
      ...Object.fromEntries(list && !busy ? actions.map(({ key, work }) => [key, work]) : []),
      u: leads.onUndo,
      '?': leads.onHelp,
      Escape: () => setDeclining(false),
    },
    { rest, keys: [...actions.map(({ key }) => key), 'u'] },
  );
  return (
    <section class="one" aria-label="To decide">
      <div class="scroll" ref={box}>
        {counter}
        {list ? (
          <>
            <article class="item session-list">
              <Head list={list} repeats={listed - lines.length} onOneByOne={leads.onOneByOne} />
              <ol>
                {lines.map((line, index) => (
                  <ListedLineView
                    line={line}
                    number={index + 1}
                    isLeftOut={leftOut.has(index)}
                    onLeaveOut={(isLeftOut) => {
                      const others = [...leftOut].filter((each) => each !== index);
                      setLeftOut(new Set(isLeftOut ? [...others, index] : others));
                    }}
                  />
                ))}
              </ol>
            </article>
            <End onSeen={endSeen} />
          </>
        ) : null}
        {isDeclining ? (
          <Decline
            onDecline={(reason) => {
              setDeclining(false);
              decide({ decision: 'decline', ...(reason ? { reason } : {}) });
            }}
            onCancel={() => setDeclining(false)}
          />
        ) : null}
      </div>
      {said}
      <ActionBar actions={actions} busy={busy} isReady={rest.isReady && list !== null} onHelp={leads.onHelp} />
    </section>
  );
}

function Head({
  list: { client, image_id, created_at, total, others, minutes },
  repeats,
  onOneByOne,
}: {
  list: SessionListPage;
  repeats: number;
  onOneByOne: () => void;
}) {
  return (
    <>
      <h1>{counted(total, 'proposal')} of one session</h1>
      <p class="by">
        proposed by {seen(client)} {image_id === null ? 'outside of any workspace' : `in ${seen(image_id)}`} ·{' '}
        {ageOf(created_at)} · about {minutes} min ·{' '}
        <span>
          <button type="button" class="link" onClick={onOneByOne}>
            one by one
          </button>
        </span>
      </p>
      {repeats > 0 ? (
        <p>
          {counted(repeats, 'near repeat')}{' '}
          {repeats === 1 ? 'is listed below what it repeats' : 'are listed below what they repeat'}.
        </p>
      ) : null}
      {others > 0 ? (
        <p>
          {others === 1 ? '1 more comes by itself: it' : `${others} more come by themselves: they`} may contradict your
          memory, or {others === 1 ? 'is' : 'are'} long.
        </p>
      ) : null}
    </>
  );
}
