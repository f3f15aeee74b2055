import { useEffect, useState } from 'preact/hooks';
import type { RunRows } from '../../run-wire.ts';
import { get } from '../api.ts';
import { Problem } from '../problem.tsx';
import { PlaceLink, SplitView } from '../split-view.tsx';
import { ageOf, counted, seen, stateWord } from '../words.ts';
import { RunView } from './run-view.tsx';

const LOOK_MS = 2000;
// Workers elsewhere may begin one that nothing here tells of.
const LOOK_AT_SHARED_MS = 4000;

export function Runs({ path, changes }: { path: string[]; changes: number }) {
  const [all, setAll] = useState<RunRows | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    void get<RunRows>('/api/runs', { from: 0 }).then(setAll, () => undefined);
  }, [changes, looks]);
  const isAtWork = all?.rows.some(({ state }) => state === 'running' || state === 'waiting') ?? false;
  useEffect(() => {
    if (!isAtWork && !all?.shared) return;
    const timer = setTimeout(() => setLooks(looks + 1), isAtWork ? LOOK_MS : LOOK_AT_SHARED_MS);
    return () => clearTimeout(timer);
  }, [all]);
  const more = async (): Promise<void> => {
    if (!all) return;
    const next = await get<RunRows>('/api/runs', { from: all.rows.length });
    setAll({ ...next, rows: [...all.rows, ...next.rows] });
  };
  if (!all) return null;
  if (all.total === 0) return <NoRuns problem={all.problem} />;
  const [id = all.rows[0]?.id ?? '', step] = path;
  return (
    <SplitView
      listLabel="Runs"
      oneLabel="Run"
      counter={counted(all.total, 'run')}
      list={(onGo) => (
        <>
          <Problem text={all.problem} />
          <nav class="tree" aria-label="Runs, the newest first">
            {all.rows.map((row) => (
              <PlaceLink key={row.id} to={['runs', row.id]} class="session" isHere={row.id === id} onGo={onGo}>
                <span class="run-name">
                  <span>{seen(row.name) || seen(row.file)}</span>
                  <span>
                    {row.shared ? <span class="tag">shared</span> : null}{' '}
                    <span class={`tag state ${row.state}`}>{stateWord(row.state)}</span>
                  </span>
                </span>
                <span class="quiet">
                  {ageOf(row.started_at)}
                  {row.steps === null ? '' : ` · ${counted(row.steps, 'step')}`} · {seen(row.file)}
                </span>
              </PlaceLink>
            ))}
            {all.rows.length < all.total ? (
              <button type="button" onClick={() => void more()}>
                {counted(all.total - all.rows.length, 'more run')}
              </button>
            ) : null}
          </nav>
        </>
      )}
    >
      <RunView key={id} id={id} step={step ?? null} onEnded={() => setLooks((before) => before + 1)} />
    </SplitView>
  );
}

function NoRuns({ problem }: { problem: string | null }) {
  return (
    <section class="empty" aria-label="Runs">
      <h1>No runs yet</h1>
      <Problem text={problem} />
      <p>
        A run is a task of several steps, each with exactly the context it asked for. Here you see its tree, what each
        step saw, and its tokens and time, live. Start one in a terminal:
      </p>
      <pre>bearings demo --examples{'\n'}bearings run examples/tasks/release-notes.xml</pre>
      <p class="quiet">
        Is a task well formed? <code>bearings check FILE --explain</code>
      </p>
    </section>
  );
}
