import { invalidInput, notFound } from '../../errors.ts';
import { explainStep, PARTS } from '../../tasks/explain-step.ts';
import type { Call, Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { ENGINE_OPTION, engineUrl } from '../engine-option.ts';
import { answerRun } from '../review/approvals.ts';
import { forReader } from '../views/for-reader.ts';
import { reportLines, runLines, stepLines } from '../views/runs-view.ts';
import { NO_WORKER, watchRun } from '../watch-run.ts';

export const command: Command = {
  summary: 'list runs, see what each step saw, resume one',
  usage: [
    'bearings runs [list]',
    'bearings runs show RUN [STEP] [--part NAME]',
    'bearings runs resume RUN',
    'bearings runs answer RUN',
    'bearings runs cancel RUN',
    'bearings runs watch RUN --engine URL',
  ],
  details: [
    'RUN is an id from the list, or last. STEP is a path from show, such as 1.2 or 1.inner:17.',
    'answer shows what a run waits for and asks you; then it continues.',
    'resume continues after a crash or a stop: what is finished is not asked again.',
    `Parts: ${PARTS.join(', ')}. Runs are kept in the folder runs of the home, or with --engine in the`,
    'database that workers share; watch follows one there until it ends.',
  ],
  options: {
    part: { type: 'string', value: 'NAME', about: 'with show: print this text of the step as it was' },
    events: { type: 'boolean', about: 'with resume and watch: print every event as a line of JSON' },
    engine: ENGINE_OPTION,
  },
  waitingFor: 'reading the runs',
  maxWords: 3,
  examples: [
    { line: 'bearings runs show last', about: 'the newest run, step by step' },
    { line: 'bearings runs show last 1.2 --part fresh', about: 'what it found in files' },
  ],
  async run(call) {
    const { words, terminal, bearings, json, text } = call;
    const [verb = 'list', run, step] = words;
    const sharedRuns = await bearings.sharedRuns();
    if (verb === 'list') {
      const url = engineUrl(text);
      const runs = await (url === null ? (await bearings.runs()).listRuns() : sharedRuns.listShared(url));
      if (json) terminal.print(JSON.stringify(runs, null, 2));
      else if (runs.length === 0) terminal.print('There are no runs yet. Start one: bearings run TEMPLATE');
      else for (const line of runLines(runs, new Date(), terminal)) terminal.print(line);
      return EXIT.done;
    }
    if (verb !== 'show' && verb !== 'resume' && verb !== 'cancel' && verb !== 'watch' && verb !== 'answer')
      throw invalidInput(
        `runs takes list, show, answer, resume, cancel or watch, not "${verb}".`,
        'See: bearings runs --help',
      );
    if (run === undefined) throw invalidInput(`Which run? "${verb}" needs an id or last.`, 'See all: bearings runs');
    if (verb === 'show') return show(call, run, step);
    if (step !== undefined) throw invalidInput(`"${step}" is one argument too many.`, 'See: bearings runs --help');
    if (verb === 'cancel') return cancel(call, run);
    if (verb === 'answer' && !(await answerRun(call, run))) {
      terminal.print('not answered: it still waits for you');
      return EXIT.done;
    }
    const url = engineUrl(text);
    if (verb === 'watch' && url === null)
      throw invalidInput('watch follows a run of a shared database.', 'Give its address: --engine URL');
    const { spec, state } = await (url === null
      ? (await bearings.runs()).showRun(run)
      : sharedRuns.showShared(url, run));
    if (state === 'complete' && !json) terminal.warn('the run is complete: this is its result');
    return watchRun(spec, call, async (watching) => {
      if (url === null) return (await bearings.runs()).resumeRun(run, watching);
      const shared = { ...watching, onNoWorker: () => terminal.warn(NO_WORKER) };
      const sharedRuns = await bearings.sharedRuns();
      return verb === 'watch' || verb === 'answer'
        ? sharedRuns.followRun(url, run, shared)
        : sharedRuns.resumeShared(url, run, shared);
    });
  },
};

async function show({ bearings, terminal, json, text }: Call, run: string, step: string | undefined): Promise<number> {
  const url = engineUrl(text);
  const report = await (url === null
    ? (await bearings.runs()).showRun(run)
    : (await bearings.sharedRuns()).showShared(url, run));
  if (step === undefined) {
    if (json) terminal.print(JSON.stringify(report, null, 2));
    else for (const line of reportLines(report, terminal)) terminal.print(line);
    return EXIT.done;
  }
  const record = report.seen.find(({ path }) => path === step);
  if (!record)
    throw notFound(`The run has no step ${step} that is recorded.`, `See them: bearings runs show ${report.id}`);
  const wanted = text('part');
  if (wanted === undefined) {
    const explained = explainStep(report, record);
    if (json) terminal.print(JSON.stringify(explained, null, 2));
    else for (const line of stepLines(explained, report, terminal)) terminal.print(line);
    return EXIT.done;
  }
  const part = PARTS.find((name) => name === wanted);
  if (!part) throw invalidInput(`A step has no part "${wanted}".`, `Parts: ${PARTS.join(', ')}.`);
  const { sha256, chars } = record[part];
  const stored = async (): Promise<string | null> =>
    url === null
      ? (await bearings.runs()).runText(report.id, sha256)
      : (await bearings.sharedRuns()).sharedText(url, report.id, sha256);
  const found = chars === 0 ? '' : await stored();
  if (found === null)
    throw notFound('This text is not stored: it is too large.', 'Its size and hash are in the record.');
  terminal.print(json ? JSON.stringify({ part, sha256, text: found }) : forReader(found, terminal));
  return EXIT.done;
}

async function cancel({ bearings, terminal, json, text }: Call, run: string): Promise<number> {
  const url = engineUrl(text);
  const state = await (url === null
    ? (await bearings.runs()).cancelRun(run)
    : (await bearings.sharedRuns()).cancelShared(url, run));
  if (json) terminal.print(JSON.stringify({ state }));
  else if (state === 'running') terminal.print('asked to stop; it has not ended yet');
  else
    terminal.print(state === 'stopped' ? `stopped · continue: bearings runs resume ${run}` : `it has ended: ${state}`);
  return state === 'running' ? EXIT.checkFailed : EXIT.done;
}
