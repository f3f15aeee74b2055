import { useMemo } from 'preact/hooks';
import { type Got, post, useGet, useWork } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Beyond, Button, Empty, ListView, Problem, TextBox } from '../parts.tsx';
import { go } from '../route.ts';
import { ageOf, counted, dayOf, dotted, durationOf, timeOf } from '../words.ts';
import { orderSteps, StepTree, StepView } from './steps.tsx';

type RunPage = Got<'/api/run'>;
type Run = RunPage['run'];

const LOOK_MS = 1000;
// Workers elsewhere may begin one that nothing here tells of.
const LOOK_AT_SHARED_MS = 4000;

export function Runs({ path, changes }: { path: string[]; changes: number }) {
  const { found: all } = useGet('/api/runs', {}, [changes], ({ rows, shared }) =>
    rows.some(isAtWork) ? LOOK_MS : shared ? LOOK_AT_SHARED_MS : null,
  );
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
      <RunView key={id} id={id} step={step ?? null} />
    </ListView>
  );
}

function isAtWork({ state }: Run): boolean {
  return state === 'running' || state === 'waiting';
}

function StateTags({ run: { state, shared }, role }: { run: Run; role?: 'status' }) {
  return (
    <>
      {shared ? <span class="tag">shared</span> : null}{' '}
      <span class={`tag state ${state}`} role={role}>
        {state === 'awaiting_person' ? 'waits for you' : state}
      </span>
    </>
  );
}

// One run. While it is at work, it is asked for again and again.
function RunView({ id, step }: { id: string; step: string | null }) {
  const look = ({ run }: RunPage) => (isAtWork(run) ? LOOK_MS : null);
  const { found: page, problem: unread, reload } = useGet('/api/run', { id }, [], look);
  const { problem, run: start } = useWork();
  const nodes = useMemo(() => orderSteps(page?.rows ?? [], page?.template ?? []), [page]);
  const current = step ?? nodes[0]?.path ?? null;
  const picked = nodes.find(({ path }) => path === current);
  const pick = (path: string): void => go('runs', id, path);
  const move = (by: number): void => {
    const next = nodes[nodes.findIndex(({ path }) => path === current) + by];
    if (next) pick(next.path);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  const cancel = (): void => start(() => post('/api/cancel', { id }).then(reload));
  if (!page) return <Problem text={unread} />;
  const { run, output } = page;
  return (
    <article class="item run wide">
      <div class="run-head">
        <h1>{run.name || run.file}</h1>
        <StateTags run={run} role="status" />
        {run.state === 'running' || (run.shared && run.state === 'waiting') ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : null}
      </div>
      <p class="by">
        {dotted(run.file, `model ${page.model}`, `${dayOf(run.startedAt)}, ${timeOf(run.startedAt)}`, tookOf(run))} ·{' '}
        <code>{run.id}</code>
      </p>
      <Problem text={problem || unread} />
      <Troubles page={page} />
      <div class="steps-head">
        <h2>{counted(page.total, 'step')}</h2>
        <p class="quiet">tokens read → written, time</p>
      </div>
      <StepTree
        nodes={nodes}
        running={isAtWork(run)}
        asks={run.state === 'awaiting_person'}
        current={current}
        onPick={pick}
      />
      <Beyond left={page.total - page.rows.length} what="more step" command={`bearings runs show ${id} --json`} />
      {picked?.row ? <StepView key={picked.path} run={id} path={picked.path} /> : null}
      {picked && !picked.row ? <p class="quiet">Nothing is recorded of {picked.path} itself.</p> : null}
      {output && page.errors.length === 0 ? (
        <>
          <h2>Result</h2>
          <TextBox {...output} label="Result" />
        </>
      ) : null}
    </article>
  );
}

function Troubles({ page: { run, errors, isOver } }: { page: RunPage }) {
  const engine = run.shared ? ' --engine URL' : '';
  // Waiting for the person is no failure.
  if (run.state === 'awaiting_person')
    return (
      <p>
        It waits for your answer: <a href="/inbox">inbox</a>, or{' '}
        <code>{`bearings runs answer ${run.id}${engine}`}</code>
      </p>
    );
  return (
    <>
      {errors.length > 0 ? (
        <ul class="warnings errors">
          {errors.map(({ reason, message, hint }, at) => (
            <li key={message}>
              {message} {hint !== null && at === errors.length - 1 ? <span>{hint} </span> : null}
              <code>{reason}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {!isOver && ['failed', 'stopped', 'interrupted', 'answered'].includes(run.state) ? (
        <p>
          Go on where it ended: <code>{`bearings runs resume ${run.id}${engine}`}</code>
        </p>
      ) : null}
    </>
  );
}

function tookOf(run: Run): string | null {
  const end = run.endedAt ?? (isAtWork(run) ? new Date().toISOString() : null);
  return end && durationOf(Date.parse(end) - Date.parse(run.startedAt));
}
