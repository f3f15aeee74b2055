import { useEffect, useRef, useState } from 'preact/hooks';
import { lookAgainDate } from '../../../gate/proposals/proposal.ts';
import type { Act } from '../../routes/sign.ts';
import type { Item, Queue, QueueRow } from '../api.ts';
import { scrollKeys, useKeys, useSight } from '../keys.ts';
import { GoBack } from '../memory/go-back.tsx';
import { Ask, Button, End, Problem } from '../parts.tsx';
import type { Signing } from '../signing.tsx';
import { ActionBar, type ActionButton, actionsOf, Help } from './action-bar.tsx';
import { useDecisions, useItem, useQueue, useSessionList } from './hooks.ts';
import { ItemView } from './item-view.tsx';
import { InboxEmpty, LastCode, placeIn, QueueList } from './queue-list.tsx';
import { SessionList } from './session-list.tsx';

const UNTIL = 'When to review it again: a date, or 90d, 6 months, 1y';

interface Props {
  first: Queue;
  wanted: string | null;
  changes: number;
  signing: Signing;
  onWaits: (count: number) => void;
}

type Added = Pick<Act, 'edited' | 'reason' | 'until'>;

export function Inbox({ first, wanted, changes, signing, onWaits }: Props) {
  const { queue, load } = useQueue(first, onWaits);
  const { rows } = queue;
  const [key, setKey] = useState<string | null>(wanted ? `p/${wanted}` : (first.rows[0]?.key ?? null));
  const [mode, setMode] = useState<'look' | 'edit' | 'decline' | 'until' | 'help' | 'undo'>('look');
  const { said, setSaid, say, decide, decideAll } = useDecisions(queue, signing);
  const [busy, setBusy] = useState(false);
  const [listOpen, setListOpen] = useState(false);
  const sight = useSight();
  const { isReady, sawEnd, isSettled, shown } = sight;
  const box = useRef<HTMLDivElement>(null);
  const at = rows.findIndex((row) => row.key === key);
  const lists = useSessionList(key, rows[at], () => (wanted ? sessionOf(first.rows, key) : []));
  const { list } = lists;
  const look = () => setMode('look');
  const { item, gone, edited, setEdited, until, setUntil, clear, lose } = useItem(key, list?.session ?? null, {
    onChange: look,
    onShown: shown,
    onProblem: say,
  });

  // A change elsewhere never takes away what is being read, unless it was decided there.
  const current = useRef(key);
  current.current = key;
  useEffect(() => {
    if (changes > 0)
      void load(key).then((found) => {
        if (current.current !== key || busy || lists.isDeciding.current) return;
        if (key === null || gone) setKey(found.rows[0]?.key ?? null);
        else if (!found.waitsHere && list) setKey(keyOf(found, list.session));
        else if (!found.waitsHere) lose();
      });
  }, [changes]);

  // What arrived while a decision was on its way was kept from taking its place; now there is room for it.
  useEffect(() => {
    const next = queue.rows[0];
    if (key === null && !busy && next) setKey(next.key);
  }, [key, busy, queue]);

  const move = (step: number): void => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    if (next) setKey(next.key);
  };
  const group = rows[at]?.group ?? null;
  const pastList = (step: 1 | -1): void => {
    if (group) move(step === 1 ? group.total - group.index + 1 : -group.index);
  };
  // Adopting, settling and the like are acts of their own: proposals come first, and one key leads to the rest and back.
  const other = queue.list === 'main' ? 'else' : 'main';
  const switchList = (): void => {
    if (queue.others === 0) return say('There is no other list: all that waits is on this one.');
    if (!busy) void load(null, other).then((found) => setKey(found.rows[0]?.key ?? null));
  };

  const act = async (action: Act['action'], added: Added = {}): Promise<void> => {
    if (!item || busy || !isSettled()) return;
    if (!sawEnd && action !== 'decline' && action !== 'revive')
      return say('Scroll to its end first (Page Down): you have not seen all of it.');
    setBusy(true);
    const isRevived = action === 'revive';
    const next = isRevived ? item.key.replace(/^d/, 'p') : (rows[at + 1] ?? rows[at - 1])?.key;
    if (await decide(item, action, added)) {
      const found = await load(next ?? null);
      clear();
      setKey(next !== undefined && found.waitsHere ? next : (found.rows[0]?.key ?? null));
    }
    setBusy(false);
  };

  const decideList = async (acts: Act[], session: string, isWhole: boolean): Promise<void> => {
    lists.isDeciding.current = true;
    setBusy(true);
    const came = await decideAll(acts);
    const found = came === 'nothing' ? null : await load(null);
    lists.isDeciding.current = false;
    setBusy(false);
    if (found === null) return;
    // What was left out, and what deserves a look of its own, comes by itself.
    if (came === 'all' && isWhole) lists.showOneByOne(session);
    lists.readAnew();
    setKey(keyOf(found, session));
  };

  const undo = (): void => {
    if (said?.undo) setMode('undo');
    else say('Nothing was decided here yet. To take back an earlier decision: Memory, a file, History.');
  };
  const help = () => setMode('help');
  const goBack =
    mode === 'undo' && said?.undo ? (
      <GoBack
        asked={said.undo}
        signing={signing}
        onDone={(text) => {
          setSaid({ text, isProblem: false, undo: { what: 'undo' } });
          look();
          void load(key);
        }}
        onClose={look}
      />
    ) : null;

  const setDate = (text: string): void => {
    try {
      const day = lookAgainDate(text, new Date());
      look();
      if (item?.body.type === 'due') return void act('keep', { until: day });
      setUntil(day);
      shown();
    } catch (error) {
      say((error as Error).message);
    }
  };

  const isEmpty = queue.total === 0;
  const single = actionsOf(isEmpty ? null : item, {
    accept: () => {
      const own = { ...(edited === null ? {} : { edited }), ...(until === null ? {} : { until }) };
      void act(item?.body.type !== 'due' ? 'accept' : edited === null ? 'keep' : 'edit', own);
    },
    edit: () => setMode('edit'),
    decline: () => setMode('decline'),
    until: () => setMode('until'),
    act: (action) => void act(action),
    skip: () => (item && !isSettled() ? undefined : move(1)),
  });
  const { possible } = lists;
  const actions: ActionButton[] = [
    ...single,
    ...(single.length > 0 && possible
      ? [{ key: 'o', label: 'On one list', work: () => lists.showList(possible.session) }]
      : []),
  ];
  const everywhere = { u: undo, v: switchList, '?': help };
  const keyMap = {
    ...scrollKeys(box),
    j: () => move(1),
    k: () => move(-1),
    // Where a choice has the letter, it is meant.
    ...Object.fromEntries(actions.map(({ key: letter, work }) => [letter, work])),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...everywhere,
    Escape: look,
  };
  // A list has keys of its own.
  useKeys(list ? {} : keyMap, { sight, keys: [...actions.map(({ key: letter }) => letter), 'u'] });

  const text = item && textOf(item);
  const warnings = queue.warnings.join(' ');
  if (isEmpty)
    return (
      <>
        <Problem text={warnings} />
        <InboxEmpty queue={queue} said={said} onUndo={undo} isReady={isReady} onElse={switchList} />
        {goBack}
      </>
    );
  const counter = (
    <p class="counter">
      <Button class="list-toggle" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
        {placeIn(queue.total, at, list ? group : null)}
      </Button>
      <span class="unseen" role="status">
        {item
          ? `${at + 1} of ${queue.total}: ${rows[at]?.title ?? ''}`
          : list
            ? `${list.total} proposals on one list`
            : ''}
      </span>
    </p>
  );
  const bar = (all: readonly ActionButton[], isKeyReady: boolean) => (
    <ActionBar said={said} actions={all} busy={busy} isReady={isKeyReady} onUndo={undo} onHelp={help} />
  );
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label={queue.list === 'main' ? 'What waits' : 'Everything else'}>
        <QueueList
          rows={rows}
          current={key}
          onPick={(row) => {
            if (row.session !== null) lists.showOneByOne(row.session);
            setKey(row.key);
            setListOpen(false);
          }}
        />
        {queue.others > 0 ? (
          <Button class="other-list" letter="v" onClick={switchList}>
            {other === 'else' ? `Everything else: ${queue.others}` : 'Back to the proposals'}
          </Button>
        ) : null}
        <LastCode code={queue.code} />
      </section>
      {list ? (
        <SessionList
          key={`${list.session} ${lists.version}`}
          session={list.session}
          waits={list.total}
          keys={everywhere}
          {...{ busy, counter, bar }}
          onDecide={(acts, isWhole) => void decideList(acts, list.session, isWhole)}
          onOneByOne={() => lists.showOneByOne(list.session)}
          onSkip={(next) => {
            if (next === null) return pastList(1);
            lists.showOneByOne(list.session);
            setKey(next);
          }}
          onMove={pastList}
          onOutdated={() => {
            say('Some of these were decided elsewhere. This is what still waits.');
            lists.readAnew();
          }}
          onProblem={say}
        />
      ) : (
        <section class="one" aria-label="To decide">
          <div class="scroll" ref={box}>
            {counter}
            <Problem text={warnings} />
            {item ? <ItemView item={item} edited={edited} until={until} /> : null}
            {item ? <End key={sight.showing} onSeen={sight.endSeen} /> : null}
            {gone ? (
              <article class="item">
                <h1>This no longer waits</h1>
                <p>It was decided elsewhere, or taken back. Go on with the next one: j.</p>
              </article>
            ) : null}
            {mode === 'edit' && text !== null ? (
              <Ask
                label="Your words in its place"
                button="See it in place"
                text={edited ?? text}
                rows={Math.min(16, Math.max(4, (edited ?? text).split('\n').length + 1))}
                onDone={(typed) => {
                  setEdited(typed === text ? null : typed);
                  look();
                  shown();
                }}
                onBack={look}
              />
            ) : null}
            {mode === 'until' ? <Ask label={UNTIL} button="Set" onDone={setDate} onBack={look} /> : null}
            {mode === 'decline' ? (
              <Ask
                label="Why (optional)"
                button="Decline"
                onDone={(reason) => void act('decline', reason ? { reason } : {})}
                onBack={look}
              />
            ) : null}
          </div>
          {bar(actions, isReady && (item !== null || gone))}
        </section>
      )}
      {goBack}
      {mode === 'help' ? <Help onClose={look} /> : null}
    </div>
  );
}

/** What comes next of a session, or of all that waits. */
function keyOf({ rows }: Queue, session: string): string | null {
  return (rows.find((row) => row.session === session && row.type === 'proposal') ?? rows[0])?.key ?? null;
}

/** Who follows a link to one proposal wants to see that one. */
function sessionOf(rows: readonly QueueRow[], key: string | null): string[] {
  const session = rows.find((row) => row.key === key)?.session;
  return session ? [session] : [];
}

/** What the person may put into words of their own. */
function textOf({ body }: Item): string | null {
  if (body.type === 'proposal') return body.proposal.content;
  return body.type === 'due' ? body.block.text : body.type === 'approve' ? body.shown : null;
}
