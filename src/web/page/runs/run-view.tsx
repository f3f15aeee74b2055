import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Got, get, post } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Button, Facts, Problem, TextBox } from '../parts.tsx';
import { Bars } from '../plots.tsx';
import { go } from '../route.ts';
import { counted, dayOf, dotted, durationOf, figure, timeOf } from '../words.ts';
import { orderSteps, type StepRow, StepTree } from './step-tree.tsx';
import { StepView } from './step-view.tsx';

const LOOK_MS = 1000;

type RunPage = Got<'/api/run'>;
type Run = RunPage['run'];

export function isAtWork({ state }: Run): boolean {
  return state === 'running' || state === 'waiting';
}

export function StateTags({ run: { state, shared }, role }: { run: Run; role?: 'status' }) {
  return (
    <>
      {shared ? <span class="tag">shared</span> : null}{' '}
      <span class={`tag state ${state}`} role={role}>
        {state === 'awaiting_person' ? 'waits for you' : state}
      </span>
    </>
  );
}

interface Props {
  id: string;
  step: string | null;
  onEnded: () => void;
}

// One run. While it is at work, what is new is asked for again and again; what is known is not.
export function RunView({ id, step, onEnded }: Props) {
  const [page, setPage] = useState<RunPage | null>(null);
  const [rows, setRows] = useState<readonly StepRow[]>([]);
  const [problem, setProblem] = useState('');
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    let isHere = true;
    get('/api/run', { id, from: rows.length }).then(
      (found) => {
        if (!isHere) return;
        const known = found.from + found.rows.length;
        if (found.rows.length > 0) setRows([...rows.slice(0, found.from), ...found.rows]);
        if (page && isAtWork(page.run) && !isAtWork(found.run)) onEnded();
        setPage(found);
        if (known < found.total) setLooks(looks + 1);
        else if (isAtWork(found.run)) setTimeout(() => isHere && setLooks(looks + 1), LOOK_MS);
      },
      (error: Error) => isHere && setProblem(error.message),
    );
    return () => {
      isHere = false;
    };
  }, [looks]);
  const nodes = useMemo(() => orderSteps(rows, page?.template ?? []), [rows, page?.template.length]);
  const current = step ?? nodes[0]?.path ?? null;
  const picked = nodes.find(({ path }) => path === current);
  const pick = (path: string): void => go('runs', id, path);
  const move = (by: number): void => {
    const next = nodes[nodes.findIndex(({ path }) => path === current) + by];
    if (next) pick(next.path);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  const cancel = (): void => {
    post('/api/cancel', { id }).then(
      () => setLooks((before) => before + 1),
      (error: Error) => setProblem(error.message),
    );
  };
  if (!page) return <Problem text={problem} />;
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
        {dotted(
          run.file,
          `model ${page.model}`,
          `${dayOf(run.startedAt)}, ${timeOf(run.startedAt)}`,
          tookOf(run),
          `${counted(page.answers, 'answer')} stored`,
        )}{' '}
        · <code>{run.id}</code>
      </p>
      <Problem text={problem} />
      <Troubles page={page} />
      <StepPlots rows={rows} onPick={pick} />
      <div class="steps-head">
        <h2>{counted(rows.length, 'step')}</h2>
        <p class="quiet">tokens read → written, time</p>
      </div>
      <StepTree
        nodes={nodes}
        running={isAtWork(run)}
        asks={run.state === 'awaiting_person'}
        current={current}
        onPick={pick}
      />
      {picked?.row ? <StepView key={picked.path} run={id} path={picked.path} /> : null}
      {picked && !picked.row ? (
        <p class="quiet">
          {picked.type === 'round'
            ? 'A round of the loop: its parts are below it.'
            : `Nothing is recorded of ${picked.path} yet.`}
        </p>
      ) : null}
      {output && page.errors.length === 0 ? (
        <>
          <h2>Result</h2>
          <TextBox {...output} label="Result" />
        </>
      ) : null}
    </article>
  );
}

