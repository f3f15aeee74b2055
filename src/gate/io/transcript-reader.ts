import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { namesIn, staysInside } from '../../files/paths.ts';
import { readRange, whyNotOpened, withFile } from '../../files/read-file.ts';
import { isRecord, type JsonRecord, parseRecord } from '../../json.ts';
import { findHiddenCharacter } from '../../safety/hidden-characters.ts';
import { findCertainSecret } from '../../safety/secrets.ts';
import type { Settings } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import type { thisProcess } from './marks.ts';

/** A transcript's file, and what a link may not lead out of. */
export interface SessionFile {
  path: string;
  scope: string | null;
  session_id: string;
  image_id: string | null;
}

/** Of a workspace, or of the home. */
export function sessionsFolder({ home }: Pick<Settings, 'home'>, workspaceFolder: string | null): string {
  return join(workspaceFolder ?? home, 'sessions');
}

/** Those of a workspace, of the home (null), or all. */
export function transcriptsOf(settings: Settings, of: Workspace | null | 'all'): SessionFile[] {
  const places = of === 'all' ? [null, ...settings.workspaces()] : [of];
  return places.flatMap((workspace) => {
    const folder = sessionsFolder(settings, workspace?.folder ?? null);
    const { scope = null, id: image_id = null } = workspace ?? {};
    if (scope !== null && !staysInside(scope, folder)) return [];
    return transcriptNames(folder).map((name) => {
      const session_id = name.slice(name.indexOf('_') + 1, -'.jsonl'.length);
      return { path: join(folder, name), scope, session_id, image_id };
    });
  });
}

/** Its whole lines; what comes after the last line end is torn. `unreadable`: lines that hold no record. */
export function readTranscript({ path, scope }: Pick<SessionFile, 'path' | 'scope'>) {
  const read = withFile(path, scope, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
  const lines = (read.status === 'ok' ? read.value : '').split('\n');
  const torn = lines.pop() !== '';
  const entries = lines.map(parseRecord).filter(isRecord);
  return { entries, unreadable: lines.length - entries.length, torn };
}

/** What `take` makes of each record, with whose it is. */
export function fromRecords<T>(
  settings: Settings,
  of: Workspace | null | 'all',
  take: (
    record: JsonRecord,
    from: Pick<SessionFile, 'session_id' | 'image_id'> & { client: string; line: number },
  ) => T[],
): T[] {
  return transcriptsOf(settings, of).flatMap((file) => {
    const { session_id, image_id } = file;
    const { entries } = readTranscript(file);
    const client = String(entries[0]?.client ?? '');
    return entries.flatMap((record, at) => take(record, { session_id, image_id, client, line: at + 1 }));
  });
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

// One object a line, handed to the system at once; several are one write. An existing transcript is only ever added to. The
// header goes with the first entries: where two processes begin at once it may be there twice, but nothing comes before it.
export function appendTranscript(
  path: string,
  entries: readonly TranscriptEntry[],
  { now, scope, header }: { now: Date; scope: string | null; header?: TranscriptEntry },
): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, FLAGS, 0o600);
  try {
    const reason = whyNotOpened(scope, path, fd);
    if (reason !== null) throw new Error(`the transcript can't be written: ${reason}`);
    const { size } = fstatSync(fd);
    const all = size === 0 && header ? [header, ...entries] : entries;
    const at = now.toISOString();
    const lines = all.map(({ type, ...rest }) => `${JSON.stringify({ type, at, ...safeFields(type, rest) })}\n`);
    // A torn last line spoils only itself.
    const isTorn = size > 0 && readRange(fd, size - 1, 1)[0] !== 0x0a;
    writeSync(fd, `${isTorn ? '\n' : ''}${lines.join('')}`);
  } finally {
    closeSync(fd);
  }
}

// Where one was begun before. A home may hold two of the standing session: all processes add to the same one.
export function findTranscript(sessions: string, id: string): string | null {
  const name = transcriptNames(sessions).find((candidate) => candidate.endsWith(`_${id}.jsonl`));
  return name === undefined ? null : join(sessions, name);
}

function transcriptNames(sessions: string): string[] {
  return namesIn(sessions).filter((name) => name.endsWith('.jsonl'));
}

type Process = ReturnType<typeof thisProcess>;

export type TranscriptEntry =
  | ({ type: 'session_start'; client: string; version: string } & Pick<SessionFile, 'session_id' | 'image_id'> &
      Process)
  | { type: 'tool_call'; tool: string; arguments: Record<string, unknown> }
  | { type: 'tool_result'; tool: string; ok: boolean; status?: string; code?: string; chars: number }
  | { type: 'context_served'; sha256: string; chars: number; head?: string }
  | { type: 'proposal'; proposal: Record<string, unknown> }
  | { type: 'shown'; proposal_id: string; via: string }
  | ({ type: 'decision'; proposal_id: string; decision: string; via: string } & {
      client: string | null;
      reason?: string | undefined;
      edited_content?: string | undefined;
    })
  | { type: 'withdrawn'; proposal_id: string }
  | { type: 'discarded'; proposal_id: string; content: string; target: string }
  | { type: 'revived'; proposal_id: string }
  | { type: 'note'; text: string }
  | { type: 'stopped'; client: string; use: string; reason: string }
  | { type: 'session_end'; reason: string };

/** Proposals from the command line belong to one session of the workspace that never ends by itself. */
export const STANDING_SESSION = 'standing';

/** Deeper than this no record is kept: writing it as JSON would end with a stack overflow. */
export const MAX_RECORD_DEPTH = 100;

export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

// Nothing secret or invisible lasts in a record: such a text is kept as its class, length and hash.
export function safeEntry<T>(value: T): T {
  return isDeeperThan(value, MAX_RECORD_DEPTH) ? ({ refused: 'too_deep' } as T) : safeValue(value);
}

const OWN_WORDS = new Set<TranscriptEntry['type']>(['tool_result', 'context_served', 'session_end']);

// The same for the entries of one transcript: what holds our own words alone passes, and of a call only its arguments
// are somebody's text.
export function safeFields(type: TranscriptEntry['type'], rest: JsonRecord): JsonRecord {
  if (OWN_WORDS.has(type)) return rest;
  return type === 'tool_call' ? { ...rest, arguments: safeEntry(rest.arguments) } : safeEntry(rest);
}

// A secret may only show as one beside its name: password: hunter2
function safeValue<T>(value: T, name = ''): T {
  if (typeof value === 'string') return safeText(value, name) as T;
  if (Array.isArray(value)) return value.map((item) => safeValue(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, item]) => [
    safeText(key) === key ? key : 'refused',
    safeValue(item, key),
  ]);
  return Object.fromEntries(fields) as T;
}

function safeText(text: string, name = ''): string | object {
  const secret = findCertainSecret(text) ?? (name === '' ? undefined : findCertainSecret(`${name}: ${text}`));
  const refused = secret?.kind ?? (findHiddenCharacter(text) ? 'hidden_character' : null);
  return refused === null ? text : { refused, length: text.length, sha256: sha256(text) };
}
