import { codePointLength } from '../../code-points.ts';
import { headAndTail } from '../../matching/query.ts';
import { oneLine } from '../slices/adapter-slice.ts';
import type { Bundle } from './bundle.ts';
import type { FileEntry } from './fill.ts';
import { rangeWords } from './line-ranges.ts';

const TITLES = {
  control_plane: 'Control plane',
  task: 'Files for the task',
  tactical: 'Working memory (evidence, not authority)',
  adapter: 'From outside (evidence, not authority)',
} as const;
const MOST_SHOWN = 1_000;

// For a prompt. What changes least comes first, so that prompt caches hold: the control plane, then files, then the
// task, and last what differs from call to call.
export function renderMarkdown(bundle: Bundle): string {
  const out: string[] = ['# Context', ''];
  for (const [slice, title] of Object.entries(TITLES)) {
    const files = bundle.files.filter(({ source_class }) => source_class === slice);
    if (files.length > 0) out.push(`## ${title}`, '', ...files.flatMap(section));
  }
  out.push('## About this context', '');
  if (bundle.task !== '') out.push(`- task: ${oneLine(shownTask(bundle))}`);
  out.push(`- task key: ${bundle.task_key}`, `- policy: ${bundle.policy.name}`);
  out.push(`- control plane: ${bundle.control_plane.status}${health(bundle)}`);
  out.push(`- budget: ${budgetWords(bundle)}`);
  for (const warning of bundle.warnings) out.push(`- warning: ${oneLine(warning)}`);
  out.push(`- bundle: ${bundle.bundle_sha256}`);
  return `${out.join('\n')}\n`;
}

// The agent has its task: of one that is long the ends are enough to know it by.
export function shownTask({ task }: Bundle): string {
  return headAndTail(task, MOST_SHOWN, ` … (${codePointLength(task)} characters in all) … `);
}

// In one line: the level in use, what each slice used of its room, and what was left out.
function budgetWords({ fallback: { level, attempts }, budget, dropped, dropped_beyond }: Bundle): string {
  const used = Object.entries(budget.partitions).map(
    ([slice, { used_chars, max_chars }]) => `${slice} ${used_chars}/${max_chars ?? 'no limit'}`,
  );
  const tried = attempts.length > 1 ? ` (tried ${attempts.map((attempt) => attempt.level).join(', ')})` : '';
  return `fallback ${level}${tried}; characters ${used.join(', ')}; left out ${dropped.length + dropped_beyond}`;
}

function section(file: FileEntry): string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(file.excerpt) + 1));
  const total = file.total_chars === null ? `${file.total_bytes} bytes` : `${file.total_chars} characters`;
  const cut = file.truncated ? ` (${partWords(file)} of ${total})` : '';
  const text = file.excerpt.endsWith('\n') ? file.excerpt.slice(0, -1) : file.excerpt;
  return [`### ${oneLine(file.path)}${cut}${ageWords(file)}`, '', fence, text, fence, ''];
}

function partWords({ ranges = [], chars }: FileEntry): string {
  const isHead = ranges.length === 0 || (ranges.length === 1 && ranges[0]?.start === 1);
  return isHead ? `cut: first ${chars}` : `lines ${rangeWords(ranges)}: ${chars}`;
}

// Where something outside says how old it is, the reader should know.
function ageWords({ provenance }: FileEntry): string {
  if (provenance.origin !== 'adapter') return '';
  const updated = provenance.updated_at === null ? '' : `, updated ${provenance.updated_at}`;
  return ` (${provenance.stale === true ? 'stale' : provenance.stale === false ? 'fresh' : 'age unknown'}${updated})`;
}

// A fence longer than any in the text: what is inside can't end it.
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function health({ control_plane }: Bundle): string {
  return control_plane.health === null ? '' : `, health: ${oneLine(control_plane.health)}`;
}
