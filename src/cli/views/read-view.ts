import type { Overview } from '../../bearings.ts';
import { splitLines } from '../../lines.ts';
import { contextText } from '../../memory/context-text.ts';
import { NOTES_HEAD_LINES, NOTES_TAIL_LINES } from '../../memory/notes.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { typedName } from '../../typed-name.ts';
import type { Style } from '../terminal/terminal.ts';
import { ageOf, counted, fitTo, grouped, padTo, widthOf, wrap } from './columns.ts';

const LABEL = 9;
const NAME = 21;
const COUNT = 11;
// A screen stays one screen, whatever a file declares; --json has all of it.
const MOST_ROWS = 20;
const MOST_CONFLICTS = 3;

export interface ReadView {
  columns: number;
  now: Date;
  paint(style: Style, text: string): string;
}

// The first turn as a person sees it: every text an agent gets, its size, and why it is there.
export function readView(overview: Overview, { columns, now, paint }: ReadView): string {
  const { context, warnings, workspace, lines } = overview;
  const width = Math.min(columns, 100);
  const row = (label: string, name: string, count: string, why = '', style?: Style): string => {
    const left = `  ${paint('bold', padTo(label, LABEL))}${padTo(fitTo(name, NAME), NAME)}  ${count.padStart(COUNT)}`;
    const room = width - 2 - LABEL - NAME - 2 - COUNT - 3;
    const right = fitTo(why, Math.max(10, room));
    return `${left}   ${style ? paint(style, right) : right}`.trimEnd();
  };
  const lineCount = (text: string) => counted(splitLines(text).length, 'line');

  const out: string[] = [];
  const id = workspace.id === null ? 'no workspace' : showHidden(workspace.id);
  const folder = showHidden(workspace.folder);
  const gap = Math.max(2, width - widthOf(id) - widthOf(folder));
  out.push(`${paint('bold', id)}${' '.repeat(gap)}${paint('dim', folder)}`);

  out.push(row('tastes', '_default', context.tastes.default === '' ? 'empty' : lineCount(context.tastes.default)));
  for (const name of context.brief.tastes.slice(0, MOST_ROWS)) {
    const text = Object.hasOwn(context.tastes.genres, name) ? context.tastes.genres[name] : undefined;
    const why = `declared in brief.md:${overview.declaredAt.get(name) ?? '?'}`;
    out.push(
      row(
        '',
        showHidden(name),
        text === undefined ? 'missing' : lineCount(text),
        why,
        text === undefined ? 'yellow' : 'dim',
      ),
    );
  }
  const unshown = context.brief.tastes.length - MOST_ROWS;
  if (unshown > 0) out.push(row('', `and ${grouped(unshown)} more`, ''));
  for (const [index, { point, files }] of context.tastes.conflicts.entries()) {
    if (index === MOST_CONFLICTS) {
      out.push(row('', `and ${grouped(context.tastes.conflicts.length - MOST_CONFLICTS)} more`, ''));
      break;
    }
    const head = index === 0 ? counted(context.tastes.conflicts.length, 'conflict') : '';
    const names = files.map((file) => showHidden(file)).join(', ');
    const room = Math.max(12, width - LABEL - NAME - 9 - widthOf(names));
    const line = fitTo(`"${fitTo(showHidden(point), room)}"   ${names}`, width - LABEL - NAME - 4);
    out.push(`  ${' '.repeat(LABEL)}${paint('yellow', padTo(head, NAME))}  ${line}`);
  }

  out.push(...accountRows(overview, 'tastes/', row));

  const intent = splitLines(context.brief.intent).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  out.push(
    row(
      'brief',
      'brief.md',
      context.brief.raw === '' ? 'empty' : lineCount(context.brief.raw),
      intent ? `intent: ${showHidden(intent)}` : workspace.id === null ? '' : writeIt(id, width),
    ),
  );
  out.push(...accountRows(overview, 'brief.md', row));
  const shown = context.notes.truncated
    ? `shown ${NOTES_HEAD_LINES} + ${NOTES_TAIL_LINES}, ${grouped(lines.notes - NOTES_HEAD_LINES - NOTES_TAIL_LINES)} elided`
    : '';
  out.push(row('notes', 'notes.md', lines.notes === 0 ? 'empty' : counted(lines.notes, 'line'), shown));
  out.push(...accountRows(overview, 'notes.md', row));
  const [log] = context.recent_log;
  const logWhy = log ? `newest ${[ageOf(log.timestamp, now), log.op].filter(Boolean).join(': ')}` : '';
  out.push(
    row('log', log ? `last ${context.recent_log.length} of ${grouped(lines.log)}` : 'empty', '', showHidden(logWhy)),
  );
  const [newest] = context.recent_gaps;
  const gapWhy = newest ? `newest: "${newest.description}"` : '';
  out.push(
    row(
      'gaps',
      newest ? `last ${context.recent_gaps.length} of ${grouped(lines.gaps)}` : 'empty',
      '',
      showHidden(gapWhy),
    ),
  );

  if (warnings.length > 0) out.push('');
  const told = warnings.slice(0, MOST_ROWS);
  if (warnings.length > told.length)
    told.push(`and ${grouped(warnings.length - told.length)} more: read it with --json`);
  for (const [index, warning] of told.entries()) {
    const head = index === 0 ? counted(warnings.length, 'warning') : '';
    out.push(
      ...wrap(showHidden(warning), width - 13).map(
        (line, at) => `${paint('yellow', padTo(at === 0 ? head : '', 12))} ${line}`,
      ),
    );
  }
  return out.join('\n');
}

// The command whole, rather than the words before it: it is there to be copied.
function writeIt(id: string, width: number): string {
  const command = `bearings edit brief ${typedName(id)}`;
  const words = `write it: ${command}`;
  return widthOf(words) <= width - LABEL - NAME - COUNT - 7 ? words : command;
}

// What no decision covers.
function accountRows(
  { unaccounted }: Overview,
  files: 'tastes/' | 'brief.md' | 'notes.md',
  row: (label: string, name: string, count: string, why?: string, style?: Style) => string,
): string[] {
  const total = unaccounted.filter(({ file }) => file.startsWith(files)).reduce((sum, { count }) => sum + count, 0);
  return total === 0 ? [] : [row('', `${counted(total, 'block')} unaccounted`, '', 'bearings review', 'yellow')];
}

/** What it costs, and how to get it as data. */
export function costLine(
  characters: number,
  tokens: number,
  { id, columns }: { id: string | null; columns: number },
): string {
  const left = `agent gets   ${counted(characters, 'character')}, ${counted(tokens, 'token')}`;
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
