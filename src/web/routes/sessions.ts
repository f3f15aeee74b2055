import type { Rooms } from '../../bearings.ts';
import { notFound } from '../../errors.ts';
import { cleanFile } from '../../safety/clean-file.ts';
import type { Ask, Page } from '../answers.ts';

const MAX_ROWS = 200;
const MAX_RECORDS = 2_000;
const MAX_CHARS = 400_000;
const MARK = /\[redacted:/g;

export function sessionRoutes({ bearings }: Page) {
  return {
    async 'GET /api/sessions'() {
      const all = await (await bearings.gate()).listSessions();
      return { total: all.length, rows: all.slice(0, MAX_ROWS) };
    },

    async 'GET /api/session'({ text }: Ask) {
      const { records, ...session } = await (await bearings.gate()).sessionRecords(
        text('id'),
        text('workspace') || null,
      );
      return { session, total: records.length, rows: records.slice(0, MAX_RECORDS) };
    },

    /** What rules of the person stopped: told as moments of a story. */
    async 'GET /api/stops'() {
      const all = await (await bearings.gate()).stops();
      return { total: all.length, rows: all.slice(0, MAX_ROWS) };
    },

    'GET /api/served': ({ text }: Ask) => servedView(bearings, text('sha256')),
  };
}

// A text that an agent was given.
async function servedView(bearings: Rooms, sha256: string) {
  const served = await (await bearings.gate()).servedText(sha256);
  if (served === null)
    throw notFound('This text is no longer stored.', 'How much is: bearings config get keep_served (in megabytes)');
  const text = masked(served);
  /** How many secrets were replaced by their class: this page shows none. */
  const count = (text.match(MARK)?.length ?? 0) - (served.match(MARK)?.length ?? 0);
  return { text: text.slice(0, MAX_CHARS), chars: text.length, masked: count };
}

// What is certainly a secret is replaced by its class, as in a bundle. Files that were edited past the gate may hold one.
export function masked(text: string): string {
  const { text: clean, refused } = cleanFile(text);
  return refused === undefined ? clean : `[redacted:${refused}]`;
}
