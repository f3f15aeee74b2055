import { useEffect, useState } from 'preact/hooks';
import { useGet } from '../api.ts';
import { Empty, ListView, Problem } from '../parts.tsx';
import { ageOf, counted, dotted } from '../words.ts';
import { isAtWork, RunView, StateTags } from './run-view.tsx';

const LOOK_MS = 2000;
// Workers elsewhere may begin one that nothing here tells of.
const LOOK_AT_SHARED_MS = 4000;

export function Runs({ path, changes }: { path: string[]; changes: number }) {
  const [looks, setLooks] = useState(0);
  const { found: all } = useGet('/api/runs', {}, [changes, looks]);
  const isBusy = all?.rows.some(isAtWork) ?? false;
  useEffect(() => {
    if (!isBusy && !all?.shared) return;
    const timer = setTimeout(() => setLooks(looks + 1), isBusy ? LOOK_MS : LOOK_AT_SHARED_MS);
    return () => clearTimeout(timer);
  }, [all]);
  if (!all) return null;
  if (all.total === 0)
    return (
      <Empty name="Runs" title="No runs yet">
        <Problem text={all.problem} />
        <p>
          A run is a task of several steps, each with exactly the context it asked for. Here you see its tree, what each
          step saw, and its tokens and time, live. Start one in a terminal:
        </p>
        <pre>bearings demo --examples{'\n'}bearings run examples/tasks/release-notes.xml</pre>
        <p class="quiet">
          Is a task well formed? <code>bearings check FILE --explain</code>
        </p>
      </Empty>
    );
  const [id = all.rows[0]?.id ?? '', step] = path;
  return (
    <ListView
      names={['Runs', 'Run']}
      what="run"
      order="the newest first"
      command="bearings runs"
      all={all}
      above={<Problem text={all.problem} />}
      draw={(row) => ({
        to: ['runs', row.id],
        isHere: row.id === id,
        name: (
          <>
            <span>{row.name || row.file}</span>
            <span>
              <StateTags run={row} />
            </span>
          </>
        ),
        about: dotted(ageOf(row.startedAt), row.recorded !== null && counted(row.recorded, 'step'), row.file),
      })}
    >
      <RunView key={id} id={id} step={step ?? null} onEnded={() => setLooks((before) => before + 1)} />
    </ListView>
  );
}
