import { codePointLength } from '../code-points.ts';
import { clipEnd, clipMiddle } from './clip-text.ts';
import { clipEvidence, EVIDENCE_LINE, evidenceLines } from './evidence.ts';
import type { Context } from './read-context.ts';

const HEAD = 'Context that the person keeps in Bearings for this work (read_context gives all of it):';
const MARKER_ROOM = 60;

// The context as text within a budget of UTF-16 units, as the client counts. What the person keeps comes first and is never cut
// for what agents wrote without a yes: that stands last, in what room is left.
export function contextText(context: Context, id: string, budget: number): string {
  const memory = memoryText(context, id, budget);
  const evidence = evidenceLines({ log: context.recent_log, gaps: context.recent_gaps }).join('\n');
  const title = `\n\n## ${EVIDENCE_LINE}\n`;
  const room = budget - memory.length - title.length;
  return evidence === '' || room < MARKER_ROOM ? memory : memory + title + clipEvidence(evidence, room);
}

// Shares are code points, the budget is UTF-16 units: where rare characters make it longer, everyone gets less.
function memoryText(context: Context, id: string, budget: number): string {
  for (let points = budget; ; points = Math.floor(points * 0.9)) {
    const text = sharedText(context, id, points);
    if (text.length <= budget) return text;
    if (points === 0) return text.slice(0, budget);
  }
}

// In the order of read_context. What is short is never cut; the rest shares what is left.
function sharedText(context: Context, id: string, budget: number): string {
  const sections = sectionsOf(context, id).map((section) => ({
    ...section,
    title: `## ${section.title}\n`,
    text: section.text.trimEnd(),
  }));
  const shown = sections.filter(({ text }) => text !== '');
  const frame = codePointLength(HEAD) + shown.reduce((sum, { title }) => sum + codePointLength(title) + 2, 0);
  const room = fairShares(
    shown.map(({ text }) => codePointLength(text)),
    Math.max(0, budget - frame),
  );
  const parts = shown.map(({ title, text, clip = clipEnd }, index) => {
    const share = room[index] ?? 0;
    if (codePointLength(text) <= share) return title + text;
    return share > MARKER_ROOM ? title + clip(text, share).text : null;
  });
  return [HEAD, ...parts.filter((part) => part !== null)].join('\n\n');
}

interface Section {
  title: string;
  text: string;
  clip?: typeof clipEnd;
}

function sectionsOf({ tastes, brief, notes }: Context, id: string): Section[] {
  const genres = Object.entries(tastes.genres).map(([name, text]) => ({ title: `Tastes: ${name}`, text }));
  const conflicts = tastes.conflicts.map(({ point, files }) => `- ${point} (${files.join(', ')})`);
  return [
    { title: 'Tastes', text: tastes.default },
    ...genres,
    { title: 'The same point stands in several tastes; ask the person', text: conflicts.join('\n') },
    { title: `Brief of ${id}`, text: brief.intent },
    // The newest notes stand at the end: they are never the ones that go.
    {
      title: notes.truncated ? 'Notes (shortened: read_full_notes has all)' : 'Notes',
      text: notes.summary,
      clip: clipMiddle,
    },
  ];
}

// Everyone gets what they need up to an equal share; what the small ones leave goes to the large ones.
function fairShares(sizes: readonly number[], total: number): number[] {
  const shares = sizes.map(() => 0);
  let open = sizes.map((_, index) => index);
  for (let left = total; open.length > 0; ) {
    const each = Math.floor(left / open.length);
    const small = open.filter((index) => (sizes[index] ?? 0) <= each);
    for (const index of small.length > 0 ? small : open) {
      shares[index] = Math.min(sizes[index] ?? 0, each);
      left -= shares[index] ?? 0;
    }
    if (small.length === 0) break;
    open = open.filter((index) => !small.includes(index));
  }
  return shares;
}
