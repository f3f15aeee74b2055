import { invalidInput, notFound } from '../../errors.ts';
import { SEEN_PARTS } from '../../tasks/engine.ts';
import { explainStep } from '../../tasks/explain-step.ts';
import { isOver } from '../../tasks/results.ts';
import {
  type Call,
  defineCommand,
  ENGINE_OPTION,
  EXIT,
  engineUrl,
  needed,
  oneOf,
  runsIn,
  subCommand,
} from '../command.ts';
import { answerRun } from '../review/approvals.ts';
import { counted, forReader } from '../views/columns.ts';
import { reportLines, runLines, stepLines } from '../views/runs-view.ts';
import { watchRun } from '../watch-run.ts';

const DEFAULT_CONCURRENCY = 4;

export const command = defineCommand({
  help: `
    bearings runs [list]
    bearings runs show RUN [STEP] [--part NAME]
    bearings runs resume|answer|cancel RUN
    bearings runs watch RUN --engine URL
    bearings runs worker --engine URL [--concurrency N]

    RUN is an id from the list, or last: the newest of this project. STEP is a path from show, such as 1.2 or 1.inner:17.
    answer shows what a run waits for and asks you; then it continues.
    resume continues after a crash or a stop: what is finished is not asked again.
    Parts: ${SEEN_PARTS.join(', ')}. Runs are kept in the folder runs of the home, or with --engine in the
    database that workers share; watch follows one there until it ends.

    worker takes runs and calls of models from the database, together with any number of others on any machine. Start
    it in a clone of the project: fresh context comes from there. It needs the same models in its home's config.yaml
    as the others. Ctrl-C lets what is under way finish; once more ends at once.

    --part NAME  with show: print this text of the step as it was
    --events  with resume and watch: print every event as a line of JSON
    --concurrency N  with worker: calls at the same time (default ${DEFAULT_CONCURRENCY})
    ${ENGINE_OPTION}

    bearings runs show last  the newest run of this project, step by step
    bearings runs show last 1.2 --part fresh  what it found in files
    bearings runs worker --engine postgres://host/bearings  until Ctrl-C
  `,
  maxWords: 3,
  async run(call) {
    const [verb, , more] = call.words;
    if (more !== undefined && verb !== 'show')
      throw invalidInput(`"${more}" is one argument too many.`, 'See: bearings runs --help');
    const verbs = { list, show, answer: goOn, resume: goOn, cancel, watch: goOn, worker: work };
    return subCommand(call, 'runs', verbs);
  },
});

function named({ words: [run] }: Call, verb: string): string {
  return needed(run, `Which run? "${verb}" needs an id or last.`, 'See all: bearings runs');
}

async function list({ bearings, terminal, answer, text, json }: Call): Promise<number> {
  const { listRuns, showRun, isHere } = await runsIn(bearings, engineUrl(text));
  const runs = await listRuns();
  // A failed one may only say the same again: `runs show` knows whether it does. One that was declined is over.
  const newest = json
    ? undefined
    : runs.find((run) => isHere(run) && ['interrupted', 'stopped', 'answered'].includes(run.state));
  const result = newest && (await showRun(newest.id)).result;
  const open = result && isOver(result) ? undefined : newest?.id;
  return answer(runs, () =>
    runs.length === 0
      ? 'There are no runs yet. Start one: bearings run TEMPLATE'
      : runLines(runs, new Date(), { paint: terminal.paint, columns: terminal.columns, open, isHere }),
  );
}

async function goOn(call: Call, verb: string): Promise<number> {
  const { bearings, terminal, json, answer } = call;
  const run = named(call, verb);
  if (verb === 'answer' && !(await answerRun(call, run)))
    return answer({ answered: false }, () => 'not answered: it still waits for you');
  const url = engineUrl(call.text);
  if (verb === 'watch' && url === null)
    throw invalidInput('watch follows a run of a shared database.', 'Give its address: --engine URL');
  const runs = await runsIn(bearings, url);
  const { spec, state } = await runs.showRun(run);
  if (state === 'complete' && !json) terminal.warn('the run is complete: this is its result');
  return watchRun(spec, call, async (watching) =>
    'followRun' in runs && verb !== 'resume' ? runs.followRun(run, watching) : runs.resumeRun(run, watching),
  );
}

async function show(call: Call): Promise<number> {
  const { bearings, terminal, answer, text } = call;
  const [, step] = call.words;
  const runs = await runsIn(bearings, engineUrl(text));
  const report = await runs.showRun(named(call, 'show'));
  if (step === undefined) return answer(report, () => reportLines(report, terminal));
  const record = report.seen.find(({ path }) => path === step);
  if (!record)
    throw notFound(`The run has no step ${step} that is recorded.`, `See them: bearings runs show ${report.id}`);
  const name = text('part');
  if (name === undefined) {
    const explained = explainStep(report, record);
    return answer(explained, () => stepLines(explained, report, terminal));
  }
  const part = await oneOf('--part', name, SEEN_PARTS);
  const { sha256, chars } = record[part];
  const whole = chars === 0 ? '' : await runs.runText(report.id, sha256);
  if (whole === null)
    throw notFound('This text is not stored: it is too large.', 'Its size and hash are in the record.');
  return answer({ part, sha256, text: whole }, () => forReader(whole, terminal));
}

async function cancel(call: Call): Promise<number> {
  const { bearings, answer, text } = call;
  const run = named(call, 'cancel');
  const state = await (await runsIn(bearings, engineUrl(text))).cancelRun(run);
  const ended = state === 'stopped' ? `stopped · continue: bearings runs resume ${run}` : `it has ended: ${state}`;
  const line = state === 'running' ? 'asked to stop; it has not ended yet' : ended;
  return answer({ state }, () => line, state !== 'running');
}

async function work({ text, number, bearings, terminal, json }: Call): Promise<number> {
  const example = 'For example: --engine postgres://host/bearings';
  const url = needed(engineUrl(text) ?? undefined, 'A worker needs the address of a database.', example);
  const concurrency = number('concurrency', 1, 256) ?? DEFAULT_CONCURRENCY;
  const ending = new AbortController();
  const onSignal = (): void => {
    if (ending.signal.aborted) process.exit(130);
    terminal.warn('ending; others take over its work');
    ending.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const ready = json ? JSON.stringify({ event: 'ready' }) : `ready   ${counted(concurrency, 'call')} at the same time`;
  const onReady = () => terminal.print(ready);
  await (await bearings.sharedRuns(url)).work({ concurrency, signal: ending.signal, onReady });
  return EXIT.done;
}
