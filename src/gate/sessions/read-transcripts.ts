import { compareCodePoints } from '../../code-point-order.ts';
import { invalidInput, notFound } from '../../errors.ts';
import type { JsonRecord } from '../../json-record.ts';
import { servedStore } from '../../memory/io/served-store.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { readTranscript, searchTranscript, summariseTranscript, transcriptsOf } from '../io/transcript-reader.ts';
import { type SessionState, stateOf } from './sessions.ts';

export interface SessionEntry {
  session_id: string;
  image_id: string | null;
  client: string;
  started_at: string;
  /** Of the last entry. */
  last_at: string;
  entries: number;
  state: SessionState;
  /** What its footer says; null without one. */
  ended: string | null;
  torn: boolean;
}

export interface SessionRecords extends SessionEntry {
  unreadable: number;
  records: JsonRecord[];
}

export interface SessionTranscript extends SessionRecords {
  /** The exact texts that were served, by hash; null where one is no longer stored. */
  served: Record<string, string | null>;
}

export interface SessionHit {
  session_id: string;
  image_id: string | null;
  record: JsonRecord;
}

const MAX_HITS = 200;

export function transcriptUseCases(app: AppContext) {
  // Undefined: everywhere; null: what belongs to the home.
  const sessionsIn = (settings: Settings, id: string | null | undefined) =>
    bySession(transcriptsOf(settings, id === undefined ? 'all' : id === null ? null : settings.workspace({ id })));

  const found = (settings: Settings, sessionId: string, id: string | null | undefined) => {
    const all = sessionsIn(settings, id).filter(([file]) => file?.session_id === sessionId);
    const [first, second] = all;
    if (!first) throw notFound('There is no transcript of such a session.', 'See all: bearings sessions list');
    if (second)
      throw invalidInput(
        `Several workspaces have a session "${sessionId}".`,
        `Name the workspace too: bearings sessions show ${sessionId} ${second[0]?.image_id}`,
      );
    return first;
  };

  /** Without the texts that were served: those may be long. */
  const sessionRecords = async (sessionId: string, id?: string | null): Promise<SessionRecords> => {
    const files = found(await app.settings(), sessionId, id);
    const texts = files.map(readTranscript);
    const records = texts.flatMap(({ entries }) => entries);
    // Each file is in its order already, also where the clock was turned back.
    if (files.length > 1) records.sort((a, b) => compareCodePoints(String(a.at), String(b.at)));
    const unreadable = texts.reduce((sum, text) => sum + text.unreadable, 0);
    return { ...entryOf(files), records, unreadable, torn: texts.some(({ torn }) => torn) };
  };

  return {
    /** The newest first. */
    async listSessions(id?: string): Promise<SessionEntry[]> {
      const all = sessionsIn(await app.settings(), id).map(entryOf);
      return all.sort((a, b) => compareCodePoints(b.last_at, a.last_at));
    },

    sessionRecords,

    async readSession(sessionId: string, id?: string): Promise<SessionTranscript> {
      const settings = await app.settings();
      const session = await sessionRecords(sessionId, id);
      const { records } = session;
      const store = servedStore(settings.home, settings.number('keep_served'), app.now);
      const hashes = records.flatMap(({ type, sha256 }) => (type === 'context_served' ? [String(sha256)] : []));
      const served = Object.fromEntries([...new Set(hashes)].map((hash) => [hash, store.read(hash)]));
      return { ...session, served };
    },

    async searchSessions(words: string, id?: string): Promise<SessionHit[]> {
      if (words.trim() === '')
        throw invalidInput('What should be searched for?', 'For example: bearings sessions search WB');
      const files = sessionsIn(await app.settings(), id).flat();
      const hits = files.flatMap((file) =>
        searchTranscript(file, words, MAX_HITS).map((record) => {
          const { session_id, image_id } = file;
          return { session_id, image_id, record };
        }),
      );
      return hits.slice(0, MAX_HITS);
    },
  };
}

type SessionFile = ReturnType<typeof transcriptsOf>[number];

// One session is one file; but there may be two of the standing one, begun by two processes at once.
function bySession(transcripts: readonly SessionFile[]): SessionFile[][] {
  const sessions = new Map<string, SessionFile[]>();
  for (const file of transcripts) {
    const key = `${file.image_id ?? ''}/${file.session_id}`;
    sessions.set(key, [...(sessions.get(key) ?? []), file]);
  }
  return [...sessions.values()];
}

function entryOf(files: readonly SessionFile[]): SessionEntry {
  return files.map(partOf).reduce((one, other) => {
    const [older, newer] = one.last_at <= other.last_at ? [one, other] : [other, one];
    const { client, started_at } = one.started_at <= other.started_at ? one : other;
    return { ...newer, client, started_at, entries: older.entries + newer.entries, torn: older.torn || newer.torn };
  });
}

function partOf(file: SessionFile): SessionEntry {
  const summary = summariseTranscript(file);
  const { first, last, end, entries, torn } = summary;
  return {
    ...{ session_id: file.session_id, image_id: file.image_id, client: String(first?.client ?? ''), entries, torn },
    ...{ started_at: String(first?.at ?? ''), last_at: String(last?.at ?? first?.at ?? '') },
    ...{ state: stateOf(file, summary), ended: end === null ? null : String(end.reason) },
  };
}
