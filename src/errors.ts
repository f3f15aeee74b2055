// Every failure that a face may show. Codes are a contract: callers branch on them, tests pin them.
export const ERROR_CODES = [
  'invalid_input',
  'not_found',
  'conflict',
  'awaiting_person',
  'stale',
  'too_many',
  'io_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetails {
  /** What to do next, in one sentence. */
  hint?: string;
  /** Values a caller may branch on. Never an absolute path, never raw system text. */
  data?: Record<string, unknown>;
  cause?: unknown;
}

// A name that somebody gave may have any length; a sentence has not.
const MOST_CHARS = 2_000;

function clipped(message: string): string {
  return message.length <= MOST_CHARS ? message : `${message.slice(0, MOST_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export class BearingsError extends Error {
  override readonly name = 'BearingsError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(clipped(message), { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.data = details.data ?? {};
  }
}

const faultOf = (code: ErrorCode) => (message: string, hint?: string, data?: Record<string, unknown>) =>
  new BearingsError(code, message, { ...(hint ? { hint } : {}), ...(data ? { data } : {}) });

export const invalidInput = faultOf('invalid_input');
export const notFound = faultOf('not_found');
export const conflict = faultOf('conflict');
export const stale = faultOf('stale');
export const awaitingPerson = faultOf('awaiting_person');
export const tooMany = faultOf('too_many');
export const ioFault = faultOf('io_error');

// What Node's own parser says of a command line, in the words that every other command has for it.
export function argumentFault(error: unknown): string {
  const [said = ''] = (error as Error).message.split(/[.\n]/);
  const [, unknown] = /^Unknown option '(.+)'$/.exec(said.trim()) ?? [];
  return unknown === undefined ? `${said.trim()}.` : `There is no option ${unknown}.`;
}

/** What is asked of the system or of a text from outside, where no answer is an answer: null where it fails. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
