import { codePointLength } from '../code-points.ts';

// What draws nothing, moves the cursor, reorders its neighbours or is no character that everybody sees alike: the inside of
// a character class of a regular expression. Noncharacters are unassigned; three more are drawn as nothing but blank.
const HIDDEN_CLASSES =
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\p{Default_Ignorable_Code_Point}\\u2800\\u{16fe4}\\u{1d159}';

// Unicode reserves places for emoji to come: a Node that is older than an emoji still knows that it is one.
const RESERVED_PICTURE = '(?=\\p{Extended_Pictographic})\\p{Cn}';

export type HiddenCharacter = { codePoint: number; offset: number };

const SUSPECT = `[${HIDDEN_CLASSES}]`;

// Scripts whose spelling needs joiners: cursive ones, and those that build clusters with a virama.
const JOINING_SCRIPTS = (
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu ' +
  'Kannada Malayalam Sinhala Tibetan Myanmar Khmer Tai_Tham Balinese Javanese Sundanese Cham Limbu Lepcha Meetei_Mayek Chakma ' +
  'Newa Tirhuta Syloti_Nagri Saurashtra Kaithi Sharada Grantha Modi'
)
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');

// Letters, marks and digits only; U+0300–036F sit on Latin letters too, although Syriac claims some of them.
const JOINING = `(?!\\p{Default_Ignorable_Code_Point}|[\\u0300-\\u036f])(?=[\\p{L}\\p{M}\\p{Nd}])[${JOINING_SCRIPTS}]`;
const VIRAMA =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u1039\\u103a\\u17d2\\u1b44\\ua9c0]';
const PICTURE = '\\p{Extended_Pictographic}';

const ALLOWED = [
  RESERVED_PICTURE,
  '[\\t\\n]',
  '\\r\\n',
  // Visible although Unicode files them under format: Arabic, Syriac and Kaithi number and verse signs.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
  // A selector after a bare digit shows nothing, so digits need their keycap.
  '(?<=[0-9#*])[\\ufe0e\\ufe0f]\\u20e3',
  '(?<=(?![0-9#*])\\p{Emoji})[\\ufe0e\\ufe0f]',
  `(?<=${PICTURE}\\p{Emoji_Modifier}?\\ufe0f?)\\u200d${PICTURE}`,
  `(?<=${JOINING})[\\u200c\\u200d]${JOINING}`,
  // Word-final forms: Malayalam chillus, Telugu and Kannada loan words, the Persian calendar sign.
  `(?<=${VIRAMA})[\\u200c\\u200d]`,
  '(?<=\\u0647)\\u200d',
].join('|');

// Only these three are drawn as flags; any other tag sequence hides its letters behind a black flag.
const TAG_FLAGS = ['gbeng', 'gbsct', 'gbwls']
  .map((region) => {
    const tags = Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    return `\u{1f3f4}${tags}\u{e007f}`;
  })
  .join('|');

// Compiling the classes of Unicode takes as long as a tenth of a command: for plain ASCII, which most texts are, nobody waits.
const UNUSUAL = /[^\t\n\r\x20-\x7e]|\r(?!\n)/;
let compiled: RegExp | undefined;

// A flag is matched whole and skipped; group 1 is a refused character.
function hidden(): RegExp {
  compiled ??= new RegExp(`${TAG_FLAGS}|((?=${SUSPECT})(?!${ALLOWED})[^])`, 'gu');
  return compiled;
}

// The first character that a reader would not see for what it is (M28).
export function findHiddenCharacter(text: string): HiddenCharacter | null {
  if (!UNUSUAL.test(text)) return null;
  for (const match of text.matchAll(hidden())) {
    const codePoint = match[1]?.codePointAt(0);
    if (codePoint !== undefined) return { codePoint, offset: codePointLength(text.slice(0, match.index)) };
  }
  return null;
}

// For terminals and messages: what is hidden becomes a visible escape.
export function showHidden(text: string, options: { keepLines?: boolean } = {}): string {
  const shown = replaceHidden(text, escapeOf);
  return options.keepLines ? shown.replaceAll('\r\n', '\n') : shown.replace(/[\t\r\n]/g, escapeOf);
}

/** A name from a file of someone else, as it may be in a message: on one line, short, and nothing in it is hidden. */
export function shownName(name: string, longest = 60): string {
  const start = replaceHidden(name.slice(0, 4 * longest), () => '\ufffd').replace(/[\t\r\n]/g, '\ufffd');
  const characters = [...start];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : start;
}

export function replaceHidden(text: string, replacementOf: (character: string) => string): string {
  if (!UNUSUAL.test(text)) return text;
  return text.replace(hidden(), (match, found?: string) => (found === undefined ? match : replacementOf(found)));
}

export function describeCodePoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

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
  if (segments.includes('..')) return 'must not leave the project with ".."';
  if (segments.some((segment) => segment === '' || segment === '.')) return 'has an empty step or a single dot';
  if (segments.some((segment) => segment.toLowerCase() === '.git')) return 'must not reach into .git';
  return null;
}
