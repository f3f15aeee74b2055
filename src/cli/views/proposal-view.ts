import { addedText } from '../../gate/proposals/proposal-diff.ts';
import type { SessionGroup } from '../../gate/proposals/session-groups.ts';
import type { ShownProposal } from '../../gate/propose.ts';
import { ruleNotes } from '../../memory/rules.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Style } from '../terminal/terminal.ts';
import { ageOf, fitTo, numberedRows, widthOf, wrapTo } from './columns.ts';

export interface ProposalView {
  columns: number;
  now: Date;
  paint(style: Style, text: string): string;
  /** Which of how many, and of those of its session. */
  place?: { index: number; total: number; group?: SessionGroup };
}

// A change in its surroundings: who, why, where, and the exact text. Escapes are shown, never obeyed.
export function proposalView(
  { proposal, where, diff, state, contradicts, declined }: ShownProposal,
  { columns, now, paint, place }: ProposalView,
): string {
  const width = Math.min(columns, 100);
  const head = place ? `${place.index} of ${place.total}   ` : '';
  const left = `${head}${showHidden(where)}`;
  const right = `proposed ${ageOf(proposal.created_at, now)} by ${showHidden(proposal.client)}`.replace('  ', ' ');
  const gap = width - widthOf(left) - widthOf(right);
  const out = [
    gap >= 2
      ? `${paint('bold', left)}${' '.repeat(gap)}${paint('dim', right)}`
      : `${paint('bold', left)}\n${paint('dim', right)}`,
  ];
  if (place?.group && place.group.total > 1)
    out.push(paint('dim', `         ${place.group.index} of ${place.group.total} that it proposed in one session`));
  const said = proposal.reason ? wrapTo(`"${showHidden(proposal.reason)}"`, width - 9) : [];
  out.push(...said.map((line) => `         ${line}`));
  if (proposal.category) out.push(paint('dim', `         category ${proposal.category}`));
  if (proposal.paths) out.push(paint('dim', `         for ${showHidden(proposal.paths.join(', '))}`));
  if (proposal.until) out.push(paint('dim', `         to review again on ${proposal.until}`));
  if (state === 'stale') out.push(paint('yellow', '         the block it replaces is gone: it can only be declined'));
  out.push('');
  for (const { mark, number, text } of diff) {
    const rows = numberedRows(text, columns, number, mark);
    out.push(...rows.map((row) => (mark === '+' ? paint('green', row) : mark === '-' ? paint('red', row) : row)));
  }
  const rules = ruleNotes(addedText(diff)).flatMap((note) => wrapTo(showHidden(note), width - 2));
  if (rules.length > 0) out.push('', ...rules.map((line) => paint('yellow', `  ${line}`)));
  if (contradicts.length > 0) out.push('');
  for (const { place, line, text } of contradicts)
    out.push(
      paint('yellow', fitTo(`  may contradict ${showHidden(place)} line ${line}: "${showHidden(text)}"`, width)),
    );
  if (declined) {
    const why = declined.reason === null ? '' : `, because: ${showHidden(declined.reason)}`;
    const words = `you declined nearly this ${ageOf(declined.at, now)}${why}`;
    out.push('', ...wrapTo(words, width - 2).map((line) => paint('yellow', `  ${line}`)));
  }
  return out.join('\n');
}
