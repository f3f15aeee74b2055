import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { lookAgainDate } from '../../../gate/look-again-date.ts';
import type { Acted, ActedAll, Action, Asked, Item, Queue } from '../../wire.ts';
import { ApiError, get } from '../api.ts';
import { Decline, Editor, Until } from '../editor.tsx';
import { Help } from '../help.tsx';
import { scrollKeys, useKeyRest, useKeys } from '../keys.ts';
import { GoBack } from '../memory/go-back.tsx';
import { postSigned } from '../passkey.ts';
import { rename } from '../route.ts';
import { seen } from '../words.ts';
import { ActionBar, actionsOf } from './action-bar.tsx';
import { Batch } from './batch.tsx';
import { End } from './end.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import { batch, contentOf, indexOf, isEditable, mapOf, outcome, titleOf, undoOf } from './inbox-words.ts';
import { ItemView } from './item-view.tsx';
import type { usePassphrase } from './passphrase.tsx';
import { QueueList } from './queue-list.tsx';

interface Said {
  text: string;
  isProblem: boolean;
  undo: Asked | null;
}

/** What the person adds to a decision. */
interface More {
  edited?: string;
  reason?: string;
  until?: string;
}

const WINDOW = 100;
// What was pressed before a new thing could be read was not meant for it.
const SETTLE_MS = 300;

