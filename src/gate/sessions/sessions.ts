import { codePointLength, compareCodePoints } from '../../code-points.ts';
import { invalidInput, ioError, notFound, orNull } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { headOf } from '../../files/folders.ts';
import { assertWritable } from '../../files/lock.ts';
import { join } from '../../files/paths.ts';
import { appendLine, fileMode } from '../../files/write-file.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
import { servedStore } from '../../memory/io/memory-files.ts';
import { type Gap, toGap } from '../../memory/read-context.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import { assertStaysInside, type Workspace } from '../../settings/io/workspace-folders.ts';
import { withSettings } from '../../settings/resolve.ts';
import { VERSION } from '../../version.ts';
import { workspaceOf } from '../domains/accounted-files.ts';
import { isAlive, randomId, thisProcess } from '../io/marks.ts';
import {
  appendTranscript,
  findTranscript,
  fromRecords,
  isDeeperThan,
  MAX_RECORD_DEPTH,
  readTranscript,
  type SessionFile,
  STANDING_SESSION,
  safeEntry,
  sessionsFolder,
  type TranscriptEntry,
  transcriptsOf,
} from '../io/transcript-reader.ts';
import type { Proposal } from '../proposals/proposal.ts';

/** One agent's work in a workspace, or in none (then it belongs to the home). */
export type Session = ReturnType<typeof sessionIn>;

export interface ServedCall {
  tool: string;
  arguments: Record<string, unknown>;
  /** The project that was read; undefined: the person's current folder. Left out where only memory was. */
  root?: string | undefined;
}

const MAX_DETAILS_CHARS = 20_000;

type GapText = 'intent' | 'intent_category' | 'missing_capability' | 'snapshot_hash' | 'notes' | 'workaround';

export interface GapInput extends Partial<Record<GapText, string | undefined>> {
  description: string;
  operations_involved?: readonly string[] | undefined;
  vocabulary_used?: readonly string[] | undefined;
  satisfaction?: number | null | undefined;
}

