import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { lookAgainDate } from '../../../gate/proposals/proposal.ts';
import { ownText } from '../../../waiting/waiting.ts';
import type { Act } from '../../routes/sign.ts';
import { ApiError, type Asked, get, type Item, post, type Queue } from '../api.ts';
import { scrollKeys, useKeys, useSight } from '../keys.ts';
import { GoBack } from '../memory/go-back.tsx';
import { Ask, Button, End, Problem, SplitView } from '../parts.tsx';
import { rename } from '../route.ts';
import { outcome, type Signing } from '../signing.tsx';
import { figure } from '../words.ts';
import { ActionBar, actionsOf, Help, type Said, SaidLine } from './action-bar.tsx';
import { type Change, ItemView } from './item-view.tsx';
import { InboxEmpty, LastCode, QueueList } from './queue-list.tsx';

const NOT_SEEN = 'Scroll to its end first (Page Down): you have not seen all of it.';
// Errors that say: what was shown is no longer what waits.
const OUTDATED = ['conflict', 'not_found', 'stale'];

const UNCHANGED: Change = { edited: null, until: null, leftOut: new Set() };
type Mode = 'look' | 'edit' | 'decline' | 'until' | 'help' | 'undo';

interface Props {
  queue: Queue;
  load: (key: string | null) => Promise<Queue>;
  wanted: string | null;
  changes: number;
  signing: Signing;
}

export function Inbox(props: Props) {
  const { queue, load, signing } = props;
  const [mode, setMode] = useState<Mode>('look');
  const [said, setSaid] = useState<Said | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const say = (text: string): void => setSaid(problemSaid(text));
  const look = () => setMode('look');
  const shown = useShown(props, look, say);
  const { key, item, gone, sight, rows, isElse, index, change, setChange, busy, read, show } = shown;
  const { total } = isElse ? queue.others : queue.main;
  const list = item?.body.type === 'list' ? item.body : null;
  const row = rows[index];
  const move = (step: number): void => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + step))];
    if (next) read(next.key);
  };
  // Adopting, settling and the like are acts of their own: proposals come first, and one key leads to the rest and back.
  const switchList = (): void => {
    if (queue.others.total === 0) say('There is no other list: all that waits is on this one.');
    else if (!busy) read((isElse ? queue.main : queue.others).rows[0]?.key ?? null);
  };

  const act = async (action: Act['action'], added: Partial<Act> = {}): Promise<void> => {
    if (!item || busy || !sight.isSettled()) return;
    if (!sight.sawEnd && (list || (action !== 'decline' && action !== 'revive'))) return say(NOT_SEEN);
    shown.setBusy(true);
    const { came, said: text } = await decide(signing, item, actsOn(item, change, action, added));
    setSaid((before) => text ?? before);
    if (came !== 'nothing') {
      const after = list ? afterList(list, change, item.key) : (rows[index + 1] ?? rows[index - 1])?.key;
      const decided = action === 'revive' ? item.key.replace(/^d/, 'p') : (after ?? null);
      const next = came === 'all' ? decided : item.key;
      const newest = await load(next);
      read(newest.waitsHere ? next : firstOf(newest));
    }
    shown.setBusy(false);
  };

  const undo = (): void => {
    if (said?.undo) setMode('undo');
    else say('Nothing was decided here yet. To take back an earlier decision: Memory, a file, History.');
  };
  const setDate = (typed: string): void => {
    try {
      const until = lookAgainDate(typed, new Date());
      look();
      if (item?.body.type === 'due') return void act('keep', { until });
      setChange({ ...change, until });
      sight.shown();
    } catch (error) {
      say((error as Error).message);
    }
  };
  const setText = (edited: string | null): void => {
    setChange({ ...change, edited });
    look();
    sight.shown();
  };
  const decideOn = (action: Act['action']): void => {
    const { edited, until } = change;
    void act(action, { ...(edited === null ? {} : { edited }), ...(until === null ? {} : { until }) });
  };
  const oneByOne = () => void show(list?.lines[0]?.key ?? null);
  const actions = actionsOf(item, change.leftOut.size, sight.sawEnd, {
    accept: () => decideOn('accept'),
    edit: () => setMode('edit'),
    decline: () => setMode('decline'),
    until: () => setMode('until'),
    act: decideOn,
    skip: () => {
      if (list?.next) void show(list.next);
      else if (!item || sight.isSettled()) move(1);
    },
    oneByOne,
    toList: row?.list ? () => void show(row.list) : null,
  });
  const keyMap = {
    ...scrollKeys(box),
    j: () => move(1),
    k: () => move(-1),
    // Where a choice has the letter, it is meant.
    ...Object.fromEntries(actions.map(({ key: letter, off, work }) => [letter, off ? () => say(off) : work])),
    u: undo,
    v: switchList,
    '?': () => setMode('help'),
    Escape: look,
  };
  useKeys(keyMap, { sight, keys: [...actions.map(({ key: letter }) => letter), 'u'] });

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
  const warnings = queue.warnings.join(' ');
  if (total === 0)
    return (
      <>
        <Problem text={warnings} />
        <InboxEmpty
          queue={queue}
          said={said && <SaidLine said={said} isReady={sight.isReady} onUndo={undo} />}
          onElse={switchList}
        />
        {goBack}
      </>
    );
  const isReady = sight.isReady && (item !== null || gone);
  const place = index === -1 ? figure(total) : `${figure(index + 1)} of ${figure(total)}`;
  return (
    <SplitView
      names={[isElse ? 'Everything else' : 'What waits', 'To decide']}
      counter={place}
      box={box}
      list={(onGo) => (
        <>
          <QueueList rows={rows} current={key} onPick={read} onGo={onGo} />
          {queue.others.total > 0 ? (
            <Button class="other-list" letter="v" onClick={switchList}>
              {isElse ? 'Back to the proposals' : `Everything else: ${queue.others.total}`}
            </Button>
          ) : null}
          <LastCode code={queue.code} />
        </>
      )}
      foot={<ActionBar {...{ said, actions, busy, isReady }} onUndo={undo} onHelp={() => setMode('help')} />}
    >
      <Problem text={warnings} />
      {item ? <ItemView item={item} change={change} onChange={setChange} onOneByOne={oneByOne} /> : null}
      {item ? <End key={sight.showing} onSeen={sight.endSeen} /> : null}
      {gone ? (
        <article class="item">
          <h1>This no longer waits</h1>
          <p>It was decided elsewhere, or taken back. Go on with the next one: j.</p>
        </article>
      ) : null}
      {item ? <Asking {...{ mode, item, change, setText, setDate, act, look }} /> : null}
      <span class="unseen" role="status">
        {row ? `${place}: ${row.title}` : ''}
      </span>
      {goBack}
      {mode === 'help' ? <Help onClose={look} /> : null}
    </SplitView>
  );
}

