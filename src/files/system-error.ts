import { BearingsError } from '../errors.ts';

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
