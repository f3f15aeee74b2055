// Raw system text names absolute paths; these sentences are safe towards an agent and say what a person can mend.
const REASONS: Record<string, string> = {
  EACCES: 'there is no permission to open it',
  EPERM: 'there is no permission to open it',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a file stands where a folder should be',
  ELOOP: 'its link goes in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reported an error',
  EEXIST: 'it is already there',
  ENOENT: 'it is not there',
  EFBIG: 'it is too large (the limit is 256 MiB)',
};

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? 'the system could not open it';
}
