import {
  entropyOf,
  flipsCase,
  isCode,
  isHolderName,
  isLocation,
  isMixed,
  isPlaceholder,
  isSlug,
} from './benign-value.ts';
import type { Finding } from './finding.ts';

type Strength = 'password' | 'secret' | 'token' | 'weak';
type Name = { kind: string; strength: Strength };
// A loose tie also occurs in prose, so its value must look like a secret.
type Tie = { end: number; loose: boolean; list?: boolean };
type Value = { start: number; end: number; quoted: boolean; isCut: boolean };

const NAME = /[\p{L}_][\p{L}\p{N}_.-]*/gu;
// `DB_PASSWORD_PROD`, `password2`: the secret word may carry a short tail.
const TAIL = /[_-]?(?:[0-9]{1,3}|prod|production|dev|staging|test|live|value|old|new|base64|b64|plain|main|backup)$/;
const NAMES: [kind: string, strength: Strength, pattern: RegExp][] = [
  [
    'password',
    'password',
    /(?:password|passwd|pwd|passphrase|passwort|kennwort|contraseña|contrasena|senha|пароль|密码|密碼|パスワード|비밀번호)$/u,
  ],
  ['password', 'password', /[_.-]pass$|mnemonic$|seed[_.-]?phrase$/],
  ['password', 'password', /(?:^|[_.-])(?:psk|wpa[_.-]?(?:key|passphrase)|wifi[_.-]?key)$/],
  ['password', 'token', /^pass$/],
  ['authorization', 'token', /authorization$/],
  ['secret', 'secret', /(?:secret|(?:secret|private)[_.-]?(?:access[_.-]?)?key(?:[_.-]?base)?)$/],
  ['token', 'token', /(?:token|bearer|[._-]auth|^_auth|session_?id|sessid|otp_?seed)$/],
  [
    'api_key',
    'token',
    /(?:api|access|account|auth|signing|encryption|master|shared|service|storage|app|deploy|subscription|license|webhook|session|crypto|hmac|jwt|ssh|cipher)[_.-]?key$/,
  ],
  ['secret', 'weak', /(?:key|auth|credentials?|creds|salt|signature)$/],
];
// Most words of a text hold none of these, and need no closer look.
const HINT =
  /pass|pwd|wort|contrase|senha|пароль|密码|密碼|パスワード|비밀번호|token|bearer|auth|sess|seed|key|secret|mnemonic|cred|salt|signature|psk/iu;
const NOT_SECRET =
  /(?:^|[_.-])(?:next|prev|page|continuation|cursor|pad|eos|bos|unk|sep|cls|mask|max|min|num|pub|public|cache|primary|foreign|sort|partition|object|idempotency|translation|host|row|group|map|hot|sync|cancellation|redacted)[_.-]?(?:page[_.-]?)?(?:token|key)$/;

