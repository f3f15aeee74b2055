import { showHidden } from '../../safety/hidden-characters.ts';
import { childrenOf, type Problem, type Task } from '../../tasks/template/template.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, padTo, widthOf, wrap } from './columns.ts';

// On a screen a long hint goes on below itself.
export function problemLines(
  problems: readonly Problem[],
  { paint, interactive, columns }: Pick<Terminal, 'paint' | 'interactive' | 'columns'>,
): string[] {
  const places = problems.map(({ file, line, column }) => `${showHidden(file)}:${line}:${column}`);
  const width = Math.max(0, ...places.map(widthOf));
  const room = Math.max(30, Math.min(columns, 100) - width - 11);
  const hintLines = (hint: string): string[] => (interactive ? wrap(showHidden(hint), room) : [showHidden(hint)]);
  return problems.flatMap(({ severity, message, hint }, index) => [
    `${padTo(places[index] ?? '', width)}  ${paint(severity === 'error' ? 'red' : 'yellow', padTo(severity, 7))}  ${showHidden(message)}`,
    ...hintLines(hint).map((line) => `${' '.repeat(width + 11)}${paint('dim', line)}`),
  ]);
}

export function problemCount(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (problems.length === 0) return 'the template is valid';
  return [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** What was applied to each task, and where it came from. */
export function explain(root: Task) {
  const withChildren = (task: Task): Task[] => [task, ...childrenOf(task).flatMap(withChildren)];
  return withChildren(root).map(({ id, name, type, settings }) => {
    const { inheritContext, accumulateData, accumulationFormat, freshContext, origins } = settings;
    const applies = type === 'sequential' || type === 'director_evaluator_loop';
    const rows = [
      { setting: 'inherit_context', value: inheritContext, origin: origins.inherit_context },
      { setting: 'accumulate_data', value: applies ? String(accumulateData) : '–', origin: origins.accumulate_data },
      { setting: 'accumulation_format', value: accumulationFormat ?? '–', origin: origins.accumulation_format },
      { setting: 'fresh_context', value: freshContext, origin: origins.fresh_context },
    ];
    return { id, name, type, settings: rows };
  });
}

export function explainLines(task: Task, paint: Terminal['paint']): string[] {
  return explain(task).flatMap(({ id, name, type, settings }) => [
    `${paint('bold', showHidden(name))}   ${type}   ${paint('dim', id)}`,
    ...settings.map(
      ({ setting, value, origin }) =>
        `  ${padTo(setting, 19)}  ${padTo(value, 11)}  ${paint('dim', showHidden(origin.replace(/^.*\/(?=[^/]+:\d+$)/, '')))}`,
    ),
  ]);
}
