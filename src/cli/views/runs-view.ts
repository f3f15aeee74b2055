import { showHidden } from '../../safety/hidden-characters.ts';
import type { RunReport, RunState, RunSummary, StepRecord } from '../../tasks/engine.ts';
import { type ExplainedStep, foundBy, tokensRead } from '../../tasks/explain-step.ts';
import { isOver } from '../../tasks/results.ts';
import type { Style, Terminal } from '../terminal/terminal.ts';
import { ageOf, counted, fitMiddle, fitTo, grouped, padTo, table, widthOf } from './columns.ts';

type Look = Pick<Terminal, 'paint' | 'columns'>;

const STYLES: Record<RunState, Style> = {
  waiting: 'dim',
  running: 'bold',
  complete: 'green',
  failed: 'red',
  stopped: 'yellow',
  interrupted: 'yellow',
  awaiting_person: 'yellow',
  answered: 'yellow',
};
const MAX_LISTED = 50;
const MAX_STEPS = 200;

// As a person reads it; programs get the state itself.
function stateWords(state: RunState): string {
  return state === 'awaiting_person' ? 'waits for you' : state;
}

export function runLines(
  runs: readonly RunSummary[],
  now: Date,
  { paint, columns, open, isHere }: Look & { open: string | undefined; isHere(run: RunSummary): boolean },
): string[] {
  // At 80 columns the template can be read.
  const lines = table(
    runs
      .slice(0, MAX_LISTED)
      .map((run) => [
        ...[run.id, stateWords(run.state), fitTo(showHidden(run.name), Math.max(12, columns - 67))],
        ...[ageOf(run.startedAt, now), `${lastOf(run.file)}${isHere(run) ? '' : ` in ${lastOf(run.project)}`}`],
      ]),
    columns,
  );
  const more = runs.length > MAX_LISTED ? [`… ${counted(runs.length - MAX_LISTED, 'older run')}: use --json`] : [];
  const next = [
    `look into one    bearings runs show ${runs[0]?.id ?? 'last'}`,
    ...(open ? [`go on with one   bearings runs resume ${open}`] : []),
  ];
  return [...lines, ...more, '', ...next.map((line) => paint('dim', line))];
}

const lastOf = (path: string): string => showHidden(path.split(/[/\\]/).at(-1) ?? '');

export function reportLines(report: RunReport, look: Look): string[] {
  const { id, state, name, spec, steps, seen, result, damaged } = report;
  const { paint, columns } = look;
  const about = [id, stateWords(state), `model ${showHidden(spec.model)}`];
  const shownName = fitTo(showHidden(name), Math.max(20, columns - widthOf(about.join('   ')) - 3));
  const head = [shownName, id, paint(STYLES[state], stateWords(state)), about[2]].join('   ');
  const stored = `${counted(steps, 'answer')} stored`;
  const width = Math.min(30, Math.max(4, ...seen.slice(0, MAX_STEPS).map(({ path }) => path.length)));
  const rows = seen.slice(0, MAX_STEPS).map((record) => fitTo(rowOf(record, width, state), columns));
  const partial = result?.notes.partialResults?.length ?? 0;
  const first = seen[0]?.path;
  return [
    head,
    `${fitMiddle(showHidden(spec.file), columns - widthOf(stored) - 3)}   ${stored}`,
    '',
    ...(rows.length > 0
      ? [paint('dim', `${padTo('step', width)}  ${' '.repeat(24)}${padTo('tokens read', 12)}  written`)]
      : []),
    ...rows,
    ...(seen.length > MAX_STEPS ? [`… ${counted(seen.length - MAX_STEPS, 'more step')}: use --json`] : []),
    ...(damaged > 0
      ? ['', `${counted(damaged, 'line')} of the journal can't be read; resume does these steps again`]
      : []),
    ...(result?.notes.error ? ['', paint(STYLES[state], showHidden(result.notes.error.message))] : []),
    ...(partial > 0 ? [`${counted(partial, 'partial result')}: bearings runs show ${id} --json`] : []),
    '',
    ...goOn(report),
    ...(first ? [`what it saw      bearings runs show ${id} ${first}`] : []),
  ];
}

// What was given is wrong: to go on would only say so again.
function goOn({ id, state, result }: RunReport): string[] {
  if (state === 'complete' || state === 'running') return [];
  if (result && isOver(result)) return ['it is over: fix that, then run it again'];
  return [
    state === 'awaiting_person'
      ? `answer           bearings runs answer ${id}`
      : `go on            bearings runs resume ${id}`,
  ];
}

function rowOf(record: StepRecord, width: number, state: RunState): string {
  const { path, name, key, status, output } = record;
  // In a run that waits for the person nothing has failed: what is not complete waits too.
  const mark = status === 'COMPLETE' ? '✓' : state === 'awaiting_person' ? '?' : '✗';
  const shown = padTo(fitMiddle(showHidden(key ?? name), 22), 22);
  const read = grouped(tokensRead(record));
  return `${padTo(path, width)}  ${mark} ${shown}${read.padStart(11)}  ${grouped(output.tokens).padStart(8)}`;
}

export function stepLines(step: ExplainedStep, { id: run, state }: RunReport, { paint, columns }: Look): string[] {
  const { path, name, key, type, status, model, parts, matches, warnings } = step;
  const ended = status === 'FAILED' && state === 'awaiting_person' ? stateWords(state) : status;
  const shown = parts.filter(({ part, chars }) => chars > 0 || part !== 'results');
  const rows = shown.flatMap(({ part, chars, tokens, sha256, from, why }) => {
    const size = chars === 0 ? 'nothing' : `${grouped(chars)} characters, ${grouped(tokens)} tokens`;
    const hash = chars === 0 ? '' : `   ${paint('dim', sha256.slice(0, 12))}`;
    return [
      `  ${padTo(part, 11)}  ${size}${hash}`,
      ...(from === '' || chars === 0 ? [] : [`               from  ${showHidden(from)}`]),
      ...(why === '' ? [] : [`               why   ${showHidden(why)}`]),
    ];
  });
  const width = Math.min(40, Math.max(0, ...matches.map(([file]) => widthOf(showHidden(file)))));
  const files = matches.map(([file, why]) =>
    fitTo(`  ${padTo(showHidden(file), width)}  ${showHidden(foundBy(why).join('   '))}`, columns),
  );
  const [largest] = [...shown].filter(({ part }) => part !== 'output').sort((a, b) => b.chars - a.chars);
  return [
    `${paint('bold', showHidden(key === undefined ? name : `${name} · ${key}`))}   ${path}   ${type}   ${ended}${model === null ? '' : `   model ${showHidden(model)}`}`,
    '',
    ...rows,
    ...(warnings.length > 0 ? ['', ...warnings.map((warning) => paint('yellow', `  ${showHidden(warning)}`))] : []),
    ...(files.length > 0 ? ['', `files found   ${files.length}`, ...files] : []),
    '',
    `bearings runs show ${run} ${path} --part ${largest?.part ?? 'question'}`,
  ];
}
