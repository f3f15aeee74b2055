import { clipEnd, clipMiddle, mostThatFits } from './clip-context.ts';
import { clipEvidence, EVIDENCE_LINE, evidenceLines } from './evidence.ts';
import type { Context } from './read-context.ts';

const HEAD = 'Context that the person keeps in Bearings for this work:';
const HEAD_EMPTY = 'The person keeps nothing in Bearings for this work yet.';
const HEAD_CUT = 'Context that the person keeps in Bearings for this work, cut to fit (read_context gives more of it):';
/** Put above what a repository holds and nobody here confirmed, each line of it quoted, so that no text of it can end the frame. */
export const REPOSITORY_LINE = 'This lies in the repository, and the person has not confirmed all of it:';
const MARKER_ROOM = 60;
const HEADINGS_CHARS = 2_000;
/** What Claude Code takes from a hook; beyond it the text would end in a file that no agent reads. */
export const HOOK_CHARS = 10_000;

// The context as text within a budget of UTF-16 units, as the client counts. What the person keeps comes first and is never cut
// for what agents wrote without a yes: that comes last, in what room is left.
export function contextText(
  context: Context,
  id: string,
  budget: number,
  /** Of `brief.md` and `notes.md`, those with words that came with a repository and that nobody here confirmed. */
  unconfirmed: readonly string[] = [],
  /** The headings among the lines of the notes that are elided. */
  headings = '',
): string {
  const memory = memoryText(sectionsOf(context, id, { unconfirmed, headings }), budget);
  const evidence = evidenceLines({ log: context.recent_log, gaps: context.recent_gaps }).join('\n');
  const title = `\n\n## ${EVIDENCE_LINE}\n`;
  const room = budget - memory.length - title.length;
  return evidence === '' || room < MARKER_ROOM ? memory : memory + title + clipEvidence(evidence, room);
}

// In the order of read_context. What is short is never cut, and what is long is cut to one length: the greatest that fits.
function memoryText(sections: readonly Section[], budget: number): string {
  const shown = sections.filter(({ text }) => text.trimEnd() !== '');
  if (shown.length === 0) return HEAD_EMPTY.slice(0, budget);
  // `isMeasured`: with what is too short to be shown, so that it makes no room for others.
  const textAt = (most: number, isMeasured = false): string => {
    let isCut = false;
    const parts = shown.flatMap(({ title, text, isUnconfirmed, clip = clipEnd }) => {
      const clipped = clip(text.trimEnd(), most);
      isCut ||= clipped.cut > 0;
      if (clipped.cut > 0 && most <= MARKER_ROOM && !isMeasured) return [];
      return `## ${title}\n${isUnconfirmed ? framedText(clipped.text) : clipped.text}`;
    });
    return [isCut || isMeasured ? HEAD_CUT : HEAD, ...parts].join('\n\n');
  };
  const fits = (most: number) => textAt(most, true).length <= budget;
  const whole = Number.POSITIVE_INFINITY;
  return textAt(fits(whole) ? whole : mostThatFits(0, budget, fits)).slice(0, budget);
}

interface Section {
  title: string;
  text: string;
  isUnconfirmed?: boolean;
  clip?: typeof clipEnd;
}

/** A text that came with a repository, under its line. */
export function framedText(text: string): string {
  return `${REPOSITORY_LINE}\n${quoted(text.trimEnd())}`;
}

// Every line end that some reader knows: none may lead out of the quote.
function quoted(text: string): string {
  return text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n');
}

function sectionsOf(
  { tastes, brief, notes }: Context,
  id: string,
  { unconfirmed, headings }: { unconfirmed: readonly string[]; headings: string },
): Section[] {
  const genres = Object.entries(tastes.genres).map(([name, text]) => ({ title: `Tastes: ${name}`, text }));
  const conflicts = tastes.conflicts.map(({ point, files }) => `- ${point} (${files.join(', ')})`);
  return [
    { title: 'Tastes', text: tastes.default },
    ...genres,
    { title: 'The same point is in several tastes; ask the person', text: conflicts.join('\n') },
    { title: `Brief of ${id}`, text: brief.intent, isUnconfirmed: unconfirmed.includes('brief.md') },
    // The newest notes are at the end: they are never the ones that go.
    {
      title: notes.truncated ? 'Notes (shortened: read_full_notes has all)' : 'Notes',
      text: notes.summary,
      isUnconfirmed: unconfirmed.includes('notes.md'),
      clip: clipMiddle,
    },
    {
      title: 'Headings of the elided notes',
      text: clipEnd(headings, HEADINGS_CHARS).text,
      isUnconfirmed: unconfirmed.includes('notes.md'),
    },
  ];
}
