import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError, enter, get, type Queue, useChanges, useQueue } from './api.ts';
import { Bundles } from './bundles.tsx';
import { Compass, Entry, Task } from './entry.tsx';
import { Gaps } from './gaps.tsx';
import { Inbox } from './inbox/inbox.tsx';
import { useKeys } from './keys.ts';
import { Memory } from './memory/memory.tsx';
import { PlaceLink } from './parts.tsx';
import { go, useRoute } from './route.ts';
import { Runs } from './runs/runs.tsx';
import { Sessions } from './sessions.tsx';
import { useSigning } from './signing.tsx';
import { figure, labelOf } from './words.ts';

const CODE = /^#([0-9A-Z]{5}-[0-9A-Z]{5})$/i;

type State = { kind: 'starting' } | { kind: 'closed'; why: string } | { kind: 'open'; queue: Queue };

const PLACES = ['inbox', 'memory', 'bundles', 'sessions', 'runs', 'gaps'] as const;

function App() {
  const [state, setState] = useState<State>({ kind: 'starting' });
  const start = useCallback(async () => {
    const code = CODE.exec(location.hash)?.[1] ?? '';
    // Out of the address at once: it must not stay in the history.
    if (code !== '') history.replaceState(null, '', location.pathname);
    let refused = '';
    try {
      // A used code is no harm to who was let in before.
      if (code !== '') await enter(code).catch((error: Error) => (refused = error.message));
      setState({ kind: 'open', queue: await get('/api/queue', { key: keyInPath() }) });
    } catch (error) {
      const gone = error instanceof ApiError && error.status !== 401;
      setState({ kind: 'closed', why: gone ? error.message : refused });
    }
  }, []);
  useEffect(() => void start(), [start]);
  if (state.kind === 'starting') return <div class="starting" />;
  if (state.kind === 'closed') return <Entry why={state.why} onEntered={() => void start()} />;
  if (location.pathname === '/task') return <Task />;
  return <Shell first={state.queue} onClosed={() => setState({ kind: 'closed', why: '' })} />;
}

function keyInPath(): string | undefined {
  const [, place, id] = location.pathname.split('/');
  return place === 'p' && id ? `p/${decodeURIComponent(id)}` : undefined;
}

function Shell({ first, onClosed }: { first: Queue; onClosed: () => void }) {
  const place = useRoute();
  const { changes, connected } = useChanges(onClosed);
  const { queue, load } = useQueue(first);
  const { waits } = queue;
  const signing = useSigning(queue);
  const [name = 'inbox', ...rest] = place;
  const current = PLACES.find((each) => each === name) ?? 'inbox';
  useKeys(Object.fromEntries(PLACES.map((each, at) => [`${at + 1}`, () => go(...stepsTo(each))])));
  // The inbox asks by itself, for what it shows.
  useEffect(() => {
    if (changes > 0 && current !== 'inbox') void load(null);
  }, [changes]);
  useEffect(() => {
    document.title = `${waits > 0 ? `(${waits}) ` : ''}${labelOf(current)} · Bearings`;
  }, [waits, current]);
  const views = {
    inbox: () => <Inbox {...{ queue, load, changes, signing }} wanted={name === 'p' ? (rest[0] ?? null) : null} />,
    memory: () => <Memory path={rest} {...{ changes, signing }} />,
    sessions: () => <Sessions path={rest} changes={changes} />,
    bundles: () => <Bundles />,
    runs: () => <Runs path={rest} changes={changes} />,
    gaps: () => <Gaps path={rest} changes={changes} />,
  };
  return (
    <div class="shell">
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="side">
        <p class="brand">
          <Compass />
          Bearings
        </p>
        <nav aria-label="Places">
          {PLACES.map((each) => (
            <PlaceLink to={stepsTo(each)} isHere={each === current}>
              <span>{labelOf(each)}</span>
              {each === 'inbox' && waits > 0 ? <span class="count">{figure(waits)}</span> : null}
            </PlaceLink>
          ))}
        </nav>
        <p class={connected ? 'live' : 'live lost'} role="status">
          {connected ? 'live' : 'not connected: bearings ui'}
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        {views[current]()}
      </main>
      {signing.dialog}
    </div>
  );
}

const stepsTo = (name: string): string[] => (name === 'inbox' ? [] : [name]);

const root = document.getElementById('page');
if (root) render(<App />, root);
