import type { Rooms } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import { cleanFile } from '../../safety/clean-file.ts';
import type { Ask, Page } from '../answers.ts';

const MAX_ROWS = 200;
const MAX_RECORDS = 400;
const MAX_LINES = 3_000;
const MAX_CHARS = 400_000;
const MARK = /\[redacted:/g;

export function sessionRoutes({ bearings, live }: Page) {
  return {
    async 'GET /api/sessions'({ number }: Ask) {
      const from = number('from');
      const all = await live.remembered('sessions', async () => (await bearings.gate()).listSessions());
      return { total: all.length, from, rows: all.slice(from, from + MAX_ROWS) };
    },

    async 'GET /api/session'({ text, number }: Ask) {
      const [id, workspace, from] = [text('id'), text('workspace') || null, number('from')];
      const { records, ...session } = await live.remembered(JSON.stringify(['session', id, workspace]), async () =>
        (await bearings.gate()).sessionRecords(id, workspace),
      );
      return { session, total: records.length, from, rows: records.slice(from, from + MAX_RECORDS) };
    },

    'GET /api/served': ({ text }: Ask) => servedView(bearings, text('sha256'), text('workspace')),
  };
}

// A text that an agent was given, and for each line of it where that comes from.
async function servedView(bearings: Rooms, sha256: string, workspace: string) {
  const served = await (await bearings.gate()).servedLines(sha256, workspace === '' ? null : { id: workspace });
  if (served === null)
    throw notFound('This text is no longer stored.', 'How much is: bearings config get keep_served (in megabytes)');
  const exact = masked(served.text);
  let room = MAX_LINES;
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
    exact: { text: exact.slice(0, MAX_CHARS), chars: exact.length },
    /** How many secrets were replaced by their class: this page shows none. */
    masked: (exact.match(MARK)?.length ?? 0) - (served.text.match(MARK)?.length ?? 0),
    parts: parts.filter(({ lines }) => lines.length > 0),
    /** Lines that are not shown: there are too many. */
    left_out: Math.max(0, total - shownLines),
  };
}

// The line itself is the record.
function withoutRecord<T extends { record: unknown }>(source: T): T {
  return { ...source, record: null };
}

// What is certainly a secret is replaced by its class, as in a bundle. Files that were edited past the gate may hold one.
export function masked(text: string): string {
  const { text: clean, refused } = cleanFile(text);
  return refused === undefined ? clean : `[redacted:${refused}]`;
}

/** Line by line; null where a secret spans several of them, so that they no longer make sense by themselves. */
function maskedLines(lines: readonly string[]): string[] | null {
  const text = lines.join('\n');
  const clean = masked(text);
  if (clean === text) return [...lines];
  const found = clean.split('\n');
  return found.length === lines.length ? found : null;
}