const QUOTE = '(?:\\\\*["\'`]|\\*{1,2}|_{2})';
// How a value is tied to its name.
const FIRM = new RegExp(
  `${QUOTE}?[\\])?!]{0,2}[ \\t]{0,16}(?:(?::=|=>|={1,3}|!={1,2}|:|：|%3[ADad]|(?:\\|\\||\\?\\?)=)(?:\\*{1,2})?(?:[ \\t]{0,16}|\\s{0,40}(?=\\\\*["'\`]))(?:[|>][+-]?[ \\t]*\\r?\\n[ \\t]*)?|>(?=[^<>\\s]{1,512}</))`,
  'y',
);
const VALUE_KEY = new RegExp(
  `${QUOTE}?(?:,?\\s{1,40}|\\s{0,8}\\{\\s{0,40})${QUOTE}?(?:value|default)${QUOTE}?[ \\t]*[:=][ \\t]*`,
  'y',
);
const COMPACT_VALUE_KEY = /(\\*["']),\1value\1:/y;
const LOOSE = new RegExp(
  `${QUOTE}?[ \\t]{1,8}(?:(?:is|was|=|:)[ \\t]{1,4}(?:now[ \\t])?|\\|[ \\t]{0,16}|(?=["'\`]))`,
  'y',
);
// Lists of secrets, in brackets or by lines; further items follow the first in the same way.
const LIST = /["'`]?[ \t]{0,8}[:=][ \t]{0,8}(?:\[\s{0,40}|\r?\n[ \t]{0,40}-[ \t]+)/y;
const NEXT_ITEM = /["'`]?(?:,\s{0,40}|\r?\n[ \t]{0,40}-[ \t]+)/y;
const BLANK = /[ \t]{1,16}(?![-=:|])/y;
const SCHEME = /(?:Basic|Bearer|Token|ApiKey|Digest|Negotiate)[ \t]+/iy;
const DELIMITER = /\\*(?:"""|'''|["'`])/y;
// A quote inside a word belongs to the word; one at its end closes what it stands in.
const UNQUOTED = /(?:[^\s"'`<>]|(?<=[^\\\s])["'](?=[A-Za-z0-9])){1,256}/y;
const REST = /[^\s"'`<>]*/y;

// Values that are given to names such as `db.password`, in any notation that people paste.
export function findAssignments(text: string): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  let listed = 0;
  for (const match of text.matchAll(NAME)) {
    if (match.index < done || !HINT.test(match[0])) continue;
    const name = classify(match[0], text.slice(Math.max(0, match.index - 12), match.index));
    if (!name) continue;
    const tie = tieAfter(text, name, match.index, match.index + match[0].length);
    // A name inside a list that was walked already starts no walk of its own, or nested lists would take for ever.
    const walks = tie?.list === true && match.index >= listed;
    for (let at = tie?.end; tie && at !== undefined; ) {
      const value = valueAt(text, at);
      if (!value) break;
      if (isSecret(text, name, value, { loose: tie.loose, label: match[0] })) {
        done = value.end + (value.isCut ? (matchAt(REST, text, value.end)?.length ?? 0) : 0);
        findings.push({ kind: name.kind, start: value.start, end: done });
      } else if (!value.quoted && value.end - value.start > 64) done = value.end;
      const next = walks ? matchAt(NEXT_ITEM, text, value.end) : null;
      at = next === null ? undefined : value.end + next.length;
      if (walks) listed = value.end;
    }
  }
  return findings;
}

const RULE_LINE = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/;

// Under the head of a column that names a secret, in a Markdown table.
export function findInTables(text: string): Finding[] {
  const findings: Finding[] = [];
  let heads: string[] | null = null;
  let before: Cell[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const cells = line.includes('|') ? cellsOf(line, at) : [];
    if (cells.length === 0) heads = null;
    else if (before.length > 0 && RULE_LINE.test(line.trimEnd())) heads = before.map((cell) => cell.text);
    else if (heads) {
      for (const [column, cell] of cells.entries())
        for (const { kind, start, end } of findInField(cell.text, { label: heads[column] ?? '', loose: true }))
          findings.push({ kind, start: cell.start + start, end: cell.start + end });
    }
    before = cells;
    at += line.length + 1;
  }
  return findings;
}

type Cell = { text: string; start: number };

function cellsOf(line: string, at: number): Cell[] {
  let from = at;
  const cells = line.split('|').map((cell) => {
    const start = from + (cell.length - cell.trimStart().length);
    from += cell.length + 1;
    return { text: cell.trim(), start };
  });
  // Bars at both ends are edges, not columns.
  if (/^\s*\|/.test(line)) cells.shift();
  if (/\|\s*$/.test(line)) cells.pop();
  return cells;
}

export function namesSecret(label: string): boolean {
  return HINT.test(label) && classify(label, '') !== null;
}

// For a field of parsed data, where the name stands apart from its value. A loose name is inherited from further up.
export function findInField(value: string, field: { label: string; loose: boolean }): Finding[] {
  const name = HINT.test(field.label) ? classify(field.label, '') : null;
  if (!name) return [];
  const login = /^(?:auth|basic_?auth|credentials?|creds)$/i.test(field.label)
    ? /^[\w.@-]{1,64}:(\S{4,256})$/.exec(value)
    : null;
  if (login?.[1] && /[0-9]/.test(login[1]) && !isPlaceholder(login[1])) {
    return [{ kind: 'password', start: value.length - login[1].length, end: value.length }];
  }
  const isGiven = (start: number, end: number, loose: boolean) =>
    isSecret(value, name, { start, end, quoted: true, isCut: false }, { loose, label: field.label });
  if (isGiven(0, value.length, field.loose)) return [{ kind: name.kind, start: 0, end: value.length }];
  return [...value.matchAll(/[^\s"'`,;()]+/g)]
    .map(({ 0: word, index }) => ({ kind: name.kind, start: index, end: index + word.replace(/[.:!?]+$/, '').length }))
    .filter(({ start, end }) => end > start && isGiven(start, end, true));
}

function classify(label: string, before: string): Name | null {
  if (before.endsWith('[redacted:')) return null;
  const camelSplit = label
    .slice(-100)
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .toLowerCase();
  // "API key" in prose is one name of two words.
  const first = /(?:^|[^\p{L}])(api|access|secret|private|signing|encryption|auth|account)[ ]$/iu.exec(before)?.[1];
  const full = `${first ? `${first.toLowerCase()}_` : ''}${camelSplit}`.replace(/[.-]+$/, '');
  const base = full.replace(TAIL, '').replace(/(?<=password|secret|token|key)s$/, '');
  if (NOT_SECRET.test(base)) return null;
  const found = NAMES.find(([, , pattern]) => pattern.test(base) || pattern.test(full));
  return found ? { kind: found[0], strength: found[1] } : null;
}

function tieAfter(text: string, name: Name, start: number, end: number): Tie | null {
  const list = matchAt(LIST, text, end);
  if (list) return { end: end + list.length, loose: true, list: true };
  for (const pattern of [FIRM, VALUE_KEY, COMPACT_VALUE_KEY]) {
    const firm = matchAt(pattern, text, end);
    if (firm) return { end: end + firm.length, loose: false };
  }
  // "pass" and "key" are everyday words.
  if (name.strength === 'weak' || end - start === 'pass'.length) return null;
  const loose = matchAt(LOOSE, text, end) ?? matchAt(BLANK, text, end);
  return loose ? { end: end + loose.length, loose: !text.startsWith('--', start - 2) } : null;
}

function valueAt(text: string, from: number): Value | null {
  const delimiter = matchAt(DELIMITER, text, from) ?? '';
  const opened = from + delimiter.length;
  const start = opened + (matchAt(SCHEME, text, opened)?.length ?? 0);
  if (delimiter) {
    const length = closingQuote(text.slice(start, start + 2048), delimiter);
    if (length >= 0) return { start, end: start + length, quoted: true, isCut: false };
  }
  const run = matchAt(UNQUOTED, text, start);
  if (!run) return null;
  // The next field of a query, a connection string or an escaped line is not part of the value.
  const cut = run.search(/\\+[nrt]|%26|[;&,|/?](?=[\p{L}_][\p{L}\p{N}_.-]{0,40}[=:][^=\s])|\[redacted:/u);
  let length = cut >= 0 ? cut : run.length;
  while (length > 0 && /[,;:.)}\]|\\*]/.test(run.charAt(length - 1))) length -= 1;
  return length > 0 ? { start, end: start + length, quoted: false, isCut: length === 256 } : null;
}

// Inside JSON in JSON a closing quote has as many backslashes as the opening one; an inner quote has more.
function closingQuote(rest: string, delimiter: string): number {
  const quote = delimiter.replace(/^\\+/, '');
  const depth = delimiter.length - quote.length;
  for (let at = rest.indexOf(quote); at >= 0; at = rest.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (rest[at - 1 - slashes] === '\\') slashes += 1;
    const isOneLine = quote.length === 3 || quote === '`' || !rest.slice(0, at).includes('\n');
    if (!isOneLine) return -1;
    if (slashes <= depth || (depth === 0 && slashes % 2 === 0)) return at - Math.min(slashes, depth);
  }
  return -1;
}

function isSecret(text: string, name: Name, place: Value, tie: { loose: boolean; label: string }): boolean {
  const value = text.slice(place.start, place.end);
  const hasLetter = /\p{L}/u.test(value);
  const hasDigit = /\p{N}/u.test(value);
  if (isPlaceholder(value) || isLocation(value) || repeats(tie.label, value)) return false;
  if (!/[A-Za-z0-9]/.test(value) || (!place.quoted && isCode(value))) return false;
  if (name.strength !== 'password' && (isHolderName(value) || (!place.quoted && !/^[\w+/=.~:%!@#$^&*-]+$/.test(value))))
    return false;
  const followedByWords = /^[ \t]+[\p{L}(]/u.test(text.slice(place.end, place.end + 16));
  const looksRandom = hasLetter && (hasDigit || /[!@#$%^&*+~]/.test(value) || flipsCase(value));
  if (!place.quoted && followedByWords && !looksRandom) return false;
  if (tie.loose && !(looksRandom && standsOutInProse(value, name))) return false;
  if (/\s/.test(value)) return isPassphrase(name, value);
  switch (name.strength) {
    case 'password':
      return value.length >= 4 && !/^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(value);
    case 'secret':
      return value.length >= 6 && hasLetter && (place.quoted ? !isSlug(value) : looksRandom && !isSlug(value));
    case 'token':
      return (
        value.length >= 8 &&
        !isSlug(value) &&
        ((hasDigit && hasLetter) || flipsCase(value) || (value.length >= 20 && hasLetter))
      );
    case 'weak':
      return (
        value.length >= 20 &&
        isMixed(value) &&
        /^[\w+/=.~-]+$/.test(value) &&
        entropyOf(value) >= 3.5 &&
        !isSlug(value) &&
        !value.startsWith('AAAA')
      );
  }
}

// `CHALLENGE_PASSWORD: "challengePassword"` says its own name.
function repeats(label: string, value: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return plain(value).length >= 4 && plain(label).endsWith(plain(value));
}

// Several words are a passphrase only where no word of a sentence stands among them.
function isPassphrase(name: Name, value: string): boolean {
  if (name.strength !== 'password' || value.includes('\n') || value.length > 100) return false;
  const sentence =
    /(?:^|\s)(?:the|a|an|is|are|must|your|enter|please|for|to|of|at|and|or|not|be|no|password|field|in|de|le|la|el)(?=\s|$)/i;
  return !sentence.test(value) && (value.split(/\s+/).length >= 3 || /[0-9]/.test(value));
}

function standsOutInProse(value: string, name: Name): boolean {
  if (value.length < (name.strength === 'password' ? 5 : 16) || /\s|^[([{]/.test(value)) return false;
  return !isTechnicalWord(value) && !isSlug(value);
}

function isTechnicalWord(value: string): boolean {
  return /^(?:base64|sha-?[0-9]+|md5|utf-?8|oauth-?2|argon2\w*|pbkdf2|[hr]s256|ed25519|x509|1password|2fa|s3|k8s|[0-9]+-?[a-z]+)(?:[-.,:]|$)/i.test(
    value,
  );
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? null;
}