// Nothing is on the disk before the first entry; a transcript that is there already is added to. Without an id it is a new one.
export function sessionIn(
  app: AppContext,
  settings: Settings,
  workspace: Workspace | null,
  { session_id, client }: { client: string; session_id?: string },
) {
  const folder = sessionsFolder(settings, workspace?.folder ?? null);
  const session = { session_id: session_id ?? randomId(6), client, image_id: workspace?.id ?? null };
  const start = `${app.now().toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const store = servedTexts(app, settings);
  const known = session_id === undefined ? null : findTranscript(folder, session_id);
  // Processes that begin the standing one at once may make a file each: whoever reads takes them for one session.
  const path = known ?? join(folder, `${start}_${session.session_id}.jsonl`);
  const header = { type: 'session_start', ...session, version: VERSION, ...thisProcess() } as const;
  let isBegun = false;
  let isOver = false;
  /** Adds to the transcript; a disk that refuses is told once and does not stop the work. */
  const record = (...entries: TranscriptEntry[]): void => {
    if (isOver) return;
    try {
      if (workspace && !isBegun) assertStaysInside(workspace, 'sessions');
      isBegun = true;
      appendTranscript(path, entries, { now: app.now(), scope: workspace?.scope ?? null, header });
    } catch {
      isOver = true;
    }
  };
  return {
    ...session,
    /** Of its workspace. Never part of an answer. */
    folder: workspace?.folder ?? null,
    record,
    /** What the agent got, as its hash; with the call that it answers. */
    served(text: string, call: ServedCall | null = null): void {
      const [hash, chars] = [sha256(text), text.length];
      store.keep(text, hash);
      const place = call && 'root' in call ? (call.root ?? app.cwd) : workspace?.folder;
      const head = place === undefined ? null : headOf(place);
      // Sizes and hashes, not texts: those are in a store of the home, under their hash.
      const entry = { type: 'context_served', sha256: hash, chars, ...(head !== null && { head }) } as const;
      if (call) {
        const { tool, arguments: given } = call;
        record({ type: 'tool_call', tool, arguments: given }, { type: 'tool_result', tool, ok: true, chars }, entry);
      } else record(entry);
    },
    end(reason: string): void {
      if (isBegun) record({ type: 'session_end', reason });
      // A call that was cut off may still come to its end: the footer stays the last word.
      isOver = true;
    },
  };
}

/** The exact texts that were served, by hash. */
export function servedTexts(app: AppContext, settings: Settings) {
  return servedStore(settings.home, settings.number('keep_served'), app.now);
}

export function sessionUseCases(app: AppContext) {
  return withSettings(app, {
    openSession(settings, target: TargetLike | null, client: string): Session {
      const workspace = target === null ? null : settings.workspace(target);
      closeInterrupted(app, settings, workspace);
      return sessionIn(app, settings, workspace, { client });
    },

    /** One that was begun before, also by another process: to end it. */
    resumeSession(settings, sessionId: string, id: string | undefined): Session {
      const isOfAny = id === undefined && sessionId !== STANDING_SESSION;
      const workspaces = isOfAny ? settings.workspaces() : [settings.workspace({ id })];
      const holds = (workspace: Workspace | null) =>
        findTranscript(sessionsFolder(settings, workspace?.folder ?? null), sessionId) !== null;
      const found = [...workspaces, null].find(holds);
      if (found === undefined) throw notFound('There is no such session.', 'See all: bearings sessions list');
      return sessionIn(app, settings, found, { session_id: sessionId, client: 'command line' });
    },

    // Proposals from the command line belong to one session of the workspace that never ends by itself.
    standingSession(settings, target: TargetLike | null, client: string): Session {
      const workspace = target === null ? null : settings.workspace(target);
      return sessionIn(app, settings, workspace, { session_id: STANDING_SESSION, client });
    },

    async logOperation(settings, target: TargetLike, op: string, details: Record<string, unknown>) {
      await assertWritable();
      if (op.trim() === '' || codePointLength(op) > 200)
        throw invalidInput('op must be a short name, not blank.', 'For example: apply_primitive');
      const taken = ['timestamp', 'op'].find((name) => Object.hasOwn(details, name));
      if (taken) throw invalidInput(`details may not hold "${taken}": the log sets it.`, 'Use another name for it.');
      if (isDeeperThan(details, MAX_RECORD_DEPTH - 1) || codePointLength(JSON.stringify(details)) > MAX_DETAILS_CHARS)
        throw invalidInput('details are too large.', 'Log the result, not the data.');
      const workspace = settings.workspace(target);
      const timestamp = app.now().toISOString();
      appendRecord(workspace, 'log.jsonl', { timestamp, op, ...details });
      return { timestamp, op };
    },

    async logGap(settings, target: TargetLike, sessionId: string | null, input: GapInput): Promise<Gap> {
      await assertWritable();
      if (input.description.trim() === '') throw invalidInput('description is blank.', 'Say what was missing.');
      if (codePointLength(JSON.stringify(input)) > MAX_DETAILS_CHARS)
        throw invalidInput('The record is too large.', 'Shorten it.');
      const { workaround, satisfaction = null, ...said } = input;
      if (satisfaction !== null && ![-1, 0, 1].includes(satisfaction))
        throw invalidInput('satisfaction must be -1, 0, 1 or null.', 'Leave it out if you do not know.');
      const workspace = settings.workspace(target);
      const gap = toGap({
        ...{ ...said, satisfaction, ...(workaround !== undefined && { workaround }) },
        ...{ timestamp: app.now().toISOString(), image_id: workspace.id, session_id: sessionId },
        snapshot_hash: input.snapshot_hash ?? headOf(workspace.folder),
      });
      appendRecord(workspace, 'vocabulary_gaps.jsonl', gap);
      return gap;
    },
  });
}

// Evidence lasts too: a secret in it is kept as class, length and hash.
export function appendRecord({ folder, scope }: Workspace, file: string, record: object): void {
  try {
    appendLine(join(folder, file), JSON.stringify(safeEntry(record)), { mode: fileMode(scope), scope });
  } catch (error) {
    throw ioError("The record can't be written", error);
  }
}

// A start looks at the newest alone: `sessions` tells the state of every one without a footer too.
const LOOKED_AT = 20;

// A process that was killed could write no footer: whoever starts next writes it.
function closeInterrupted(app: AppContext, settings: Settings, workspace: Workspace | null): void {
  for (const file of transcriptsOf(settings, workspace).slice(-LOOKED_AT)) {
    const { records, ended, state } = readFiles([file]);
    if (ended !== null || records.length === 0 || state !== 'interrupted') continue;
    const footer = { type: 'session_end', reason: 'interrupted' } as const;
    // A transcript that can't be written is shown as interrupted all the same.
    orNull(() => appendTranscript(file.path, [footer], { now: app.now(), scope: file.scope }));
  }
}

// What happens to a proposal is in the transcript of the session that made it, whichever face it happened on.
export function recordFor(app: AppContext, settings: Settings, proposal: Proposal, entry: TranscriptEntry): void {
  const { session_id, client, image_id } = proposal;
  sessionIn(app, settings, workspaceOf(settings, image_id), { session_id, client }).record(entry);
}

/** Proposals of a session that the person had whole before them on a screen that could decide them. */
export function shownIn(settings: Settings, sessionId: string, imageId: string | null): Set<unknown> {
  const shown = fromRecords(settings, workspaceOf(settings, imageId), ({ type, proposal_id }, { session_id }) =>
    type === 'shown' && session_id === sessionId ? [proposal_id] : [],
  );
  return new Set(shown);
}

/** Every proposal that a transcript holds, as it says: anybody may have written it. */
export function recordedProposals(settings: Settings): Proposal[] {
  return fromRecords(settings, 'all', ({ type, proposal }, { session_id }) =>
    type === 'proposal' && isRecord(proposal) && typeof proposal.content === 'string'
      ? [{ ...(proposal as unknown as Proposal), session_id }]
      : [],
  );
}

export type SessionEntry = Omit<ReturnType<typeof readFiles>, 'records' | 'unreadable'>;

export type SessionTranscript = ReturnType<ReturnType<typeof transcriptUseCases>['readSession']>;

export interface SessionHit extends Pick<SessionFile, 'session_id' | 'image_id'> {
  record: JsonRecord;
}

const MAX_HITS = 200;

export function transcriptUseCases(app: AppContext) {
  // Undefined: everywhere; null: what belongs to the home.
  const placeOf = (settings: Settings, id: string | null | undefined) =>
    id === undefined ? 'all' : id === null ? null : settings.workspace({ id });

  /** Without the texts that were served: those may be long. */
  const sessionRecords = (settings: Settings, sessionId: string, id?: string | null) => {
    const all = bySession(transcriptsOf(settings, placeOf(settings, id)));
    const [first, second] = all.filter(([file]) => file?.session_id === sessionId);
    if (!first) throw notFound('There is no transcript of such a session.', 'See all: bearings sessions list');
    if (second)
      throw invalidInput(
        `Several workspaces have a session "${sessionId}".`,
        `Name the workspace too: bearings sessions show ${sessionId} ${second[0]?.image_id}`,
      );
    return readFiles(first);
  };

  return {
    /** The newest first. */
    listSessions(settings: Settings, id?: string): SessionEntry[] {
      const all = bySession(transcriptsOf(settings, placeOf(settings, id))).map(readFiles);
      all.sort((a, b) => compareCodePoints(b.last_at, a.last_at));
      return all.map(({ records: _, unreadable: _count, ...session }) => session);
    },

    sessionRecords,

    readSession(settings: Settings, sessionId: string, id?: string) {
      const session = sessionRecords(settings, sessionId, id);
      const store = servedTexts(app, settings);
      const hashes = session.records.flatMap(({ type, sha256 }) => (type === 'context_served' ? [String(sha256)] : []));
      const served = Object.fromEntries([...new Set(hashes)].map((hash) => [hash, store.read(hash)]));
      /** The exact texts that were served, by hash; null where one is no longer stored. */
      return { ...session, served };
    },

    searchSessions(settings: Settings, words: string, id?: string): SessionHit[] {
      if (words.trim() === '')
        throw invalidInput('What should be searched for?', 'For example: bearings sessions search WB');
      // As it is in the file: quotes and line ends are escaped there.
      const written = JSON.stringify(words).slice(1, -1).toLowerCase();
      const hits = fromRecords(settings, placeOf(settings, id), (record, { session_id, image_id }) =>
        JSON.stringify(record).toLowerCase().includes(written) ? [{ session_id, image_id, record }] : [],
      );
      return hits.slice(0, MAX_HITS);
    },
  };
}

// One session is one file; but there may be two of the standing one, begun by two processes at once.
function bySession(transcripts: readonly SessionFile[]): SessionFile[][] {
  const sessions = new Map<string, SessionFile[]>();
  for (const file of transcripts) {
    const key = `${file.image_id ?? ''}/${file.session_id}`;
    sessions.set(key, [...(sessions.get(key) ?? []), file]);
  }
  return [...sessions.values()];
}

// What may happen to a proposal when its session is over.
const AFTER_THE_END = new Set<unknown>(['shown', 'decision', 'revived']);
const CUT_OFF = new Set(['interrupted', 'expired', 'stopped']);

function readFiles(files: readonly SessionFile[]) {
  const texts = files.map(readTranscript);
  const records = texts.flatMap(({ entries }) => entries);
  // Each file is in its order already, also where the clock was turned back.
  if (files.length > 1) records.sort((a, b) => compareCodePoints(String(a.at), String(b.at)));
  const { session_id = '', image_id = null } = files[0] ?? {};
  const { client, at, pid, host } = records[0] ?? {};
  const unreadable = texts.reduce((sum, text) => sum + text.unreadable, 0);
  // The footer; what was decided later may come after it.
  const own = records.findLast(({ type }) => !AFTER_THE_END.has(type));
  const ended = own?.type === 'session_end' ? String(own.reason) : null;
  const isCut = ended === null ? session_id !== STANDING_SESSION && isAlive(pid, host) === false : CUT_OFF.has(ended);
  const state: 'open' | 'ended' | 'interrupted' = isCut ? 'interrupted' : ended === null ? 'open' : 'ended';
  return {
    ...{ session_id, image_id, client: String(client ?? ''), entries: records.length + unreadable },
    ...{ started_at: String(at ?? ''), last_at: String(records.at(-1)?.at ?? at ?? '') },
    ...{ state, ended, unreadable, records, torn: texts.some(({ torn }) => torn) },
  };
}
