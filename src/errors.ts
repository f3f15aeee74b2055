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

// Raw system text names absolute paths; these sentences are safe towards an agent and say what a person can fix.
const REASONS: Record<string, string> = {
  EACCES: 'there is no permission to open it',
  EPERM: 'there is no permission to open it',
  EISDIR: 'it is a directory',
  NOT_A_FILE: 'it is not a regular file',
  ENOTDIR: 'there is a file where a folder should be',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reported an error',
  EEXIST: 'it is already there',
  ENOTEMPTY: 'a folder with that name is already there',
  ENOENT: 'it is not there',
  EFBIG: 'it is too large (the limit is 256 MiB)',
  TOO_LARGE_HERE: 'it is too large (the limit is 4 MiB)',
  ERR_INVALID_ARG_VALUE: 'its name has a character that no name may have',
};
// Of these the one who named it is told: no disk is at fault.
const BAD_NAMES = new Set(['ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? 'the system could not open it';
}

// A failure of the system in our words; anything else is a defect and stays what it is.
export function ioError(what: string, error: unknown): unknown {
  if (error instanceof BearingsError || codeOf(error) === '') return error;
  return new BearingsError('io_error', `${what}: ${reasonOf(error)}.`, {
    hint: 'Check the folder and its permissions, then try again.',
    cause: error,
  });
}

/** What the system refused and no part of ours has put into words yet; null for anything else. */
export function systemFault(error: unknown): BearingsError | null {
  const code = codeOf(error);
  const reason = REASONS[code];
  if (reason === undefined) return null;
  return new BearingsError(BAD_NAMES.has(code) ? 'invalid_input' : 'io_error', `A file can't be used: ${reason}.`, {
    hint: 'Check the names you gave, the folders and their permissions.',
    cause: error,
  });
}

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
