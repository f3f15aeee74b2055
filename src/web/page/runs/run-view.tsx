import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Got, post, useGet, useWork } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Beyond, Button, Facts, Problem, TextBox } from '../parts.tsx';
import { go } from '../route.ts';
import { counted, dayOf, dotted, durationOf, figure, timeOf } from '../words.ts';
import { orderSteps, StepTree } from './step-tree.tsx';
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

// One run. While it is at work, it is asked for again and again.
export function RunView({ id, step, onEnded }: Props) {
  const [looks, setLooks] = useState(0);
  const { found: page, problem: unread } = useGet('/api/run', { id }, [looks]);
  const { problem, run: start } = useWork();
  const isBusy = page !== null && isAtWork(page.run);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setLooks((before) => before + 1), LOOK_MS);
    return () => clearTimeout(timer);
  }, [page]);
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy) onEnded();
    wasBusy.current = isBusy;
  }, [isBusy]);
  const nodes = useMemo(() => orderSteps(page?.rows ?? [], page?.template ?? []), [page]);
  const current = step ?? nodes[0]?.path ?? null;
  const picked = nodes.find(({ path }) => path === current);
  const pick = (path: string): void => go('runs', id, path);
  const move = (by: number): void => {
    const next = nodes[nodes.findIndex(({ path }) => path === current) + by];
    if (next) pick(next.path);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  const cancel = (): void =>
    start(async () => {
      await post('/api/cancel', { id });
      setLooks((before) => before + 1);
    });
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
        {dotted(
          run.file,
          `model ${page.model}`,
          `${dayOf(run.startedAt)}, ${timeOf(run.startedAt)}`,
          tookOf(run),
          `${counted(page.answers, 'answer')} stored`,
        )}{' '}
        · <code>{run.id}</code>
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