export function Inbox({
  first,
  wanted,
  changes,
  secret,
  onWaits,
}: {
  first: Queue;
  wanted: string | null;
  changes: number;
  secret: ReturnType<typeof usePassphrase>;
  onWaits: (count: number) => void;
}) {
  const [queue, setQueue] = useState(first);
  const [rows, setRows] = useState(() => mapOf(first));
  const [key, setKey] = useState<string | null>(wanted ? `p/${wanted}` : (first.rows[0]?.key ?? null));
  const [loaded, setItem] = useState<Item | null>(null);
  // While the next one is on its way, no key may meet the one before.
  const item = loaded?.key === key ? loaded : null;
  const [gone, setGone] = useState(false);
  const [edited, setEdited] = useState<string | null>(null);
  const [mode, setMode] = useState<'look' | 'edit' | 'decline' | 'until' | 'all' | 'help' | 'undo'>('look');
  const [until, setUntil] = useState<string | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const [busy, setBusy] = useState(false);
  const [listOpen, setListOpen] = useState(false);
  const [asideOpen, setAsideOpen] = useState(false);
  const skipped = useRef(new Map<string, Item>());
  const shownAt = useRef(0);
  const rest = useKeyRest();
  const box = useRef<HTMLDivElement>(null);
  // A yes counts once the end of what it is about was on the screen.
  const [sawEnd, setSawEnd] = useState(false);
  const [showing, setShowing] = useState(0);
  const endSeen = useCallback(() => setSawEnd(true), []);
  const shown = (): void => {
    shownAt.current = performance.now();
    setSawEnd(false);
    setShowing((count) => count + 1);
    rest.shown();
  };
  const at = key === null ? -1 : indexOf(rows, key);

  const load = useCallback(
    async (near: string | null, from = 0): Promise<Queue> => {
      const found = await get<Queue>('/api/queue', { from, count: WINDOW, key: near ?? undefined });
      setQueue(found);
      setRows(mapOf(found));
      onWaits(found.total - found.counts.aside);
      return found;
    },
    [onWaits],
  );
  const need = useCallback((from: number) => {
    void get<Queue>('/api/queue', { from: Math.max(0, from - 20), count: WINDOW }).then((found) =>
      setRows((known) => new Map([...known, ...mapOf(found)])),
    );
  }, []);

  // A change elsewhere never takes away what is being read, unless it was decided there.
  const current = useRef(key);
  current.current = key;
  useEffect(() => {
    if (changes > 0)
      void load(key).then((found) => {
        if (current.current !== key || busy) return;
        if (key === null || gone) setKey(found.rows[0]?.key ?? null);
        else if (found.at === null) {
          setItem(null);
          setGone(true);
        }
      });
  }, [changes]);

  useEffect(() => {
    if (key === null) {
      setItem(null);
      rename();
      shown();
      return;
    }
    let current = true;
    rename(...(key.startsWith('p/') ? ['p', key.slice(2)] : []));
    setGone(false);
    setEdited(null);
    setMode('look');
    get<Item>('/api/item', { key }).then(
      (found) => {
        if (!current) return;
        shown();
        setUntil(found.body.type === 'proposal' ? found.body.until : null);
        setItem(found);
      },
      (error: unknown) => {
        if (!current) return;
        setItem(null);
        setGone(true);
        if (!(error instanceof ApiError && error.status === 404)) say((error as Error).message);
      },
    );
    return () => {
      current = false;
    };
  }, [key]);

  const say = (text: string): void => setSaid({ text, isProblem: true, undo: null });
  const move = (step: number): void => {
    const next = rows.get(Math.max(0, Math.min(queue.total - 1, at + step)));
    if (next) setKey(next.key);
  };
  const nextKey = (): string | null => rows.get(at + 1)?.key ?? rows.get(at - 1)?.key ?? null;

  const decide = async (what: Item, action: Action, more: More = {}): Promise<boolean> => {
    const passphrase =
      queue.level === 'passphrase' && action !== 'revive' && action !== 'seen' ? await secret.ask() : undefined;
    if (passphrase === null) return false;
    try {
      const body = { binding: what.binding, action, passphrase, ...more };
      const acted = await postSigned<Acted>('/api/act', body, queue.credentials);
      setSaid({ text: outcome(acted), isProblem: false, undo: undoOf(what, acted) });
      skipped.current.delete(what.key);
      return true;
    } catch (error) {
      if (passphrase !== undefined) secret.forget();
      say((error as Error).message);
      return false;
    }
  };

  const act = async (action: Action, more: More = {}): Promise<void> => {
    if (!item || busy || performance.now() - shownAt.current < SETTLE_MS) return;
    if (!sawEnd && action !== 'decline' && action !== 'revive') {
      say('Scroll to its end first (Page Down): you have not seen all of it.');
      return;
    }
    setBusy(true);
    setAsideOpen(asideOpen && action !== 'revive');
    const next = action === 'revive' ? item.key.replace(/^d/, 'p') : nextKey();
    if (await decide(item, action, more)) {
      const found = await load(next);
      setItem(null);
      setKey(next !== null && found.at !== null ? next : (found.rows[0]?.key ?? null));
    }
    setBusy(false);
  };

  const dated = (day: string | null): More => (day === null ? {} : { until: day });
  const own = (): More => ({ ...(edited === null ? {} : { edited }), ...dated(until) });

  // One request for all of them: an authenticator signs the list once.
  const decideAll = async (items: readonly Item[]): Promise<void> => {
    const passphrase = queue.level === 'passphrase' ? await secret.ask() : undefined;
    if (passphrase === null) return;
    const acts = items.map((each) => ({
      binding: each.binding,
      action: each.body.type === 'block' ? 'adopt' : 'accept',
      ...(each === item ? own() : each.body.type === 'proposal' ? dated(each.body.until) : {}),
    }));
    try {
      const { acted, problems } = await postSigned<ActedAll>('/api/act-all', { acts, passphrase }, queue.credentials);
      const [problem] = problems;
      if (problem !== undefined) {
        if (passphrase !== undefined) secret.forget();
        say(problem);
      } else setSaid({ text: `${acted.length} decided, each as it was shown`, isProblem: false, undo: null });
      if (problem === undefined) for (const { key: done } of items) skipped.current.delete(done);
    } catch (error) {
      say((error as Error).message);
    }
  };

  const acceptAll = async (): Promise<void> => {
    setMode('look');
    setBusy(true);
    await decideAll(batch(item, skipped.current));
    const found = await load(null);
    setKey(found.rows[0]?.key ?? null);
    setBusy(false);
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
  const actions = actionsOf(isEmpty ? null : item, {
    accept: () => void act(item?.body.type === 'due' ? 'keep' : 'accept', own()),
    edit: () => setMode('edit'),
    decline: () => setMode('decline'),
    until: () => setMode('until'),
    act: (action) => void act(action),
    skip: () => {
      if (item && performance.now() - shownAt.current < SETTLE_MS) return;
      if (item && sawEnd) skipped.current.set(item.key, item);
      if (at + 1 < queue.total) move(1);
    },
    all: () => {
      if (!sawEnd) actions[0]?.work();
      else if (batch(item, skipped.current).length > 1) setMode('all');
      else actions[0]?.work();
    },
  });
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
  useKeys(keyMap, { rest, keys: [...actions.map(({ key: letter }) => letter), 'u'] });

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
  return (
    <div class={listOpen ? 'split list-open' : 'split'}>
      <section class="list" aria-label="What waits">
        <QueueList
          total={queue.total}
          rows={rows}
          current={at}
          onNeed={need}
          onPick={(row) => {
            setKey(row.key);
            setListOpen(false);
          }}
        />
      </section>
      <section class="one" aria-label="To decide">
        <div class="scroll" ref={box}>
          <p class="counter">
            <button type="button" class="list-toggle" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
              {at === -1 ? queue.total : `${(at + 1).toLocaleString('en')} of ${queue.total.toLocaleString('en')}`}
            </button>
            {queue.minutes > 0 ? <span class="quiet"> about {queue.minutes} min</span> : null}
            <span class="unseen" role="status">
              {item ? `${at + 1} of ${queue.total}: ${seen(titleOf(item))}` : ''}
            </span>
          </p>
          {item ? <ItemView item={item} edited={edited} until={until} /> : null}
          {item ? <End key={showing} onSeen={endSeen} /> : null}
          {gone ? (
            <article class="item">
              <h1>This no longer waits</h1>
              <p>It was decided elsewhere, or taken back. Go on with the next one: j.</p>
            </article>
          ) : null}
          {mode === 'edit' && isEditable(item) ? (
            <Editor
              text={edited ?? contentOf(item)}
              onDone={(text) => {
                setEdited(text === contentOf(item) ? null : text);
                setMode('look');
                shown();
              }}
              onCancel={() => setMode('look')}
            />
          ) : null}
          {mode === 'until' ? (
            <Until
              onDone={(text) => {
                setMode('look');
                try {
                  const day = lookAgainDate(text, new Date());
                  if (item?.body.type === 'due') void act('keep', { until: day });
                  else {
                    setUntil(day);
                    shown();
                  }
                } catch (error) {
                  say((error as Error).message);
                }
              }}
              onCancel={() => setMode('look')}
            />
          ) : null}
          {mode === 'decline' ? (
            <Decline
              onDecline={(reason) => void act('decline', reason ? { reason } : {})}
              onCancel={() => setMode('look')}
            />
          ) : null}
        </div>
        <p class={said?.isProblem ? 'said problem' : 'said'} role={said?.isProblem ? 'alert' : 'status'}>
          {said ? <span>{seen(said.text)}</span> : null}
          {said?.undo ? (
            <button type="button" class="link" onClick={undo}>
              undo <kbd>u</kbd>
            </button>
          ) : null}
        </p>
        <ActionBar
          actions={actions}
          busy={busy}
          isReady={rest.isReady && (item !== null || gone)}
          onHelp={() => setMode('help')}
        />
      </section>
      {mode === 'all' ? (
        <Batch items={batch(item, skipped.current)} onYes={() => void acceptAll()} onNo={() => setMode('look')} />
      ) : null}
      {goBack}
      {mode === 'help' ? <Help onClose={() => setMode('look')} /> : null}
    </div>
  );
}
