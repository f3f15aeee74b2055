import type { Bundle, PartitionReport } from '../../loader/bundle/bundle.ts';
import type { DropReason, FileEntry } from '../../loader/bundle/fill.ts';
import { rangeWords } from '../../loader/bundle/line-ranges.ts';
import type { Slice } from '../../loader/bundle/partitions.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, fitMiddle, fitTo, grouped, padTo, widthOf, wrap } from './columns.ts';

type View = Pick<Terminal, 'columns' | 'paint'>;

const BAR = 20;
const LABEL = 16;
const SHOWN_FILES = 30;
const SLICE_WORDS: Record<Slice, string> = {
  control_plane: 'control plane',
  task: 'task',
  tactical: 'tactical',
  adapter: 'adapter',
};

// The bundle as a person sees it: how full each slice is, what is in and how much of it, what is out, and what next.
export function loadView(bundle: Bundle, { columns, paint }: View, notes: readonly string[]): string {
  const width = Math.min(columns, 120);
  const { bundle_sha256: hash, files } = bundle;
  const out: string[] = [];
  const about = bundle.task === '' ? 'in general' : `for "${showHidden(bundle.task)}"`;
  out.push(paint('bold', fitTo(`What an agent gets of this project ${about}`, width)));
  const key = `policy ${bundle.policy.name}   task key ${bundle.task_key}`;
  out.push(`${key}   bundle ${hash.slice(0, 4)}…${hash.slice(-2)}`);
  out.push('', `${' '.repeat(LABEL + BAR + 2)}${'files'.padStart(9)}${'characters'.padStart(18)}`);
  for (const slice of Object.keys(SLICE_WORDS) as Slice[]) {
    const report = bundle.budget.partitions[slice];
    if (report) out.push(sliceRow(slice, report, { bundle, width, paint }));
  }

  out.push('');
  for (const file of files.slice(0, SHOWN_FILES)) out.push(fileRow(file, { width, paint }));
  if (files.length > SHOWN_FILES) out.push(`      and ${grouped(files.length - SHOWN_FILES)} more: --json shows all`);
  if (files.length === 0) out.push('  nothing: no file of this folder is one that the policy looks for');

  const dropped = droppedWords(bundle);
  if (dropped !== null) out.push('', twoEnds(dropped, 'why: bearings explain PATH --task …', width));
  if (bundle.warnings.length > 0) {
    if (dropped === null) out.push('');
    const head = counted(bundle.warnings.length, 'warning');
    for (const [index, warning] of bundle.warnings.slice(0, 10).entries())
      for (const [at, line] of wrap(showHidden(warning), width - 14).entries())
        out.push(`${paint('yellow', padTo(index === 0 && at === 0 ? head : '', 13))} ${line}`);
    if (bundle.warnings.length > 10) out.push(`${' '.repeat(14)}and ${bundle.warnings.length - 10} more`);
  }
  out.push('', ...notes.flatMap((note) => wrap(note, width)), nextStep(bundle, width));
  return out.join('\n');
}

function sliceRow(
  slice: Slice,
  report: PartitionReport,
  { bundle, width, paint }: { bundle: Bundle; width: number; paint: View['paint'] },
): string {
  const on = slice === 'adapter' ? bundle.adapters.filter(({ status }) => status !== 'disabled') : [];
  const names = on.map(({ id }) => id).join(' ');
  const label = padTo(fitTo(`${SLICE_WORDS[slice]}${names ? `  ${names}` : ''}`, LABEL - 1), LABEL);
  const full = report.max_chars === null || report.max_chars === 0 ? 0 : report.used_chars / report.max_chars;
  const cells = full === 0 ? 0 : Math.max(1, Math.round(full * BAR));
  const bar = `${paint('green', '█'.repeat(cells))}${paint('dim', '░'.repeat(BAR - cells))}`;
  const of = (used: number, limit: number | null) => `${grouped(used)}/${limit === null ? 'no limit' : grouped(limit)}`;
  const files = of(report.used_files, report.max_files);
  const chars = of(report.used_chars, report.max_chars);
  const row = `  ${label}${bar}${files.padStart(9)}${chars.padStart(18)}`;
  const fresh = freshness(on);
  return fresh === '' ? row : `${row}${fitTo(`  ${fresh}`, Math.max(0, width - 2 - LABEL - BAR - 27))}`;
}

function freshness(adapters: Bundle['adapters']): string {
  if (adapters.some(({ status }) => status === 'degraded')) return 'degraded';
  if (adapters.some(({ stale }) => stale === true)) return 'stale';
  return adapters.length > 0 && adapters.every(({ stale }) => stale === false) ? 'fresh' : '';
}

function fileRow(file: FileEntry, { width, paint }: { width: number; paint: View['paint'] }): string {
  const note = width < 90 ? 26 : 44;
  const path = width - 4 - 10 - 8 - 4 - note;
  const left = `${String(file.rank).padStart(4)}  ${padTo(file.source_class === 'control_plane' ? 'control' : file.source_class, 8)} `;
  const middle = `${padTo(fitMiddle(showHidden(file.path), path), path)} ${grouped(file.chars).padStart(7)}`;
  return `${left}${middle}   ${paint('dim', fitTo(noteOf(file), note))}`.trimEnd();
}

function noteOf({ provenance, ranges = [], truncated, chars, total_chars, total_bytes, excerpt }: FileEntry): string {
  if (provenance.origin === 'adapter') {
    const [best, ...others] = provenance.items;
    const title = /^title: (.*)$/m.exec(excerpt)?.[1] ?? '';
    const more = others.length === 0 ? '' : `${counted(others.length + 1, 'item')}, `;
    return `${more}${best?.state ?? ''}${title === '' ? '' : `: ${showHidden(title)}`}`;
  }
  if (!truncated) return 'whole';
  if (ranges.length > 1 || (ranges[0]?.start ?? 1) > 1) return `lines ${rangeWords(ranges)}`;
  return `cut at ${grouped(chars)} of ${total_chars === null ? `${grouped(total_bytes)} bytes` : grouped(total_chars)}`;
}

const DROPPED: Record<DropReason, string> = {
  budget_files: 'beyond --max-files',
  budget_chars: 'beyond --max-total-chars',
  budget_tokens: 'beyond --max-tokens',
  low_value: 'too little about the task',
  duplicate: 'in already',
  unsafe: 'unsafe',
  unreadable: 'unreadable',
};

function droppedWords({ dropped, dropped_beyond }: Bundle): string | null {
  if (dropped.length === 0) return null;
  const counts = new Map<DropReason, number>();
  for (const { reason } of dropped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const beyond = dropped_beyond > 0 ? [`${grouped(dropped_beyond)} more`] : [];
  const parts = [...[...counts].map(([reason, count]) => `${count} ${DROPPED[reason]}`), ...beyond];
  return `left out ${grouped(dropped.length + dropped_beyond)}: ${parts.join(', ')}`;
}

function nextStep(bundle: Bundle, width: number): string {
  if (bundle.task === '') return twoEnds('say what the work is about', 'bearings load --task "fix the build"', width);
  if (bundle.files.length === 0) return twoEnds('what it looks for', 'bearings policy show', width);
  return twoEnds('as text for a prompt', 'the same command with --markdown', width);
}

function twoEnds(left: string, right: string, width: number): string {
  const gap = width - widthOf(left) - widthOf(right);
  return gap >= 2
    ? `${left}${' '.repeat(gap)}${right}`
    : `${left}\n${' '.repeat(Math.max(0, width - widthOf(right)))}${right}`;
}
