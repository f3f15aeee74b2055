import { HIDDEN_CLASSES, RESERVED_PICTURE } from './hidden-classes.ts';
import { utf8Length } from './utf8-length.ts';

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

// A name that decodes to a path would turn into one wherever a URL is made of it.
function isEncodedPath(name: string): boolean {
  const decoded = name.replace(/%(2e|2f|5c|00|25)/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (decoded === name) return false;
  return /[/\\\0]/.test(decoded) || decoded === '.' || decoded === '..' || isEncodedPath(decoded);
}
