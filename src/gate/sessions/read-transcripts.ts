import { compareCodePoints } from '../../code-point-order.ts';
import { invalidInput, notFound } from '../../errors.ts';
import type { JsonRecord } from '../../json-record.ts';
import { servedStore } from '../../memory/io/served-store.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import { sessionsFolder } from '../domains/accounted-files.ts';
import {
  readTranscript,
  searchTranscript,
  summariseTranscript,
  type TranscriptFile,
  type TranscriptText,
  transcriptPaths,
} from '../io/transcript-reader.ts';
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

export interface SessionRecords extends SessionEntry, Omit<TranscriptText, 'entries' | 'torn'> {
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

const MOST_HITS = 200;

export function transcriptUseCases(app: AppContext) {
  // Undefined: everywhere; null: what belongs to the home.
  const placesOf = (settings: Settings, id: string | null | undefined) => {
    const home = { image_id: null, transcripts: transcriptPaths(sessionsFolder(settings, null), null) };
    if (id === null) return [home];
    if (id !== undefined) return [transcriptsOf(settings, settings.workspace({ id }))];
    return [home, ...settings.workspaces().map((each) => transcriptsOf(settings, each))];
  };

  const found = (settings: Settings, sessionId: string, id: string | null | undefined) => {
    const all = placesOf(settings, id).flatMap(({ image_id, transcripts }) =>
      bySession(transcripts.filter(({ session_id }) => session_id === sessionId)).map((files) => ({ image_id, files })),
    );
    const [first, second] = all;
    if (!first) throw notFound('There is no transcript of such a session.', 'See all: bearings sessions list');
    if (second)
      throw invalidInput(
        `Several workspaces have a session "${sessionId}".`,
        `Name the workspace too: bearings sessions show ${sessionId} ${second.image_id}`,
      );
    return first;
  };

  /** Without the texts that were served: those may be long. */
  const sessionRecords = async (sessionId: string, id?: string | null): Promise<SessionRecords> => {
    const { image_id, files } = found(await app.settings(), sessionId, id);
    const texts = files.map(readTranscript);
    const records = texts.flatMap(({ entries }) => entries);
    // Each file is in its order already, also where the clock was turned back.
    if (files.length > 1) records.sort((a, b) => compareCodePoints(String(a.at), String(b.at)));
    const unreadable = texts.reduce((sum, text) => sum + text.unreadable, 0);
    return { ...entryOf(image_id, files), records, unreadable, torn: texts.some(({ torn }) => torn) };
  };

  return {
    /** The newest first. */
    async listSessions(id?: string): Promise<SessionEntry[]> {
      const settings = await app.settings();
      const all = placesOf(settings, id).flatMap(({ image_id, transcripts }) =>
        bySession(transcripts).map((files) => entryOf(image_id, files)),
      );
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
      const settings = await app.settings();
      const hits: SessionHit[] = [];
      for (const { image_id, transcripts } of placesOf(settings, id)) {
        for (const each of transcripts) {
          const records = searchTranscript(each, words, MOST_HITS - hits.length);
          hits.push(...records.map((record) => ({ session_id: each.session_id, image_id, record })));
        }
      }
      return hits;
    },
  };
}

function transcriptsOf(settings: Settings, { id, folder, scope }: Workspace) {
  return { image_id: id, transcripts: transcriptPaths(sessionsFolder(settings, folder), scope) };
}

// One session is one file; but there may be two of the standing one, begun by two processes at once.
function bySession(transcripts: readonly TranscriptFile[]): TranscriptFile[][] {
  const sessions = new Map<string, TranscriptFile[]>();
  for (const each of transcripts) {
    const files = sessions.get(each.session_id);
    if (files) files.push(each);
    else sessions.set(each.session_id, [each]);
  }
  return [...sessions.values()];
}

function entryOf(image_id: string | null, files: readonly TranscriptFile[]): SessionEntry {
  const parts = files.map((each) => partOf(image_id, each));
  return parts.reduce((one, other) => {
    const [older, newer] = one.last_at <= other.last_at ? [one, other] : [other, one];
    const { client, started_at } = one.started_at <= other.started_at ? one : other;
    return { ...newer, client, started_at, entries: older.entries + newer.entries, torn: older.torn || newer.torn };
  });
}

function partOf(image_id: string | null, each: TranscriptFile): SessionEntry {
  const summary = summariseTranscript(each);
  const { first, last, end, entries, torn, session_id } = summary;
  return {
    session_id,
    image_id,
    client: String(first?.client ?? ''),
    started_at: String(first?.at ?? ''),
    last_at: String(last?.at ?? first?.at ?? ''),
    entries,
    state: stateOf(each, summary),
    ended: end === null ? null : String(end.reason),
    torn,
  };
}