/** What is before the person: one thing of the queue, as long as it waits. */
function useShown({ queue, load, wanted, changes }: Props, look: () => void, say: (text: string) => void) {
  // A new one each time that something is to be read, be it the same again.
  const [at, setAt] = useState({ key: wanted ? `p/${wanted}` : firstOf(queue) });
  const [found, setFound] = useState<{ at: object; item: Item | null } | null>(null);
  const [change, setChange] = useState(UNCHANGED);
  const [busy, setBusy] = useState(false);
  const sight = useSight();
  const now = useRef({ at, busy });
  now.current = { at, busy };
  const { key } = at;
  // While the next one is on its way, no key may meet the one before.
  const item = found?.at === at ? found.item : null;
  const gone = found?.at === at && found.item === null;
  const isElse = queue.others.rows.some((row) => row.key === key);
  const { rows } = isElse ? queue.others : queue.main;
  const read = (next: string | null): void => setAt({ key: next });
  const show = async (next: string | null): Promise<void> => {
    if (next !== null && !rows.some((row) => row.key === next)) await load(next);
    read(next);
  };

  // Before anything is painted: a key that is pressed then meets what is there.
  useLayoutEffect(() => {
    look();
    setChange(UNCHANGED);
    rename(...(key?.startsWith('p/') ? ['p', key.slice(2)] : []));
    if (key === null) return sight.shown();
    get('/api/item', { key }).then(
      (loaded) => {
        if (now.current.at !== at) return;
        const { body } = loaded;
        if (body.type === 'list' && body.lines.length === 0) return void show(body.next);
        if (body.type === 'proposal') setChange({ ...UNCHANGED, until: body.proposal.until ?? null });
        sight.shown();
        setFound({ at, item: loaded });
      },
      (error: Error) => {
        if (now.current.at !== at) return;
        setFound({ at, item: null });
        if (!(error instanceof ApiError && error.status === 404)) say(error.message);
      },
    );
  }, [at]);

  // A change elsewhere never takes away what is being read, unless it was decided there.
  useEffect(() => {
    if (changes === 0) return;
    void load(key).then((newest) => {
      if (key === null || now.current.at !== at || now.current.busy) return;
      const left = newest.main.rows.find((row) => row.key === key)?.total ?? 0;
      if (gone) read(firstOf(newest));
      else if (!newest.waitsHere) setFound({ at, item: null });
      else if (item?.body.type === 'list' && left < item.body.total) {
        say('Some of these were decided elsewhere. This is what still waits.');
        read(key);
      }
    });
  }, [changes]);

  // What arrived while a decision was on its way was kept from taking its place; now there is room for it.
  useEffect(() => {
    const next = firstOf(queue);
    if (key === null && !busy && next) read(next);
  }, [key, busy, queue]);

  useEffect(() => {
    // Only tells a session that ends what the person saw: no decision depends on it.
    if (item?.body.type === 'list' && sight.sawEnd) void post('/api/seen', { key }).catch(() => undefined);
  }, [item, sight.sawEnd]);

  const index = rows.findIndex((row) => row.key === key);
  return { key, item, gone, sight, rows, isElse, index, change, setChange, busy, setBusy, read, show };
}

