import { HIDDEN_CLASSES, RESERVED_PICTURE } from './hidden-characters.ts';

const MAX_NAME_BYTES = 255;
// Device names on Windows, whatever their ending: a workspace must open on every machine of a team.
const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;
const PRINTABLE_ASCII = /^[ -~]*$/;
// A selector after a picture or in a keycap shows; anywhere else two names that look the same would be two.
// Made when it is asked for: Unicode classes take milliseconds to build, and most names never need them.
const invisible = () =>
  new RegExp(
    `(?!${RESERVED_PICTURE}|(?<=(?![0-9#*])\\p{Emoji})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f\\u20e3)[${HIDDEN_CLASSES}]`,
    'u',
  );

// Why `name` is not a plain file name, in words that finish "which …"; null when it is one.
export function whyNotPlainName(name: string, suffix = ''): string | null {
  if (name === '') return 'is empty';
  if (name.includes('\0')) return 'contains a NUL character';
  if (/[/\\]/.test(name)) return 'is not a plain file name';
  if (name === '.' || name === '..' || /^[a-z]:/i.test(name)) return 'is not a plain file name';
  if (!PRINTABLE_ASCII.test(name) && invisible().test(name)) return 'contains an invisible character';
  if (utf8Length(name + suffix) > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  if (RESERVED.test(name)) return 'is a name that some systems reserve';
  if (isEncodedPath(name)) return 'is an encoded path';
  return null;
}

/** The same for all spellings that macOS and Windows take for one name: case and composed form do not count. */
export function foldedName(name: string): string {
  return name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}

// Stricter than a file name: an id is typed, shown and used as a folder on any file system.
export function whyNotId(id: string): string | null {
  const reason = whyNotPlainName(id);
  if (reason) return reason;
  if (id.startsWith('.')) return 'starts with a dot';
  if (/[. ]$/.test(id) || id.startsWith(' ')) return 'starts or ends with a blank, or ends with a dot';
  return null;
}

// Scripts with letters that are drawn alike, and the small letters that could be Latin ones; capitals alone spell real words (МОСКВА).
const ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'];
const LIKE_LATIN = /^[аеорсухіјѕԁһӏԛԝѵοανιρυκ]+$/;

/** Why a plain name could be taken for another one by a person who reads it; null when not. For names that people choose by. */
function whyNotDistinct(name: string): string | null {
  if (/^ |[ .]$/.test(name)) return 'starts or ends with a blank, or ends with a dot';
  if (PRINTABLE_ASCII.test(name)) return null;
  if (name.normalize('NFKC') !== name.normalize('NFC')) return 'has a character in another width or form than usual';
  const scripts = ALIKE.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name));
  if (scripts.length > 1) return `mixes ${scripts.join(' and ')} letters, which look alike`;
  return LIKE_LATIN.test(name.replace(/[^\p{L}]/gu, '')) ? 'looks like a name in Latin letters' : null;
}

/** Why a taste may not have this name (without `.md`); null when it may. */
export function whyNotTasteName(name: string): string | null {
  return whyNotPlainName(name, '.md') ?? whyNotDistinct(name);
}

/** Why a workspace may not get this id; null when it may. */
export function whyNotNewId(id: string): string | null {
  return whyNotId(id) ?? whyNotDistinct(id);
}

// A name that decodes to a path would turn into one wherever a URL is made of it.
function isEncodedPath(name: string): boolean {
  const decoded = name.replace(/%(2e|2f|5c|00|25)/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (decoded === name) return false;
  return /[/\\\0]/.test(decoded) || decoded === '.' || decoded === '..' || isEncodedPath(decoded);
}

const encoder = new TextEncoder();

/** Bytes a text takes on disk. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

const MAX_PATH = 300;
const MAX_STEPS = 32;

// Why a path is not a plain one inside of a project, in words that finish "the path …"; null when it is.
export function whyNotPath(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.length > MAX_PATH) return `is longer than ${MAX_PATH} characters`;
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash; write / between folders';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.startsWith('~')) return 'must be relative to the project';
  const segments = path.split('/');
  if (segments.length > MAX_STEPS) return `has more than ${MAX_STEPS} steps`;
  if (segments.includes('..')) return 'must not leave the project with ..';
  if (segments.some((segment) => segment === '' || segment === '.')) return 'has an empty step or a single dot';
  if (segments.some((segment) => segment.toLowerCase() === '.git')) return 'must not reach into .git';
  return null;
}
