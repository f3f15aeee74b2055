import { showHidden } from '../../safety/hidden-characters.ts';
import type { RunEvent, StepRecord } from '../../tasks/engine.ts';
import { awaitingOf, type TaskError, type TaskResult } from '../../tasks/results.ts';
import { childrenOf, type Task } from '../../tasks/template/template.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, fitTo, grouped, padTo } from './columns.ts';

interface Row {
  task: Task;
  stem: string;
  state: 'waits' | 'runs' | 'done' | 'failed' | 'asks';
  startedAt: number;
  endedAt: number;
  inputs: { done: number; total: number | null; key: string } | null;
  tokens: { read: number; written: number } | null;
}

const MAX_ROWS = 24;
const BAR = 14;
const TYPE_WORDS: Partial<Record<Task['type'], string>> = { director_evaluator_loop: 'loop' };

// The tree of a run: sequences open, reduces as one row with their inputs counted.
export function createRunView(root: Task, view: { columns: number; model: string; paint: Terminal['paint'] }) {
  const rows = rowsOf(root);
  const byId = new Map(rows.map((row) => [row.task.id, row]));
  const rootRow = byId.get(root.id) as Row;
  return {
    onEvent(event: RunEvent, now: number): void {
      const row = event.inputPath.length === 0 ? byId.get(event.id) : undefined;
      if (!row) return;
      if (event.event === 'started') [row.state, row.startedAt] = ['runs', now];
      else if (event.event === 'inputs') row.inputs = event;
      else if (event.event === 'ended') [row.state, row.endedAt] = [endOf(event), now];
    },
    onRecord({ id, inputPath, inherited, accumulated, fresh, results, output }: StepRecord): void {
      const row = inputPath.length === 0 ? byId.get(id) : undefined;
      const read = inherited.tokens + accumulated.tokens + fresh.tokens + results.tokens;
      if (row) row.tokens = { read, written: output.tokens };
    },
    lines(now: number): string[] {
      const head = `${padTo(nameOf(root), 24)}  ${padTo(root.type, 12)}${clock(now - (rootRow.startedAt || now))}   model ${view.model}`;
      const shownRows = rows.filter((row) => row !== rootRow || rows.length === 1).slice(0, MAX_ROWS);
      const more = rows.length - 1 - shownRows.length;
      return [
        fitTo(head, view.columns),
        ...shownRows.flatMap((row) => rowLines(row, now)).map((line) => fitTo(line, view.columns)),
        ...(more > 0 ? [` … ${counted(more, 'more step')}`] : []),
      ];
    },
  };
}

function rowFor(task: Task, stem: string): Row {
  return { task, stem, state: 'waits', startedAt: 0, endedAt: 0, inputs: null, tokens: null };
}

function rowsOf(root: Task, stem = '', isLast = true): Row[] {
  const row = rowFor(root, root.role === 'step' ? `${stem}${isLast ? ' └' : ' ├'}` : '');
  const below = root.role === 'step' ? `${stem}${isLast ? '  ' : ' │'}` : '';
  if (root.type === 'director_evaluator_loop') {
    const parts = childrenOf(root);
    return [row, ...parts.map((part, at) => rowFor(part, `${below}${at === parts.length - 1 ? ' └' : ' ├'}`))];
  }
  if (root.type === 'call') return [row, ...rowsOf(root.target, stem, isLast).slice(1)];
  if (root.type !== 'sequential') return [row];
  return [row, ...root.steps.flatMap((step, index) => rowsOf(step, below, index === root.steps.length - 1))];
}

const MARKS: Record<Row['state'], string> = { waits: '·', runs: '●', done: '✓', failed: '✗', asks: '?' };

// Waiting for the person is no failure.
function endOf({ status, result }: Extract<RunEvent, { event: 'ended' }>): 'done' | 'failed' | 'asks' {
  if (status === 'COMPLETE') return 'done';
  return awaitingOf(result.notes.error) ? 'asks' : 'failed';
}

function rowLines(row: Row, now: number): string[] {
  const left = `${row.stem} ${MARKS[row.state]} ${padTo(fitTo(nameOf(row.task), 22), 22)}  ${padTo(TYPE_WORDS[row.task.type] ?? row.task.type, 10)}  `;
  if (row.inputs && row.state === 'runs' && row.task.type === 'director_evaluator_loop')
    return [`${left}round ${row.inputs.done} of at most ${row.inputs.total} done`];
  if (row.inputs && row.state === 'runs' && row.task.type === 'reduce') {
    const below = `${row.stem.replace(/├$/, '│').replace(/└$/, ' ')}    last: ${fitTo(showHidden(row.inputs.key), 40)}`;
    const [bar, time] = inputsText(row.inputs, now - row.startedAt);
    return [`${left}${bar}   ${row.task.concurrency} at once`, `${padTo(below, 56)}${time}`];
  }
  const { settings } = row.task;
  const sees = `${settings.inheritContext}${settings.freshContext === 'enabled' ? '+fresh' : ''}`;
  const tokens = row.tokens ? `${grouped(row.tokens.read)} → ${grouped(row.tokens.written)} tokens` : '';
  const inputs = row.inputs ? counted(row.inputs.done, row.task.type === 'reduce' ? 'input' : 'round') : '';
  const time = row.endedAt > 0 ? `${((row.endedAt - row.startedAt) / 1000).toFixed(1)} s` : '';
  return [`${left}${padTo(sees, 13)}  ${[inputs, tokens, time].filter((part) => part !== '').join('  ')}`];
}

// What is done, and how long the rest will take.
function inputsText({ done, total }: NonNullable<Row['inputs']>, elapsed: number): [string, string] {
  if (total === null) return [`${counted(done, 'input')} done`, ''];
  const full = total === 0 ? BAR : Math.floor((done / total) * BAR);
  const left = done > 0 ? `about ${clock((elapsed / done) * (total - done))} left` : '';
  return [`${'█'.repeat(full)}${'░'.repeat(BAR - full)}  ${grouped(done)} of ${grouped(total)}`, left];
}

// What was kept, for a person who has to go on by hand.
export function failureLines(result: TaskResult, paint: Terminal['paint']): string[] {
  const { error } = result.notes;
  if (!error) return [];
  const head = `bearings: ${showHidden(error.message)}`;
  const hint = error.hint ? [`          ${showHidden(error.hint)}`] : [];
  const done: string[] = [];
  for (let at: TaskError | undefined = error; at?.type === 'TASK_FAILURE'; at = at.details?.cause) {
    const partial = at.details?.partialResults ?? [];
    if (partial[0]) done.push(counted(partial.length, partial[0].stepIndex === undefined ? 'input' : 'step'));
  }
  return [paint('red', head), ...hint, ...(done.length > 0 ? [paint('dim', `finished: ${done.join(', ')}`)] : [])];
}

function nameOf(task: Task): string {
  return showHidden(task.name) || task.type;
}

function clock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