interface AskingProps {
  mode: Mode;
  item: Item;
  change: Change;
  setText: (edited: string | null) => void;
  setDate: (typed: string) => void;
  act: (action: 'decline', added: Partial<Act>) => Promise<void>;
  look: () => void;
}

/** What the person is asked to write. */
function Asking({ mode, item: { body }, change, setText, setDate, act, look }: AskingProps) {
  const text = body.type === 'proposal' ? body.proposal.content : body.type === 'list' ? null : ownText(body.parts);
  const shown = change.edited ?? text ?? '';
  if (mode === 'edit' && text !== null)
    return (
      <Ask
        label="Your words in its place"
        button="See it in place"
        text={shown}
        rows={Math.min(16, Math.max(4, shown.split('\n').length + 1))}
        onDone={(typed) => setText(typed === text ? null : typed)}
        onBack={look}
      />
    );
  if (mode === 'until') {
    const label = 'When to review it again: a date, or 90d, 6 months, 1y';
    return <Ask label={label} button="Set" onDone={setDate} onBack={look} />;
  }
  if (mode !== 'decline') return null;
  const decline = (reason: string) => void act('decline', reason ? { reason } : {});
  return <Ask label="Why (optional)" button="Decline" onDone={decline} onBack={look} />;
}

const problemSaid = (text: string): Said => ({ text, isProblem: true, undo: null });

/** Nothing: what was shown still waits as it is. Changed: some of it was decided, here or elsewhere. */
async function decide({ send }: Signing, item: Item, acts: readonly Act[]) {
  try {
    const isSigned = acts.some(({ action }) => action !== 'revive' && action !== 'seen');
    const all = await send('/api/act-all', { acts }, isSigned);
    if (all === null) return { came: 'nothing', said: null };
    const { acted, problem } = all;
    const count = acted.length;
    if (problem !== null) {
      const far = `Decided before that: ${count} of ${acts.length}; the other ${acts.length - count} were not.`;
      return { came: 'changed', said: problemSaid(`${problem} ${far}`) };
    }
    const [first] = acted;
    if (item.body.type !== 'list' && first)
      return { came: 'all', said: { text: outcome(first), isProblem: false, undo: undoOf(item, first.status) } };
    return { came: 'all', said: { text: `${count} decided, each as it was shown`, isProblem: false, undo: null } };
  } catch (error) {
    const isOutdated = error instanceof ApiError && OUTDATED.includes(error.code);
    return { came: isOutdated ? 'changed' : 'nothing', said: problemSaid((error as Error).message) };
  }
}

/** On one thing, or on each of a list that was not left out. */
function actsOn({ body, binding }: Item, { leftOut }: Change, action: Act['action'], added: Partial<Act>): Act[] {
  if (body.type !== 'list') return [{ binding, action, ...added }];
  const meant = body.lines.filter((_, line) => !leftOut.has(line));
  return meant.map(({ binding: name, until }) => ({
    ...{ binding: name, action, ...added },
    ...(until === null || action === 'decline' ? {} : { until }),
  }));
}

/** What was left out comes by itself, as does what deserves a look of its own; then the next list of the session. */
function afterList({ lines, next }: Extract<Item['body'], { type: 'list' }>, { leftOut }: Change, key: string): string {
  return lines.find((_, line) => leftOut.has(line))?.key ?? next ?? key;
}

const firstOf = ({ main }: Queue): string | null => main.rows[0]?.key ?? null;

/** What changed a text can be taken back: a proposal by its name, the person's own edit as the last decision. */
function undoOf({ body, key }: Item, status: string): Asked | null {
  if (body.type === 'block') return status === 'taken out' ? { what: 'undo' } : null;
  return body.type === 'proposal' && status === 'accepted' ? { what: 'undo', decision: key.slice(2) } : null;
}
