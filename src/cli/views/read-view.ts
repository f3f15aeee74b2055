import { typedName } from '../../closest.ts';
import { codePointLength, splitLines } from '../../code-points.ts';
import type { Overview } from '../../gate/serve-context.ts';
import { NOTES_HEAD_LINES, NOTES_TAIL_LINES } from '../../memory/brief-and-notes.ts';
import { contextText } from '../../memory/context-text.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ageOf, counted, fitTo, grouped, table, widthOf, wrap } from './columns.ts';

// A screen stays one screen, whatever a file declares; --json has all of it.
const MAX_ROWS = 20;
const MAX_CONFLICTS = 3;
const NAME = 21;

type Row = [label: string, name: string, count: string, why: string];

// The first turn as a person sees it: every text an agent gets, its size, and why it is there.
export function readView(overview: Overview, { columns, paint }: Pick<Terminal, 'columns' | 'paint'>): string {
  const { warnings, workspace } = overview;
  const width = Math.min(columns, 100);
  const shown = rowsOf(overview).map(([label, name, count, why]) => [
    ...[`  ${label}`, fitTo(showHidden(name), NAME), count.padStart(9), showHidden(why)],
  ]);
  const told = warnings.slice(0, MAX_ROWS).flatMap((warning) => wrap(showHidden(warning), width - 2));
  const more = warnings.length - MAX_ROWS;
  return [
    `${paint('bold', idOf(overview))}  ${paint('dim', showHidden(workspace.folder))}`,
    ...table(shown, width).map((line) => line.trimEnd()),
    ...(warnings.length > 0 ? ['', paint('yellow', counted(warnings.length, 'warning'))] : []),
    ...told.map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${grouped(more)} more: read it with --json`] : []),
  ].join('\n');
}

function idOf({ workspace }: Overview): string {
  return workspace.id === null ? 'no workspace' : showHidden(workspace.id);
}

function rowsOf(overview: Overview): Row[] {
  const { context, workspace, lines } = overview;
  const { tastes, brief, notes, recent_log, recent_gaps } = context;
  const intent = splitLines(brief.intent).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const write = workspace.id === null ? '' : `write it: bearings edit brief ${typedName(idOf(overview))}`;
  const elided = lines.notes - NOTES_HEAD_LINES - NOTES_TAIL_LINES;
  const [log] = recent_log;
  const [gap] = recent_gaps;
  return [
    ['tastes', '_default', size(tastes.default), ''],
    ...tasteRows(overview),
    ...unaccountedRows(overview, 'tastes/'),
    ['brief', 'brief.md', size(brief.raw), intent ? `intent: ${intent}` : write],
    ...unaccountedRows(overview, 'brief.md'),
    [
      ...(['notes', 'notes.md', lines.notes === 0 ? 'empty' : counted(lines.notes, 'line')] as const),
      notes.truncated ? `shown ${NOTES_HEAD_LINES} + ${NOTES_TAIL_LINES}, ${grouped(elided)} elided` : '',
    ],
    ...unaccountedRows(overview, 'notes.md'),
    [
      ...(['log', log ? `last ${recent_log.length} of ${grouped(lines.log)}` : 'empty', ''] as const),
      log ? `newest ${[ageOf(log.timestamp, new Date()), log.op].filter(Boolean).join(': ')}` : '',
    ],
    [
      ...(['gaps', gap ? `last ${recent_gaps.length} of ${grouped(lines.gaps)}` : 'empty', ''] as const),
      gap ? `newest: "${gap.description}"` : '',
    ],
  ];
}

function size(text: string): string {
  return text === '' ? 'empty' : counted(splitLines(text).length, 'line');
}

function tasteRows({ context: { tastes, brief }, declaredAt }: Overview): Row[] {
  const declared = brief.tastes.map((name): Row => {
    const text = Object.hasOwn(tastes.genres, name) ? tastes.genres[name] : undefined;
    return [
      '',
      name,
      text === undefined ? 'missing' : size(text),
      `declared in brief.md:${declaredAt.get(name) ?? '?'}`,
    ];
  });
  const conflicts = tastes.conflicts.map(({ point, files }, at): Row => {
    const head = at === 0 ? counted(tastes.conflicts.length, 'conflict') : '';
    return ['', head, '', `"${fitTo(showHidden(point), 24)}"   ${files.join(', ')}`];
  });
  return [...bounded(declared, MAX_ROWS), ...bounded(conflicts, MAX_CONFLICTS)];
}

function bounded(rows: readonly Row[], most: number): Row[] {
  const more = rows.length - most;
  return [...rows.slice(0, most), ...(more > 0 ? [['', `and ${grouped(more)} more`, '', ''] satisfies Row] : [])];
}

// What no decision covers.
function unaccountedRows({ unaccounted }: Overview, files: 'tastes/' | 'brief.md' | 'notes.md'): Row[] {
  const total = unaccounted.filter(({ file }) => file.startsWith(files)).reduce((sum, { count }) => sum + count, 0);
  return total === 0 ? [] : [['', `${counted(total, 'block')} unaccounted`, '', 'bearings review']];
}

// Of ordinary text in English; a tokenizer would take a third of a second to load.
const CHARACTERS_OF_TOKEN = 4;

/** What it costs, and how to get it as data. */
export function costLine(text: string, { id, columns }: { id: string | null; columns: number }): string {
  const characters = codePointLength(text);
  const tokens = counted(Math.ceil(characters / CHARACTERS_OF_TOKEN), 'token');
  const left = `agent gets   ${counted(characters, 'character')}, about ${tokens}`;
  const right = id === null ? 'bearings read --json' : `bearings read --json ${typedName(showHidden(id))}`;
  const gap = Math.min(columns, 100) - widthOf(left) - widthOf(right);
  return gap >= 2 ? `${left}${' '.repeat(gap)}${right}` : `${left}\n             ${right}`;
}

// More than any context that an agent gets.
const WHOLE = 10_000_000;

/** The text itself, as an agent gets it. */
export function agentText({ served, workspace, unconfirmed }: Overview): string {
  return contextText(served, workspace.id ?? 'this work', WHOLE, unconfirmed);
}
