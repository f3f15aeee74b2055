import { useRef, useState } from 'preact/hooks';
import { FEWEST_LISTED } from '../../../gate/proposals/list-decisions.ts';
import type { QueueRow } from '../../wire.ts';

interface List {
  session: string;
  /** How many of the session wait. */
  total: number;
}

// Whether what the key points to comes on the list of its session or by itself. What arrives meanwhile never turns what the
// person is reading into a list, and a list that is being decided stays until it is.
export function useSessionList(key: string | null, row: QueueRow | undefined, alone: () => readonly string[]) {
  // Sessions that the person looks at one by one, though there are enough for a list.
  const [oneByOne, setOneByOne] = useState<ReadonlySet<string>>(() => new Set(alone()));
  const [version, setVersion] = useState(0);
  const isDeciding = useRef(false);
  const possible = listOf(row);
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
    /** Changes when the list is to be read again. */
    version,
    readAnew: () => setVersion((count) => count + 1),
    showOneByOne: (session: string) => setOneByOne((known) => new Set([...known, session])),
    showList: (session: string) => setOneByOne((known) => new Set([...known].filter((each) => each !== session))),
  };
}

function listOf(row: QueueRow | undefined): List | null {
  if (!row?.group || row.session === null || row.type !== 'proposal' || row.group.total < FEWEST_LISTED) return null;
  return { session: row.session, total: row.group.total };
}
