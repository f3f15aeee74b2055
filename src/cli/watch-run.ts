import { setTimeout as delay } from 'node:timers/promises';
import type { RunWatch, StepRecord } from '../tasks/engine.ts';
import { awaitingOf, isOver } from '../tasks/results.ts';
import type { RunAnswer } from '../tasks/runs.ts';
import type { Task } from '../tasks/template/template.ts';
import { type Call, EXIT } from './command.ts';
import { counted, forReader, proposedWords } from './views/columns.ts';
import { createRunView, failureLines } from './views/run-view.ts';

const NO_WORKER = 'no worker is connected to this database yet   bearings runs worker --engine URL';
const MAX_PRINTED = 50;
// Of each task of the template; a task of a reduce runs once per input. The journal has them all.
const MAX_RECORDS = 100;
const REDRAW_MS = 100;

// A run as the person sees it: the tree or the lines while it goes on, its result, and what to do next.
export async function watchRun(
  { task, model }: { task: Task; model: string },
  call: Call,
  start: (watching: RunWatch & { onNoWorker(): void }) => Promise<RunAnswer>,
): Promise<number> {
  const { flag, terminal, json } = call;
  const records: StepRecord[] = [];
  const recorded = new Map<string, number>();
  const progress = startProgress(task, model, call);
  const { signal, release } = stopOnSignals(progress.say);
  const answer = await start({
    signal,
    onStarted: progress.onStarted,
    onEvent: progress.onEvent,
    onNoWorker: () => terminal.warn(NO_WORKER),
    onRecord(record) {
      const count = (recorded.get(record.id) ?? 0) + 1;
      recorded.set(record.id, count);
      if (json && count <= MAX_RECORDS) records.push(record);
      progress.onRecord?.(record);
    },
  }).finally(async () => {
    await release();
    progress.end?.();
  });
  const { run, state, result, proposal } = answer;
  const told = { run, state, result, proposal };
  if (flag('events')) terminal.print(JSON.stringify({ event: 'result', ...told }));
  else if (json) terminal.print(JSON.stringify({ ...told, steps: records }, null, 2));
  else printAnswer(answer, call, model);
  if (state === 'awaiting_person') return EXIT.awaitsPerson;
  if (result.status !== 'COMPLETE') return EXIT.checkFailed;
  if (proposal?.status === 'refused') return EXIT.checkFailed;
  return EXIT.done;
}

interface Progress extends Pick<RunWatch, 'onStarted' | 'onEvent' | 'onRecord'> {
  /** A word to the person, beside the tree. */
  say(text: string): void;
  end?(): void;
}

function startProgress(task: Task, model: string, { flag, terminal, json }: Call): Progress {
  const say = terminal.warn;
  const event = (data: object) => terminal.print(JSON.stringify(data));
  if (flag('events')) return { say, onStarted: (run) => event({ event: 'run', run }), onEvent: event };
  if (json) return { say };
  if (!terminal.interactive) return { say, onStarted: (run) => terminal.warn(`run     ${run}`) };
  const view = createRunView(task, { columns: terminal.columns, model, paint: terminal.paint });
  let drawn = 0;
  const said: string[] = [];
  const draw = (): void => {
    const lines = [...view.lines(Date.now()), ...said];
    // Line by line, not the whole screen: some terminals keep what is cleared at once in their history.
    const text = lines.map((line) => `${line}\u001b[K`).join('\n');
    const shorter = lines.length < drawn ? '\n\u001b[J\u001b[A' : '';
    terminal.write(`${drawn > 0 ? `\u001b[${drawn}A` : ''}${text}${shorter}\n`);
    drawn = lines.length;
  };
  const clock = setInterval(draw, REDRAW_MS);
  return {
    onEvent: (event) => view.onEvent(event, Date.now()),
    onRecord: view.onRecord,
    say(text) {
      said.push(text);
      draw();
    },
    end() {
      clearInterval(clock);
      draw();
    },
  };
}

/** Signals that come so close are one wish. */
const TOGETHER_MS = 100;

// Once: end cleanly, with what is done. Twice: at once; the journal has what was finished.
function stopOnSignals(say: (text: string) => void): { signal: AbortSignal; release(): Promise<void> } {
  const controller = new AbortController();
  let together: Promise<void> | null = null;
  const onSignal = (): void => {
    if (together) process.exit(130);
    together = delay(TOGETHER_MS);
    say('stopping; once more to end at once');
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    async release() {
      // A clean end may take no time at all: a second signal that came with the first is still heard.
      await together;
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

function printAnswer({ run, result, proposal }: RunAnswer, { terminal }: Call, model: string): void {
  for (const warning of result.notes.warnings ?? []) terminal.warn(`warning: ${warning}`);
  if (result.status === 'COMPLETE') {
    terminal.print(forReader(result.content, terminal));
    if (proposal?.status === 'refused')
      terminal.warn(`bearings: The result can't be proposed. ${proposal.message}\n          ${proposal.hint ?? ''}`);
    else if (proposal) terminal.warn(proposedWords(proposal));
    if (!terminal.interactive) return;
    terminal.warn(terminal.paint('dim', `what each step saw   bearings runs show ${run}`));
    if (model === 'extract')
      terminal.warn(terminal.paint('dim', 'by a model of yours  the same with --model NAME; see: bearings run --help'));
    return;
  }
  const awaiting = awaitingOf(result.notes.error);
  if (awaiting) {
    terminal.print(forReader(awaiting.shown, terminal));
    terminal.warn(forReader(`waits for you: ${awaiting.question}\nanswer   bearings runs answer ${run}`, terminal));
    return;
  }
  const partial = result.notes.partialResults ?? [];
  for (const { stepIndex, key, output } of partial.slice(0, MAX_PRINTED)) {
    const title = stepIndex === undefined ? `Result of ${key ?? ''}` : `Step ${stepIndex + 1}`;
    terminal.print(forReader(`${title}\n${output}\n`, terminal));
  }
  if (partial.length > MAX_PRINTED)
    terminal.print(`… ${counted(partial.length - MAX_PRINTED, 'more result')}: use --json`);
  for (const line of failureLines(result, terminal.paint)) terminal.warn(line);
  const soFar = `results so far   bearings runs show ${run}`;
  if (!isOver(result)) terminal.warn(`${soFar}\ngo on            bearings runs resume ${run}`);
  else terminal.warn(partial.length > 0 ? soFar : 'nothing was done: fix it, then run it again');
}
