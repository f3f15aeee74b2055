const MAX_LENGTH = 300;
const MAX_SEGMENTS = 32;
// Each star of a segment multiplies the ways a hostile name can be tried.
const MAX_STARS = 3;
const MAX_GLOBSTARS = 2;

// Why a path or pattern of a policy is refused, in words that finish "the pattern …"; null when it is fine.
// A pattern knows `*`, `?` and `**`; every other character is itself, so that no pattern can blow up.
export function whyNotPattern(pattern: string): string | null {
  const reason = whyNotPath(pattern);
  if (reason) return reason;
  const segments = pattern.split('/');
  if (segments.filter((segment) => segment === '**').length > MAX_GLOBSTARS)
    return `may hold \`**\` at most ${MAX_GLOBSTARS} times`;
  for (const segment of segments) {
    if (segment === '**') continue;
    if (segment.includes('**')) return 'may hold `**` only as a whole step between slashes';
    if ((segment.match(/\*/g) ?? []).length > MAX_STARS)
      return `may hold at most ${MAX_STARS} stars between two slashes`;
  }
  return segments.at(-1) === '**' ? 'must end with a file name or `*`' : null;
}

// The same for a plain path inside of the project.
export function whyNotPath(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash; write / between folders';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.startsWith('~')) return 'must be relative to the project';
  const segments = path.split('/');
  if (segments.length > MAX_SEGMENTS) return `has more than ${MAX_SEGMENTS} steps`;
  if (segments.includes('..')) return 'must not leave the project with ..';
  if (segments.some((segment) => segment === '' || segment === '.')) return 'has an empty step or a single dot';
  if (segments.some((segment) => segment.toLowerCase() === '.git')) return 'must not reach into .git';
  return null;
}

export function hasWildcard(text: string): boolean {
  return /[*?]/.test(text);
}

/** A pattern in its fixed part and the rest: `docs/design/*.md` is `docs/design` and `*.md`. */
export interface SplitPattern {
  base: string;
  rest: string;
}

export function splitPattern(pattern: string): SplitPattern {
  const segments = pattern.split('/');
  const first = segments.findIndex(hasWildcard);
  const cut = first === -1 ? segments.length - 1 : first;
  return { base: segments.slice(0, cut).join('/'), rest: segments.slice(cut).join('/') };
}
