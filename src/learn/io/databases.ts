import { fileURLToPath, pathToFileURL } from 'node:url';
import { orNull } from '../../errors.ts';
import type { OpenSqlite } from '../../files/lock.ts';
import { join, lstatOf } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { isRecord, type JsonRecord, parseJson, parseRecord } from '../../json.ts';
import { type IsHere, type Turn, turn } from '../person-turns.ts';
import { foldersIn } from './transcripts.ts';

/** A session that a client keeps in a database. */
export interface StoredSession {
  client: string;
  id: string;
  turns: Turn[];
}

const MOST_TURNS = 20_000;
const LONGEST_TURN = 64 * 1024;
const STORES = [
  { client: 'OpenCode', read: openCode },
  { client: 'Cursor', read: cursor },
] as const;

/** `places`: OpenCode's database, and Cursor's folder of the person. `open` is null where Node has no SQLite. */
export function readDatabases(places: { OpenCode: string; Cursor: string }, open: OpenSqlite | null, isHere: IsHere) {
  const sessions: StoredSession[] = [];
  const unread: { name: string; reason: string }[] = [];
  for (const { client, read } of STORES.filter((store) => lstatOf(places[store.client]) !== undefined)) {
    const found = open && orNull(() => read(places[client], readOnly(open), isHere));
    const reason = open
      ? 'its database has another form, or is in use'
      : 'they lie in a database, and this Node has no SQLite';
    if (found === null) unread.push({ name: `sessions of ${client}`, reason });
    else sessions.push(...found.filter(({ turns }) => turns.length > 0).map((each) => ({ client, ...each })));
  }
  return { sessions, unread };
}

type Rows = (sql: string, ...values: unknown[]) => JsonRecord[];
type Opener = <T>(path: string, use: (rows: Rows) => T) => T;
type Found = Omit<StoredSession, 'client'>[];

// Without a write-ahead log nobody has it open: nothing is made or locked beside it. With one, what is only there counts too.
function readOnly(open: OpenSqlite): Opener {
  return (path, use) => {
    const isInUse = (lstatOf(`${path}-wal`)?.size ?? 0) > 0;
    const database = open(`${pathToFileURL(path).href}?${isInUse ? 'mode=ro' : 'immutable=1'}`);
    try {
      return use((sql, ...values) => database.prepare(sql).all(...values) as JsonRecord[]);
    } finally {
      database.close();
    }
  };
}

function openCode(path: string, open: Opener, isHere: IsHere): Found {
  return open(path, (rows) =>
    rows('SELECT id, directory, permission FROM session WHERE parent_id IS NULL')
      .filter(({ directory, permission }) => isHere(String(directory)) && !isOfProgram(permission))
      .map(({ id }) => ({
        id: String(id),
        turns: rows(
          `SELECT part.data, part.time_created AS at FROM part JOIN message ON message.id = part.message_id
           WHERE part.session_id = ? AND json_extract(message.data, '$.role') = 'user' AND length(part.data) <= ${LONGEST_TURN}
           ORDER BY part.time_created LIMIT ${MOST_TURNS}`,
          id,
        ).flatMap(({ data, at }) => {
          const part = parseRecord(String(data));
          // Synthetic: what the client puts beside a prompt, such as a file that it names.
          const isTyped = part?.type === 'text' && !part.synthetic && !part.ignored;
          return (isTyped && turn(part.text, isoOf(at))) || [];
        }),
      })),
  );
}

// `opencode run` can't ask the person anything, and says so: a program, which may be another agent.
function isOfProgram(permission: unknown): boolean {
  const rules: unknown = typeof permission === 'string' ? parseJson(permission) : null;
  return (
    Array.isArray(rules) &&
    rules.some((rule) => isRecord(rule) && rule.permission === 'question' && rule.action === 'deny')
  );
}

// Each folder that was opened has a database that names its conversations; what was said lies in one for all.
function cursor(folder: string, open: Opener, isHere: IsHere): Found {
  const all = join(folder, 'globalStorage/state.vscdb');
  const ids = foldersIn(join(folder, 'workspaceStorage'))
    .filter((workspace) => {
      const opened = parseRecord(textOf(join(workspace, 'workspace.json'), workspace) ?? '')?.folder;
      return typeof opened === 'string' && opened.startsWith('file://') && isHere(fileURLToPath(opened));
    })
    .flatMap((workspace) => composersOf(join(workspace, 'state.vscdb'), open));
  if (ids.length === 0 || lstatOf(all) === undefined) return [];
  return open(all, (rows) =>
    ids.map((id) => ({
      id,
      turns: rows(
        `SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key >= ? AND key < ? AND length(value) <= 1048576
         AND json_valid(CAST(value AS TEXT)) AND json_extract(CAST(value AS TEXT), '$.type') = 1 LIMIT ${MOST_TURNS}`,
        `bubbleId:${id}:`,
        `bubbleId:${id};`,
      ).flatMap(({ value }) => {
        const bubble = parseRecord(String(value));
        const isShort = typeof bubble?.text === 'string' && bubble.text.length <= LONGEST_TURN;
        return (isShort && turn(bubble.text, isoOf(bubble.createdAt))) || [];
      }),
    })),
  );
}

function composersOf(path: string, open: Opener): string[] {
  if (lstatOf(path) === undefined) return [];
  return open(path, (rows) => {
    const [row] = rows("SELECT CAST(value AS TEXT) AS value FROM ItemTable WHERE key = 'composer.composerData'");
    const composers = parseRecord(String(row?.value ?? ''))?.allComposers;
    return (Array.isArray(composers) ? composers : []).flatMap((each) =>
      isRecord(each) && typeof each.composerId === 'string' ? [each.composerId] : [],
    );
  });
}

function isoOf(at: unknown): string {
  if (typeof at === 'number' && Math.abs(at) < 8.64e15) return new Date(at).toISOString();
  return typeof at === 'string' ? at : '';
}
