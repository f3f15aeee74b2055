import { isRecord, type JsonRecord, parseRecord } from '../json.ts';

/** What a person typed into a client, as its transcript keeps it. */
export interface Turn {
  text: string;
  /** An ISO time, or empty where the transcript has none. */
  at: string;
}

/** Takes the lines of one transcript in their order; null: nothing that a person typed. */
export interface TurnReader {
  take(line: string): Turn | null;
  /** What was open when the transcript ended. */
  end(): Turn | null;
}

/** Whether a folder that a record names is this project's. */
export type IsHere = (folder: string) => boolean;

// A line that can't be one of the person's is not parsed: nearly all of a transcript is answers and results.
const USER = /"(?:type|role)":\s?"(?:user|user_message|session_meta|turn_context)"/;

/** One reader for each form; `isHere` is asked where the records say in which folder they were made. */
export const READERS = {
  claude: (isHere: IsHere) => jsonLines((record) => claudeTurn(record, isHere)),
  codex: (isHere: IsHere) => {
    let isOurs = false;
    return jsonLines((record) => {
      const { payload } = record;
      if (!isRecord(payload)) return null;
      // A sub-agent's own transcript names what started it.
      if (record.type === 'session_meta')
        isOurs = typeof payload.cwd === 'string' && isHere(payload.cwd) && !isRecord(payload.source);
      else if (record.type === 'turn_context' && typeof payload.cwd === 'string') isOurs &&= isHere(payload.cwd);
      if (!isOurs || record.type !== 'event_msg' || payload.type !== 'user_message') return null;
      if (payload.kind !== undefined && payload.kind !== 'plain') return null;
      return turn(payload.message, record.timestamp);
    });
  },
  gemini: () => jsonLines((record) => (record.type === 'user' ? turn(textOf(record.content), record.timestamp) : null)),
  specstory: () => specStory(),
} as const satisfies Record<string, (isHere: IsHere) => TurnReader>;

function jsonLines(read: (record: JsonRecord) => Turn | null): TurnReader {
  return {
    take(line) {
      const record = USER.test(line) ? parseRecord(line) : null;
      return record ? read(record) : null;
    },
    end: () => null,
  };
}

// What a tool gave back, what a sub-agent was told, a summary and what a program sent all have the type `user` too.
function claudeTurn(record: JsonRecord, isHere: IsHere): Turn | null {
  const { type, message, cwd, entrypoint, origin, userType } = record;
  if (type !== 'user' || !isRecord(message) || message.role !== 'user') return null;
  const marks = ['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'toolUseResult', 'agentId'];
  if (marks.some((mark) => record[mark])) return null;
  if (userType !== undefined && userType !== 'external') return null;
  // `-p` and the SDKs: a program, which may be another agent.
  if (typeof entrypoint === 'string' && entrypoint.startsWith('sdk')) return null;
  if (isRecord(origin) && origin.kind !== 'human') return null;
  if (typeof cwd !== 'string' || !isHere(cwd)) return null;
  return turn(textOf(message.content), record.timestamp);
}

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const parts = content.filter(isRecord);
  if (parts.some(({ type, functionResponse }) => type === 'tool_result' || functionResponse !== undefined)) return null;
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}

/** Null: nothing that a person typed. */
export function turn(text: unknown, at: unknown): Turn | null {
  if (typeof text !== 'string' || text.trim() === '' || NOT_TYPED.test(text)) return null;
  return { text, at: typeof at === 'string' ? at : '' };
}

// Commands, notices of the client, summaries, what an editor puts before a prompt, and a prompt that a button of the editor types.
const NOT_TYPED =
  /^\s*(?:\/[\w:-]+(?:\s|$)|!|<[a-z][\w-]*[\s>]|caveat:|\[request interrupted|this session is being continued|api error|# (?:agents|claude)\.md|base directory for this skill)|\b(?:implement the plan as specified, it is attached|mark them as in_progress|for the code present, we get this error)\b/i;

const SPEAKER = /^_\*\*(User|Assistant|Agent|Tool)\b([^*]*)\*\*_\s*$/i;
const STAMP = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?/;
const TITLE = /^(?:# |<!-- ).*?(\d{4}-\d\d-\d\d[T_ ]\d\d[:-]\d\d)/;
const LONGEST_TURN = 64 * 1024;

// SpecStory's Markdown: whoever speaks next ends a turn; a line across the page does not, since people type those too.
function specStory(): TurnReader {
  let open: string[] | null = null;
  let size = 0;
  let at = '';
  let started = '';
  const close = (): Turn | null => {
    const text = open?.join('\n').replace(/\s*\n---\s*$/, '');
    open = null;
    return text === undefined ? null : turn(text, at || started);
  };
  return {
    take(line) {
      const [, speaker, rest = ''] = SPEAKER.exec(line) ?? [];
      if (speaker === undefined) {
        size += line.length;
        if (open && size <= LONGEST_TURN) open.push(line);
        else if (started === '') started = isoOf(TITLE.exec(line)?.[1] ?? '');
        return null;
      }
      const before = close();
      if (speaker.toLowerCase() === 'user' && !/sidechain/i.test(rest)) {
        [open, size, at] = [[], 0, isoOf(STAMP.exec(rest)?.[0] ?? '')];
      }
      return before;
    },
    end: close,
  };
}

function isoOf(stamp: string): string {
  const [day = '', time = ''] = stamp.split(/[T_ ]/);
  return time === '' ? day : `${day}T${time.replaceAll('-', ':')}`;
}
