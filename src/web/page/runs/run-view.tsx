import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RunPage, StepRow } from '../../run-wire.ts';
import { get, post } from '../api.ts';
import { useKeys } from '../keys.ts';
import { go } from '../route.ts';
import { TextBox } from '../shown-text.tsx';
import { counted, dayOf, durationOf, seen, stateWord, timeOf } from '../words.ts';
import { orderSteps } from './step-order.ts';
import { StepPlots } from './step-plot.tsx';
import { StepTree } from './step-tree.tsx';
import { StepView } from './step-view.tsx';

const LOOK_MS = 1000;

export interface RunViewProps {
  id: string;
  step: string | null;
  onEnded: () => void;
}

// One run. While it is at work, what is new is asked for again and again; what is known is not.
export function RunView({ id, step, onEnded }: RunViewProps) {
  const [page, setPage] = useState<RunPage | null>(null);
  const [rows, setRows] = useState<readonly StepRow[]>([]);
  const [problem, setProblem] = useState('');
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    let isHere = true;
    get<RunPage>('/api/run', { id, from: rows.length }).then(
      (found) => {
        if (!isHere) return;
        const known = found.from + found.rows.length;
        if (found.rows.length > 0) setRows([...rows.slice(0, found.from), ...found.rows]);
        if (page && isAtWork(page) && !isAtWork(found)) onEnded();
        setPage(found);
        if (known < found.total) setLooks(looks + 1);
        else if (isAtWork(found)) setTimeout(() => isHere && setLooks(looks + 1), LOOK_MS);
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
  const move = (by: number): void => {
    const next = nodes[nodes.findIndex(({ path }) => path === current) + by];
    if (next) go('runs', id, next.path);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  const cancel = (): void => {
    post('/api/cancel', { id }).then(
      () => setLooks((before) => before + 1),
      (error: Error) => setProblem(error.message),
    );
  };
  if (!page) return problem ? <p class="problem">{problem}</p> : null;
  const { run } = page;
  const pick = (path: string): void => go('runs', id, path);
  return (
    <article class="item run wide">
      <div class="run-head">
        <h1>{seen(run.name) || seen(run.file)}</h1>
        <span class={`tag state ${run.state}`} role="status">
          {stateWord(run.state)}
        </span>
        {run.shared ? <span class="tag">shared</span> : null}
        {run.state === 'running' || (run.shared && run.state === 'waiting') ? (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        ) : null}
      </div>
      <p class="by">
        {seen(run.file)} · model {seen(page.model)} · {dayOf(run.started_at)}, {timeOf(run.started_at)}
        {tookOf(page)} · {counted(page.answers, 'answer')} stored · <code>{run.id}</code>
      </p>
      {problem ? <p class="problem">{problem}</p> : null}
      <Troubles page={page} />
      <StepPlots rows={rows} onPick={pick} />
      <div class="steps-head">
        <h2>{counted(rows.length, 'step')}</h2>
        <p class="quiet">tokens read → written, time</p>
      </div>
      <StepTree
        nodes={nodes}
        running={isAtWork(page)}
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
      {page.output && page.errors.length === 0 ? (
        <>
          <h2>Result</h2>
          <TextBox text={page.output.text} label="Result" />
        </>
      ) : null}
    </article>
  );
}

function Troubles({ page }: { page: RunPage }) {
  const { partial, damaged, run } = page;
  // Waiting for the person is no failure.
  const errors = run.state === 'awaiting_person' ? [] : page.errors;
  return (
    <>
      {errors.length > 0 ? (
        <ul class="warnings errors">
          {errors.map(({ reason, message, hint }, at) => (
            <li key={message}>
              {seen(message)} {hint === null || at < errors.length - 1 ? null : <span>{seen(hint)} </span>}
              <code>{seen(reason)}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {run.state === 'awaiting_person' ? (
        <p>
          It waits for your answer: <a href="/inbox">inbox</a>, or{' '}
          <code>{`bearings runs answer ${run.id}${run.shared ? ' --engine URL' : ''}`}</code>
        </p>
      ) : null}
      {run.state === 'failed' || run.state === 'stopped' || run.state === 'interrupted' ? (
        <p>
          Go on where it ended: <code>{`bearings runs resume ${run.id}${run.shared ? ' --engine URL' : ''}`}</code>
        </p>
      ) : null}
      {damaged > 0 ? (
        <p class="quiet">{counted(damaged, 'line')} of the journal can’t be read; resume does these steps again.</p>
      ) : null}
      {partial.total > 0 ? (
        <details class="partial">
          <summary>{counted(partial.total, 'partial result')} stored</summary>
          <dl>
            {partial.first.map(({ label, output }) => (
              <>
                <dt>{seen(label)}</dt>
                <dd>
                  <pre>{seen(output)}</pre>
                </dd>
              </>
            ))}
          </dl>
          {partial.total > partial.first.length ? (
            <p class="quiet">and {(partial.total - partial.first.length).toLocaleString('en')} more</p>
          ) : null}
        </details>
      ) : null}
    </>
  );
}

function isAtWork({ run }: RunPage): boolean {
  return run.state === 'running' || run.state === 'waiting';
}

function tookOf(page: RunPage): string {
  const { started_at, ended_at } = page.run;
  const end = ended_at ?? (isAtWork(page) ? new Date().toISOString() : null);
  return end === null ? '' : ` · ${durationOf(Date.parse(end) - Date.parse(started_at))}`;
}
