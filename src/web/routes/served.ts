import type { Rooms } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import { masked, maskedLines } from '../masked.ts';
import type { ServedView } from '../seen-wire.ts';

const MOST_LINES = 3_000;
const MOST_CHARS = 400_000;
const MARK = /\[redacted:/g;

// A text that an agent was given, and for each line of it where that comes from.
export async function servedView(
  bearings: Rooms,
  { sha256, workspace }: { sha256: string; workspace: string | null },
): Promise<ServedView> {
  const served = await (await bearings.gate()).servedLines(sha256, workspace === null ? null : { id: workspace });
  if (served === null)
    throw notFound('This text is no longer stored.', 'How much is: bearings config get keep_served (in megabytes)');
  const exact = masked(served.text);
  let room = MOST_LINES;
  const parts = served.parts.map(({ kind, file, lines }) => {
    const clean = maskedLines(lines.map(({ text }) => text));
    const all =
      clean === null
        ? masked(lines.map(({ text }) => text).join('\n'))
            .split('\n')
            .map((text) => ({ text, sources: [] }))
        : lines.map(({ sources }, at) => ({ text: clean[at] ?? '', sources: sources.map(withoutRecord) }));
    const shown = all.slice(0, room);
    room -= shown.length;
    return { kind, file, lines: shown };
  });
  const total = served.parts.reduce((sum, { lines }) => sum + lines.length, 0);
  const shownLines = parts.reduce((sum, { lines }) => sum + lines.length, 0);
  return {
    exact: { text: exact.slice(0, MOST_CHARS), chars: exact.length },
    masked: (exact.match(MARK)?.length ?? 0) - (served.text.match(MARK)?.length ?? 0),
    parts: parts.filter(({ lines }) => lines.length > 0),
    left_out: Math.max(0, total - shownLines),
  };
}

// The line itself is the record.
function withoutRecord<T extends { record: unknown }>(source: T): T {
  return { ...source, record: null };
}
