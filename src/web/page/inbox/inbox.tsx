import { useEffect, useRef, useState } from 'preact/hooks';
import { lookAgainDate } from '../../../gate/anchors/look-again-date.ts';
import type { Act, Action, Item, Queue } from '../../wire.ts';
import { Help } from '../help.tsx';
import { scrollKeys, useKeys } from '../keys.ts';
import { GoBack } from '../memory/go-back.tsx';
import { actionsOf } from './action-bar.tsx';
import { Batch } from './batch.tsx';
import { Counter } from './counter.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import { batch, contentOf, indexOf, keyOf, sessionOf } from './inbox-words.ts';
import type { usePassphrase } from './passphrase.tsx';
import { QueueList } from './queue-list.tsx';
import { SaidLine } from './said.tsx';
import { SessionList } from './session-list.tsx';
import { SingleView } from './single-view.tsx';
import { type More, useDecisions } from './use-decisions.ts';
import { useItem } from './use-item.ts';
import { useQueue } from './use-queue.ts';
import { useSessionList } from './use-session-list.ts';
import { useSight } from './use-sight.ts';

/** What another part of the page leads to; null: the first of what waits. */
export interface Picked {
  key: string | null;
}

export function Inbox({
  first,
  wanted,
  picked,
  changes,
  secret,
  onWaits,
}: {
  first: Queue;
  wanted: string | null;
  picked: Picked | null;
  changes: number;
  secret: ReturnType<typeof usePassphrase>;
  onWaits: (count: number) => void;
}) {
  const { queue, rows, load, need } = useQueue(first, onWaits);
  const [key, setKey] = useState<string | null>(wanted ? `p/${wanted}` : (first.rows[0]?.key ?? null));
  const [mode, setMode] = useState<'look' | 'edit' | 'decline' | 'until' | 'all' | 'help' | 'undo'>('look');
  const { said, setSaid, say, decide, decideAll } = useDecisions(queue, secret);
  const [busy, setBusy] = useState(false);
  const [listOpen, setListOpen] = useState(false);
  const [asideOpen, setAsideOpen] = useState(false);
  const skipped = useRef(new Map<string, Item>());
  const { rest, sawEnd, endSeen, showing, isSettled, shown } = useSight();
  const box = useRef<HTMLDivElement>(null);
  const at = key === null ? -1 : indexOf(rows, key);
  const lists = useSessionList(key, rows.get(at), () => (wanted ? sessionOf(first.rows, key) : []));
  const { list } = lists;
  const { item, gone, edited, setEdited, until, setUntil, clear, lose } = useItem(key, list?.session ?? null, {
    onChange: () => setMode('look'),
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
        else if (found.at === null && list) setKey(keyOf(found, list.session));
        else if (found.at === null) lose();
      });
  }, [changes]);

  // What arrived while a decision was on its way was kept from taking its place; now there is room for it.
  useEffect(() => {
    const first = queue.rows[0];
    if (key === null && !busy && first) setKey(first.key);
  }, [key, busy, queue]);

  useEffect(() => {
    if (!picked) return;
    void load(picked.key).then((found) => {
      for (const session of sessionOf(found.rows, picked.key)) lists.showOneByOne(session);
      setKey(picked.key ?? found.rows[0]?.key ?? null);
    });
  }, [picked]);

  const move = (step: number): void => {
    const next = rows.get(Math.max(0, Math.min(queue.total - 1, at + step)));
    if (next) setKey(next.key);
  };
  const group = rows.get(at)?.group ?? null;
  const pastList = (step: 1 | -1): void => {
    if (group) move(step === 1 ? group.total - group.index + 1 : -group.index);
  };
  const nextKey = (): string | null => rows.get(at + 1)?.key ?? rows.get(at - 1)?.key ?? null;

  const act = async (action: Action, more: More = {}): Promise<void> => {
    if (!item || busy || !isSettled()) return;
    if (!sawEnd && action !== 'decline' && action !== 'revive') {
      say('Scroll to its end first (Page Down): you have not seen all of it.');
      return;
    }
    setBusy(true);
    setAsideOpen(asideOpen && action !== 'revive');
    const next = action === 'revive' ? item.key.replace(/^d/, 'p') : nextKey();
    if (await decide(item, action, more)) {
      skipped.current.delete(item.key);
      const found = await load(next);
      clear();
      setKey(next !== null && found.at !== null ? next : (found.rows[0]?.key ?? null));
    }
    setBusy(false);
  };

  const dated = (day: string | null): More => (day === null ? {} : { until: day });
  const own = (): More => ({ ...(edited === null ? {} : { edited }), ...dated(until) });

  const acceptAll = async (): Promise<void> => {
    setMode('look');
    setBusy(true);
    const items = batch(item, skipped.current);
    const acts = items.map(
      (each): Act => ({
        binding: each.binding,
        action: each.body.type === 'block' ? 'adopt' : 'accept',
        ...(each === item ? own() : each.body.type === 'proposal' ? dated(each.body.until) : {}),
      }),
    );
    if ((await decideAll(acts)) === 'all') for (const { key: done } of items) skipped.current.delete(done);
    const found = await load(null);
    setKey(found.rows[0]?.key ?? null);
    setBusy(false);
  };

  const decideList = async (
    acts: Act[],
    { session, isWhole }: { session: string; isWhole: boolean },
  ): Promise<void> => {
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
  };
  const goBack =
    mode === 'undo' && said?.undo ? (
      <GoBack
        asked={said.undo}
        secret={secret}
        onDone={(text) => {
          setSaid({ text, isProblem: false, undo: { what: 'undo' } });
          setMode('look');
          void load(key);
        }}
        onClose={() => setMode('look')}
      />
    ) : null;

  const isEmpty = queue.total - queue.counts.aside === 0 && !asideOpen;
  const single = actionsOf(isEmpty ? null : item, {
    accept: () => void act(item?.body.type === 'due' ? 'keep' : 'accept', own()),
    edit: () => setMode('edit'),
    decline: () => setMode('decline'),
    until: () => setMode('until'),
    act: (action) => void act(action),
    skip: () => {
      if (item && !isSettled()) return;
      if (item && sawEnd) skipped.current.set(item.key, item);
      if (at + 1 < queue.total) move(1);
    },
    all: () => {
      if (!sawEnd) single[0]?.work();
      else if (batch(item, skipped.current).length > 1) setMode('all');
      else single[0]?.work();
    },
  });
  const { possible } = lists;
  const actions =
    single.length > 0 && possible
      ? [...single, { key: 'o', label: 'On one list', work: () => lists.showList(possible.session) }]
      : single;
  const keyMap = {
    ...scrollKeys(box),
    j: () => move(1),
    k: () => move(-1),
    // Where a choice has the letter, it is meant.
    ...Object.fromEntries(actions.map(({ key: letter, work }) => [letter, work])),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    u: undo,
    '?': () => setMode('help'),
    Escape: () => setMode('look'),
  };
  // A list has keys of its own.
  useKeys(list ? {} : keyMap, { rest, keys: [...actions.map(({ key: letter }) => letter), 'u'] });

  if (isEmpty)
    return (
      <>
        <InboxEmpty
          queue={queue}
          said={said?.text ?? null}
          onUndo={said?.undo ? undo : null}
          isReady={rest.isReady}
          onAside={() => setAsideOpen(true)}
        />
        {goBack}
      </>
    );
  const counter = (
    <Counter {...{ queue, at, item, list }} group={group} isOpen={listOpen} onToggle={() => setListOpen(!listOpen)} />
  );
  const saidLine = <SaidLine said={said} onUndo={undo} />;
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label="What waits">
        <QueueList
          total={queue.total}
          rows={rows}
          current={at}
          onNeed={need}
          onPick={(row) => {
            if (row.session !== null) lists.showOneByOne(row.session);
            setKey(row.key);
            setListOpen(false);
          }}
        />
      </section>
      {list ? (
        <SessionList
          key={`${list.session} ${lists.version}`}
          session={list.session}
          waits={list.total}
          busy={busy}
          counter={counter}
          said={saidLine}
          leads={{
            onDecide: (acts, isWhole) => void decideList(acts, { session: list.session, isWhole }),
            onOneByOne: () => lists.showOneByOne(list.session),
            onSkip: (next) => {
              if (next === null) return pastList(1);
              lists.showOneByOne(list.session);
              setKey(next);
            },
            onMove: pastList,
            onUndo: undo,
            onHelp: () => setMode('help'),
            onOutdated: () => {
              say('Some of these were decided elsewhere. This is what still waits.');
              lists.readAnew();
            },
            onProblem: say,
          }}
        />
      ) : (
        <SingleView
          {...{ item, gone, edited, until, showing, mode, box, counter, actions, busy }}
          said={saidLine}
          isReady={rest.isReady}
          answers={{
            onEnd: endSeen,
            onEdited: (text) => {
              setEdited(item && text === contentOf(item) ? null : text);
              setMode('look');
              shown();
            },
            onUntil: (text) => {
              try {
                const day = lookAgainDate(text, new Date());
                setMode('look');
                if (item?.body.type === 'due') void act('keep', { until: day });
                else {
                  setUntil(day);
                  shown();
                }
              } catch (error) {
                say((error as Error).message);
              }
            },
            onDecline: (reason) => void act('decline', reason ? { reason } : {}),
            onBack: () => setMode('look'),
            onHelp: () => setMode('help'),
          }}
        />
      )}
      {mode === 'all' ? (
        <Batch items={batch(item, skipped.current)} onYes={() => void acceptAll()} onNo={() => setMode('look')} />
      ) : null}
      {goBack}
      {mode === 'help' ? <Help onClose={() => setMode('look')} /> : null}
    </div>
  );
}
