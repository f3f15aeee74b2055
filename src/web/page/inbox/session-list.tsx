import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Act } from '../../routes/sign.ts';
import { type Got, post, useGet } from '../api.ts';
import { type KeyMap, scrollKeys, useKeys, useSight } from '../keys.ts';
import { Button, End } from '../parts.tsx';
import { ageOf, counted } from '../words.ts';
import { type ActionButton, AskWhy } from './action-bar.tsx';

const ARROW_PIXELS = 60;
const MARKED = 'Some are marked: x accepts the others, or remove the marks.';

type List = Got<'/api/session-list'>;
type Line = List['lines'][number];

interface Props {
  session: string;
  /** How many of the session wait now. */
  waits: number;
  busy: boolean;
  counter: ComponentChildren;
  /** Keys that mean the same everywhere in the inbox. */
  keys: KeyMap;
  bar: (actions: readonly ActionButton[], isReady: boolean) => ComponentChildren;
  /** `isWhole`: the list is not only the first part of what the session proposed. */
  onDecide(acts: Act[], isWhole: boolean): void;
  onOneByOne(): void;
  /** To what comes by itself, or past the session. */
  onSkip(next: string | null): void;
  onMove(step: 1 | -1): void;
  /** What is shown is no longer what waits. */
  onOutdated(): void;
  onProblem(text: string): void;
}

// What one session proposed, on one list, as `bearings review` shows it: a word on all of it counts once its end was seen.
export function SessionList({ session, waits, busy, counter, keys, bar, ...on }: Props) {
  const { found: list, problem } = useGet('/api/session-list', { session });
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const [isDeclining, setDeclining] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const sight = useSight();
  const { sawEnd } = sight;
  useLayoutEffect(() => {
    if (list?.lines.length === 0) on.onOneByOne();
    else if (list) sight.shown();
    else if (problem) on.onProblem(problem);
  }, [list, problem]);
  // What comes in addition waits for its turn; what is gone was decided elsewhere.
  const isOutdated = list !== null && waits < list.total && !busy;
  useEffect(() => {
    if (isOutdated) on.onOutdated();
  }, [isOutdated]);
  useEffect(() => {
    // Only tells a session that ends what the person saw: no decision depends on it.
    if (sawEnd) void post('/api/session-list-seen', { session }).catch(() => undefined);
  }, [sawEnd]);

  const lines = list?.lines ?? [];
  const mayDecide = (): boolean => {
    if (!list || busy || !sight.isSettled()) return false;
    if (!sawEnd) on.onProblem('Scroll to the end of the list first (Page Down): you have not seen all of it.');
    return sawEnd;
  };
  const decide = (actOn: (line: Line) => Omit<Act, 'binding'>): void => {
    if (!mayDecide() || !list) return;
    const meant = lines.filter((_, index) => !leftOut.has(index));
    const acts = meant.map((line): Act => ({ binding: line.binding, ...actOn(line) }));
    on.onDecide(acts, list.total === lines.length + list.others);
  };
  const isMarked = leftOut.size > 0;
  const unlessMarked = (work: () => void) => () => (isMarked ? on.onProblem(MARKED) : work());
  const accept = () => decide(({ until }) => ({ action: 'accept', ...(until === null ? {} : { until }) }));
  const actions: ActionButton[] = [
    {
      key: 'A',
      label: `Accept all ${lines.length}`,
      isMain: true,
      isOff: !sawEnd || isMarked,
      work: unlessMarked(accept),
    },
    {
      key: 'x',
      label: isMarked ? `All but ${leftOut.size}` : 'All but marked',
      isOff: !sawEnd || !isMarked || leftOut.size === lines.length,
      work: () => {
        if (!isMarked) on.onProblem('Mark what to leave out first.');
        else if (leftOut.size < lines.length) accept();
      },
    },
    {
      key: 'D',
      label: 'Decline all',
      isOff: !sawEnd || isMarked,
      work: unlessMarked(() => mayDecide() && setDeclining(true)),
    },
    { key: 'o', label: 'One by one', work: on.onOneByOne },
    { key: 's', label: 'Skip', work: () => on.onSkip(list?.next ?? null) },
  ];
  useKeys(
    {
      ...scrollKeys(box),
      ArrowDown: () => box.current?.scrollBy(0, ARROW_PIXELS),
      ArrowUp: () => box.current?.scrollBy(0, -ARROW_PIXELS),
      j: () => on.onMove(1),
      k: () => on.onMove(-1),
      ...Object.fromEntries(list && !busy ? actions.map(({ key, work }) => [key, work]) : []),
      ...keys,
      Escape: () => setDeclining(false),
    },
    { sight, keys: [...actions.map(({ key }) => key), 'u'] },
  );
  return (
    <section class="one" aria-label="To decide">
      <div class="scroll" ref={box}>
        {counter}
        {list ? (
          <>
            <article class="item session-list">
              <Head list={list} onOneByOne={on.onOneByOne} />
              <ol>
                {lines.map((line, index) => (
                  <Listed
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
            <End onSeen={sight.endSeen} />
          </>
        ) : null}
        {isDeclining ? (
          <AskWhy
            onDone={(reason) => {
              setDeclining(false);
              decide(() => ({ action: 'decline', ...(reason ? { reason } : {}) }));
            }}
            onBack={() => setDeclining(false)}
          />
        ) : null}
      </div>
      {bar(actions, sight.isReady && list !== null)}
    </section>
  );
}

function Head({ list, onOneByOne }: { list: List; onOneByOne: () => void }) {
  const { client, image_id, created_at, total, others } = list;
  return (
    <>
      <h1>{counted(total, 'proposal')} of one session</h1>
      <p class="by">
        proposed by {client} {image_id === null ? 'outside of any workspace' : `in ${image_id}`} · {ageOf(created_at)} ·{' '}
        <span>
          <Button class="link" onClick={onOneByOne}>
            one by one
          </Button>
        </span>
      </p>
      {others > 0 ? (
        <p>
          {others === 1 ? '1 more comes by itself: it' : `${others} more come by themselves: they`} may contradict your
          memory, or {others === 1 ? 'is' : 'are'} long.
        </p>
      ) : null}
    </>
  );
}

interface LineProps {
  line: Line;
  number: number;
  isLeftOut: boolean;
  onLeaveOut: (isLeftOut: boolean) => void;
}

/** A proposal on a list: its whole text, and why it matters. */
function Listed({ line: { target, why, content, until }, number, isLeftOut, onLeaveOut }: LineProps) {
  return (
    <li class={isLeftOut ? 'listed left-out' : 'listed'}>
      <p class="listed-head">
        <span class="number" aria-hidden="true">
          {number}
        </span>
        <span>{`${target} · ${why}${until === null ? '' : ` · to review again on ${until}`}`}</span>
      </p>
      <pre class="listed-text">{content}</pre>
      <label class="leave-out">
        <input type="checkbox" checked={isLeftOut} onChange={(event) => onLeaveOut(event.currentTarget.checked)} />
        Leave out <span class="unseen">number {number}</span>
      </label>
    </li>
  );
}
