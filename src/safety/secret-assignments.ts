import { isPlaceholder } from './benign-value.ts';
import type { Finding } from './finding.ts';
import { classify, type NamePlace, type SecretName } from './secret-names.ts';
import { holdsUserAndPassword } from './secret-shapes.ts';
import { isSecret, type Value } from './secret-values.ts';

type Tie = { end: number; loose: boolean; list?: boolean };

const TAGS = '</?[A-Za-z][A-Za-z0-9]{0,9}>';
const QUOTE = `(?:\\\\*["'\`]|\\*{1,2}|_{2}|[”»」』]|${TAGS})`;
// What may stand between a name and its sign: "Password (staging): …".
const ASIDE = '(?:[ \\t]{0,3}(?:\\([^()\\n]{1,40}\\)|\\[[^\\[\\]\\n]{1,40}\\]))?';
const ATTRIBUTES = '(?:\\s{1,8}[\\w:-]{1,40}=(?:"[^"\\n]{0,80}"|\'[^\'\\n]{0,80}\')){0,4}';
const BEFORE_SIGN = `${QUOTE}{0,2}[\\])?!]{0,2}${ASIDE}[ \\t]{0,16}`;
// How a value is tied to its name.
const FIRM = new RegExp(
  `${BEFORE_SIGN}(?::=|=>|={1,3}|!={1,2}|:|：|%3[ADad]|(?:\\|\\||\\?\\?)=)(?:\\*{1,2}|${TAGS})?(?:[ \\t]{0,16}|\\s{0,40}(?=\\\\*["'\`]))(?:!!?[a-z]{1,12}[ \\t]+)?(?:[|>][+-]?[ \\t]*\\r?\\n[ \\t]*|${TAGS})?`,
  'y',
);
// `<password>…</password>`, also with attributes, which are no values of it.
const ELEMENT = new RegExp(
  `${BEFORE_SIGN}${ATTRIBUTES}\\s{0,8}>(?:\\s{0,8}<[\\w:-]{1,20}>){0,2}(?:<!\\[CDATA\\[)?(?=[^<>\\s]{1,512}(?:</|\\]\\]>))`,
  'y',
);
// `val name: String = …`, `name string = …`, `char name[] = …`
const TYPED =
  /(?:[?!]?[ \t]{0,4}:[ \t]{0,4}|[ \t]{1,4}|\[[0-9]{0,4}\])(?:[A-Za-z_][\w<>[\].?|&*]{0,40})?[ \t]{0,4}=[ \t]{0,4}(?=["'`])/y;
const VALUE_KEY = new RegExp(
  `${QUOTE}?(?:,?\\s{1,40}|\\s{0,8}\\{\\s{0,40})(?:[\\w:-]{1,40}=(?:"[^"\\n]{0,80}"|'[^'\\n]{0,80}')\\s{1,8}){0,4}${QUOTE}?(?:value|default|content|text)${QUOTE}?[ \\t]*[:=][ \\t]*`,
  'iy',
);
const COMPACT_VALUE_KEY = /(\\*["']),\s{0,4}\1(?:value|val|v|content|text|answer)\1\s{0,4}:\s{0,4}/y;
// `<key>Password</key><string>…`, `<td>Password</td><td>…`
const NEXT_ELEMENT =
  /\s{0,4}:?\s{0,4}<\/[\w:-]{1,20}>\s{0,40}<(?:string|td|dd|span|code|b|strong|p|div|li|value|pre)(?:\s[^<>]{0,80})?>\s{0,8}(?:<(?:code|b|pre|span)>)?/y;
const LOOSE = new RegExp(
  `${QUOTE}?${ASIDE}(?:[ \\t]{1,8}(?:(?:is|was|=|:|->|=>|→|–|—|-)[ \\t]{1,4}(?:now[ \\t])?|\\|[ \\t]{0,16}|(?=["'\`])|-[A-Za-z]{2,20}[ \\t]{1,4}(?=["']))|(?:->|→|–|—)[ \\t]{0,4}|\\(\\s{0,8}(?=["'\`])|[ \\t]{1,4}[0-9](?:[ \\t]+|[0-9]{0,2}:[a-z]:)(?=[^\\s:]{5,})|[:?][ \\t]{0,4}\\r?\\n[ \\t>]{0,40}(?=[^\\s:=]{5,64}[ \\t]*(?:\\r?\\n|$)))`,
  'y',
);
const NEXT_ARGUMENT = /["'`][ \t]{0,4},[ \t]{0,4}(?=["'`])/y;
// Lists of secrets, in brackets or by lines; further items follow the first in the same way.
const LIST = /["'`]?[ \t]{0,8}[:=][ \t]{0,8}(?:\[\s{0,40}|\r?\n[ \t]{0,40}[-*][ \t]+)/y;
const NEXT_ITEM = /["'`]?(?:,\s{0,40}|\r?\n[ \t]{0,40}[-*][ \t]+)/y;
const BLANK = /[ \t]{1,16}(?![-=:|])/y;
const SCHEME = /(?:Basic|Bearer|Token|ApiKey|Api-Key|Digest|Negotiate|SSWS|Bot|GenieKey|Splunk|Key)[ \t]+/iy;
// Some languages mark a text by a letter before it: N'…', b"…".
const DELIMITER = /(?:[NEBRUnebru@$](?=["']))?\\*(?:"""|'''|["'`“„«「『‘])/y;
const CLOSING: Record<string, string> = { '“': '”', '„': '“', '«': '»', '「': '」', '『': '』', '‘': '’' };
// A quote inside a word belongs to the word; one at its end closes what it stands in.
const UNQUOTED = /(?:[^\s"'`<>]|(?<=[^\\\s])["'](?=[A-Za-z0-9])){1,256}/y;
const REST = /[^\s"'`<>]*/y;

// Values that are given to names such as `db.password`, in any notation that people paste.
export function findAssignments(text: string, names: NamePlace[]): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  let listed = 0;
  for (const { label, name, start, end } of names) {
    if (start < done) continue;
    const tie = tieAfter(text, name, start, end);
    // A name inside a list that was walked already starts no walk of its own, or nested lists would take for ever.
    const walks = tie?.list === true && start >= listed;
    for (let at = tie?.end; tie && at !== undefined; ) {
      const value = valueAt(text, at);
      if (!value) break;
      if (isSecret(text, name, value, { loose: tie.loose, label })) {
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

// For a field of parsed data, where the name stands apart from its value. A loose name is inherited from further up.
export function findInField(value: string, field: { label: string; loose: boolean }): Finding[] {
  const name = classify(field.label);
  if (!name) return [];
  const login = /^(?:auth|basic_?auth|credentials?|creds)$/i.test(field.label)
    ? /^[\w.@-]{1,64}[:/](\S{4,256})$/.exec(value)
    : null;
  if (login?.[1] && /[0-9]/.test(login[1]) && !isPlaceholder(login[1])) {
    return [{ kind: 'password', start: value.length - login[1].length, end: value.length }];
  }
  const isEncodedLogin = /auth$/i.test(field.label) && /^[A-Za-z0-9+/]{8,512}={0,2}$/.test(value);
  if (isEncodedLogin && holdsUserAndPassword(value)) return [{ kind: 'basic_auth', start: 0, end: value.length }];
  const isGiven = (start: number, end: number, loose: boolean) =>
    isSecret(value, name, { start, end, quoted: true, isCut: false }, { loose, label: field.label });
  if (isGiven(0, value.length, field.loose)) return [{ kind: name.kind, start: 0, end: value.length }];
  return [...value.matchAll(/[^\s"'`,;()]+/g)]
    .map(({ 0: word, index }) => ({ kind: name.kind, start: index, end: index + word.replace(/[.:!?]+$/, '').length }))
    .filter(({ start, end }) => end > start && isGiven(start, end, true));
}

function tieAfter(text: string, name: SecretName, start: number, end: number): Tie | null {
  const list = matchAt(LIST, text, end);
  if (list) return { end: end + list.length, loose: true, list: true };
  for (const pattern of [ELEMENT, TYPED, FIRM, VALUE_KEY, COMPACT_VALUE_KEY, NEXT_ELEMENT]) {
    const firm = matchAt(pattern, text, end);
    // A name may stand alone on its line, with the value under it.
    if (firm && !/^[ \t]*\r?\n/.test(text.slice(end + firm.length, end + firm.length + 8)))
      // What a value is compared with is more often a word about it than the value.
      return { end: end + firm.length, loose: firm.includes('==') };
  }
  // "pass" and "key" are everyday words.
  if (name.strength === 'weak' || name.strength === 'everyday') return null;
  const loose = matchAt(LOOSE, text, end) ?? matchAt(NEXT_ARGUMENT, text, end) ?? matchAt(BLANK, text, end);
  return loose ? { end: end + loose.length, loose: !text.startsWith('--', start - 2) } : null;
}

function valueAt(text: string, from: number): Value | null {
  const delimiter = matchAt(DELIMITER, text, from) ?? '';
  const opened = from + delimiter.length;
  const start = opened + (matchAt(SCHEME, text, opened)?.length ?? 0);
  if (delimiter) {
    const length = closingQuote(text.slice(start, start + 2048), delimiter.replace(/^[A-Za-z@$]/, ''));
    if (length >= 0) return { start, end: start + length, quoted: true, isCut: false };
  }
  const run = matchAt(UNQUOTED, text, start);
  if (!run) return null;
  // The next field of a query, a connection string or an escaped line is not part of the value.
  const cut = run.search(/\\+[nrt]|%26|[;&,|/?](?=[\p{L}_][\p{L}\p{N}_.-]{0,40}[=:][^=\s])|\[redacted:|\]\]>/u);
  let length = cut >= 0 ? cut : run.length;
  while (length > 0 && /[,;:.)}\]|\\*]/.test(run.charAt(length - 1))) length -= 1;
  return length > 0 ? { start, end: start + length, quoted: false, isCut: length === 256 } : null;
}

// Inside JSON in JSON a closing quote has as many backslashes as the opening one; an inner quote has more.
function closingQuote(rest: string, delimiter: string): number {
  const opening = delimiter.replace(/^\\+/, '');
  const quote = CLOSING[opening] ?? opening;
  const depth = delimiter.length - opening.length;
  for (let at = rest.indexOf(quote); at >= 0; at = rest.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (rest[at - 1 - slashes] === '\\') slashes += 1;
    const isOneLine = quote.length === 3 || quote === '`' || !rest.slice(0, at).includes('\n');
    if (!isOneLine) return -1;
    if (slashes <= depth || (depth === 0 && slashes % 2 === 0)) return at - Math.min(slashes, depth);
  }
  return -1;
}

// The place is set before every use, so nothing is left behind.
function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