function Troubles({ page: { partial, damaged, run, errors } }: { page: RunPage }) {
  // Waiting for the person is no failure.
  const isAsking = run.state === 'awaiting_person';
  const engine = run.shared ? ' --engine URL' : '';
  return (
    <>
      {errors.length > 0 && !isAsking ? (
        <ul class="warnings errors">
          {errors.map(({ reason, message, hint }, at) => (
            <li key={message}>
              {message} {hint === null || at < errors.length - 1 ? null : <span>{hint} </span>}
              <code>{reason}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {isAsking ? (
        <p>
          It waits for your answer: <a href="/inbox">inbox</a>, or{' '}
          <code>{`bearings runs answer ${run.id}${engine}`}</code>
        </p>
      ) : null}
      {['failed', 'stopped', 'interrupted'].includes(run.state) ? (
        <p>
          Go on where it ended: <code>{`bearings runs resume ${run.id}${engine}`}</code>
        </p>
      ) : null}
      {damaged > 0 ? (
        <p class="quiet">{counted(damaged, 'line')} of the journal can’t be read; resume does these steps again.</p>
      ) : null}
      {partial.total > 0 ? (
        <details class="partial">
          <summary>{counted(partial.total, 'partial result')} stored</summary>
          <Facts all={partial.first.map(({ label, output }) => [label, <pre>{output}</pre>] as const)} />
          {partial.total > partial.first.length ? (
            <p class="quiet">and {figure(partial.total - partial.first.length)} more</p>
          ) : null}
        </details>
      ) : null}
    </>
  );
}

function tookOf(run: Run): string | null {
  const end = run.endedAt ?? (isAtWork(run) ? new Date().toISOString() : null);
  return end && durationOf(Date.parse(end) - Date.parse(run.startedAt));
}

const MAX_BARS = 160;

/** What is drawn of a step; null: not known of this one. */
interface PlotSpec {
  value(row: StepRow): number | null;
  inner(row: StepRow): number;
  word(value: number): string;
}

const PLOTS: readonly PlotSpec[] = [
  {
    value: ({ read, written }) => read + written,
    inner: ({ written }) => written,
    word: (value) => counted(value, 'token'),
  },
  { value: ({ ms }) => ms, inner: () => 0, word: (value) => durationOf(value) || '0 ms' },
];

// Steps that ask a model, in the order in which they ended: what lies around them only sums them up.
function StepPlots({ rows, onPick }: { rows: readonly StepRow[]; onPick: (path: string) => void }) {
  const asked = rows.filter(({ type }) => type === 'atomic');
  if (asked.length < 2) return null;
  return <div class="plots">{PLOTS.map((spec) => plotOf(asked, spec, onPick))}</div>;
}

function plotOf(rows: readonly StepRow[], { value, inner, word }: PlotSpec, onPick: (path: string) => void) {
  const all = rows.map((row) => ({ path: row.path, value: value(row) ?? -1, inner: inner(row) }));
  const known = all.filter((bar) => bar.value >= 0);
  if (known.length < 2) return null;
  const each = Math.ceil(known.length / MAX_BARS);
  const largestOf = (some: typeof known) => some.reduce((most, next) => (next.value > most.value ? next : most));
  const bars = Array.from({ length: Math.ceil(known.length / each) }, (_, at) =>
    largestOf(known.slice(at * each, (at + 1) * each)),
  );
  const largest = largestOf(bars);
  const title = `${word(known.reduce((sum, bar) => sum + bar.value, 0))} in ${counted(known.length, 'step')}`;
  return (
    <Bars
      title={title}
      label={`${title}; the largest is ${largest.path} with ${word(largest.value)}`}
      bars={bars}
      below={[
        each > 1 ? `a bar: the largest of ${figure(each)}` : 'a bar: one step',
        <Button class="link" onClick={() => onPick(largest.path)}>
          {`most: ${word(largest.value)}`}
        </Button>,
      ]}
    />
  );
}
