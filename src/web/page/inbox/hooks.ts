import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FEWEST_LISTED } from '../../../gate/proposals/session-groups.ts';
import type { Act } from '../../routes/sign.ts';
import { ApiError, type Asked, get, type Item, type Queue, type QueueRow } from '../api.ts';
import { rename } from '../route.ts';
import { outcome, type Signing } from '../signing.tsx';

export function useQueue(first: Queue, onWaits: (count: number) => void) {
  const [queue, setQueue] = useState(first);
  // Of answers that cross on their way the one that was asked for last counts: it knows of every change that was told before.
  const order = useRef({ asked: 0, shown: 0, list: first.list });
  const load = async (key: string | null, list: Queue['list'] = order.current.list): Promise<Queue> => {
    order.current.asked += 1;
    const own = order.current.asked;
    // From now on: what is asked for meanwhile must not lead back to the list that was left.
    order.current.list = list;
    const found = await get('/api/queue', { list, key: key ?? undefined });
    if (own < order.current.shown) return found;
    order.current.shown = own;
    if (own === order.current.asked) order.current.list = found.list;
    setQueue(found);
    onWaits(found.waits);
    return found;
  };
  return { queue, load };
}

interface Shown {
  /** Another item, or none, is meant. */
  onChange(): void;
  onShown(): void;
  onProblem(text: string): void;
}

/** The item at a key, with what the person changed in it. On the list of a session no item is shown. */
export function useItem(key: string | null, session: string | null, { onChange, onShown, onProblem }: Shown) {
  const [loaded, setItem] = useState<Item | null>(null);
  const [gone, setGone] = useState(false);
  const [edited, setEdited] = useState<string | null>(null);
  const [until, setUntil] = useState<string | null>(null);

  // Before anything is painted: a key that is pressed then meets what is there.
  useLayoutEffect(() => {
    if (key === null) {
      setItem(null);
      rename();
      onShown();
      return;
    }
    setGone(false);
    setEdited(null);
    onChange();
    if (session !== null) {
      setItem(null);
      rename();
      return;
    }
    let current = true;
    rename(...(key.startsWith('p/') ? ['p', key.slice(2)] : []));
    get('/api/item', { key }).then(
      (found) => {
        if (!current) return;
        onShown();
        setUntil(found.body.type === 'proposal' ? (found.body.proposal.until ?? null) : null);
        setItem(found);
      },
      (error: unknown) => {
        if (!current) return;
        setItem(null);
        setGone(true);
        if (!(error instanceof ApiError && error.status === 404)) onProblem((error as Error).message);
      },
    );
    return () => {
      current = false;
    };
  }, [key, session]);

  return {
    // While the next one is on its way, no key may meet the one before.
    item: loaded?.key === key ? loaded : null,
    gone,
    edited,
    setEdited,
    until,
    setUntil,
    /** Decided here: nothing is shown until the next one has come. */
    clear: () => setItem(null),
    /** Decided elsewhere. */
    lose: () => {
      setItem(null);
      setGone(true);
    },
  };
}

// Whether what the key points to comes on the list of its session or by itself. What arrives meanwhile never turns what the
// person is reading into a list, and a list that is being decided stays until it is.
export function useSessionList(key: string | null, row: QueueRow | undefined, alone: () => readonly string[]) {
  // Sessions that the person looks at one by one, though there are enough for a list.
  const [oneByOne, setOneByOne] = useState<ReadonlySet<string>>(() => new Set(alone()));
  const [version, setVersion] = useState(0);
  const isDeciding = useRef(false);
  const isLong = row?.type === 'proposal' && row.group !== null && row.group.total >= FEWEST_LISTED;
  const possible = isLong && row.session !== null ? { session: row.session, total: row.group?.total ?? 0 } : null;
  const found = possible && oneByOne.has(possible.session) ? null : possible;
  const last = useRef({ key, oneByOne, list: found });
  const isArrival = last.current.key !== key || last.current.oneByOne !== oneByOne;
  const list = isDeciding.current ? last.current.list : isArrival || last.current.list ? found : null;
  last.current = { key, oneByOne, list };
  return {
    list,
    /** The list that the person could go back to. */
    possible,
    isDeciding,
    version,
    readAnew: () => setVersion((count) => count + 1),
    showOneByOne: (session: string) => setOneByOne((known) => new Set([...known, session])),
    showList: (session: string) => setOneByOne((known) => new Set([...known].filter((each) => each !== session))),
  };
}

/** What came of the last key. */
export interface Said {
  text: string;
  isProblem: boolean;
  undo: Asked | null;
}

// Errors that say: what was shown is no longer what waits.
const OUTDATED = ['conflict', 'not_found', 'stale'];

export function useDecisions(queue: Queue, { send, forget }: Signing) {
  const [said, setSaid] = useState<Said | null>(null);
  const say = (text: string): void => setSaid({ text, isProblem: true, undo: null });
  return {
    said,
    setSaid,
    say,
    async decide(what: Item, action: Act['action'], more: Partial<Act>): Promise<boolean> {
      const isSigned = action !== 'revive' && action !== 'seen';
      try {
        const at = isSigned ? queue : { ...queue, level: 'ask' as const };
        const acted = await send('/api/act', { binding: what.binding, action, ...more }, at);
        if (acted) setSaid({ text: outcome(acted), isProblem: false, undo: undoOf(what, acted.status) });
        return acted !== null;
      } catch (error) {
        say((error as Error).message);
        return false;
      }
    },
    // One request for all of them: an authenticator signs the list once. Nothing: what was shown still waits as it is.
    // Changed: some of it was decided, here or elsewhere.
    async decideAll(acts: readonly Act[]): Promise<'all' | 'changed' | 'nothing'> {
      try {
        const all = await send('/api/act-all', { acts }, queue);
        if (all === null) return 'nothing';
        const { acted, problem } = all;
        if (problem === null) {
          setSaid({ text: `${acted.length} decided, each as it was shown`, isProblem: false, undo: null });
          return 'all';
        }
        forget();
        say(
          `${problem} Decided before that: ${acted.length} of ${acts.length}; the other ${acts.length - acted.length} were not.`,
        );
        return 'changed';
      } catch (error) {
        say((error as Error).message);
        return error instanceof ApiError && OUTDATED.includes(error.code) ? 'changed' : 'nothing';
      }
    },
  };
}

/** What changed a text can be taken back: a proposal by its name, the person's own edit as the last decision. */
function undoOf({ body, key }: Item, status: string): Asked | null {
  if (body.type === 'block') return status === 'taken out' ? { what: 'undo' } : null;
  return body.type === 'proposal' && status === 'accepted' ? { what: 'undo', decision: key.slice(2) } : null;
}
