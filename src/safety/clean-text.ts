import { findHiddenCharacter, replaceHidden } from './hidden-characters.ts';
import { findCertainNumbers, findPersonalData } from './personal-data.ts';
import { type Certainty, type Finding, matchAt, mergeFindings, redact } from './secret-literals.ts';
import { findInField, namesSecret } from './secret-names.ts';
import { findVendorTokens } from './secret-shapes.ts';
import { findSecrets } from './secrets.ts';

// What is around a text: the name that may make its value a secret, and the field it is the value of.
export type Surroundings = { label: string; field: string; oneLine: boolean };
// `refused` is the class of what cannot be cut out safely.
export type CleanText = { text: string; kinds: string[]; refused?: undefined } | { refused: string };

// Redaction can tie its neighbours in new ways, so it runs until nothing changes; a text that never settles is refused.
const MAX_ROUNDS = 6;
// Under this length what is left of a text can be judged by its fields; over it, a mostly redacted text is a dump.
const SHORT = 200;

const TERMINAL = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]/g;
const TAG = /^[\u{e0000}-\u{e007f}]$/u;
const HIDDEN_MESSAGE = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4}|[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]{8}/u;
const KEY_EDGE = /^[\s"'>#*-]*-{3,5}(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{3,5}[\s"',]*$/;

// For payloads of others: also what is only possibly a secret goes, since no code is spoilt by it.
export function sanitiseText(text: string, around: Surroundings): CleanText {
  const kinds = new Set<string>();
  let current = text;
  let cut = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (smuggles(current)) return { refused: 'hidden_text' };
    const findings = searchViews(current, (view) => findAll(view, around));
    if (isHalfKey(current, findings)) return { refused: 'private_key' };
    cut += findings.reduce((sum, { start, end }) => sum + end - start, 0);
    const isOneValue = findings.length === 1 && findings[0]?.end === current.length && findings[0].start === 0;
    if (text.length > SHORT && cut > text.length / 2 && !isOneValue) return { refused: 'mostly_redacted' };
    const redacted = redact(current, findings);
    const next = plainText(redacted, around.oneLine, kinds);
    if (next === current) return { text: current, kinds: [...kinds] };
    // A mark that is found again and redacted to itself is no new action.
    if (redacted !== current) for (const { kind } of findings) kinds.add(kind);
    current = next;
  }
  return { refused: 'sanitiser_failed' };
}

function findAll(text: string, around: Surroundings): Finding[] {
  const named = (label: string, find: (text: string) => Finding[]) => {
    const prefix = label ? `${label}: ` : '';
    return find(prefix + text)
      .filter(({ end }) => end > prefix.length)
      .map((found) => ({ ...found, start: Math.max(0, found.start - prefix.length), end: found.end - prefix.length }));
  };
  return mergeFindings(
    findInField(text, around.label),
    named(namesSecret(around.label) || /cookie/i.test(around.label) ? around.label : '', findSecrets),
    named(around.field, findPersonalData),
  );
}

// Half a key may go on in the next field or excerpt.
export function isHalfKey(text: string, findings: Finding[]): boolean {
  const isCut = ({ kind, start, end }: Finding) => {
    const block = text.slice(start, end);
    return (
      kind === 'private_key' &&
      /PRIVATE KEY/.test(block) &&
      !(/BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(block) && /END [A-Z0-9 ]*PRIVATE KEY/.test(block))
    );
  };
  return KEY_EDGE.test(text) || findings.some(isCut);
}

// Letters that no one sees but a model reads: tags, or bytes in rows of selectors and zero-width characters.
export function smuggles(text: string): boolean {
  let tags = 0;
  replaceHidden(text, (character) => {
    if (TAG.test(character)) tags += 1;
    return character;
  });
  return tags > 0 || HIDDEN_MESSAGE.test(text);
}

function plainText(text: string, oneLine: boolean, kinds: Set<string>): string {
  const seen = replaceHidden(text.replace(TERMINAL, ''), (character) =>
    /[\r\v\f\u0085\u2028\u2029]/.test(character) ? '\n' : '',
  );
  if (seen !== text) kinds.add('hidden_character');
  if (!oneLine || !/[\t\r\n]/.test(seen)) return seen;
  kinds.add('forged_structure');
  return seen.replace(/[ \t\r\n]+/g, (blanks) => (/[\t\r\n]/.test(blanks) ? ' ' : blanks)).trim();
}

/** What of one class is in a file, and in which of its lines. */
export type FileFinding = { kind: string; certainty: Certainty; lines: number[] };
// `refused` is the class of what cannot be cut out safely.
export type CleanFile = { text: string; findings: FileFinding[]; refused?: string };

// A file of a project (L25): what is certainly a secret is replaced by its class, all else stays, since a wrong replacement
// spoils code. Hidden characters stay too: code may need them, and who shows the text shows them.
export function cleanFile(text: string): CleanFile {
  const { found, certain } = findInFile(text);
  const findings = [...byClass(text, found), ...hiddenIn(text)];
  if (isHalfKey(text, certain)) return { text: '', findings, refused: 'private_key' };
  return { text: redact(text, certain), findings };
}

/** What is in a text that others wrote; what of it is certain, and so may be replaced. */
export function findInFile(text: string): { found: Finding[]; certain: Finding[] } {
  const found = searchViews(text, (view) => mergeFindings(findSecrets(view), findCertainNumbers(view)));
  return { found, certain: found.filter(({ certainty }) => certainty === 'certain') };
}

function byClass(text: string, found: Finding[]): FileFinding[] {
  const classes = new Map<string, FileFinding>();
  let line = 1;
  let done = 0;
  for (const { kind, certainty, start } of found) {
    line += text.slice(done, start).split('\n').length - 1;
    done = Math.max(done, start);
    const known = classes.get(`${certainty} ${kind}`);
    if (known) known.lines.push(line);
    else classes.set(`${certainty} ${kind}`, { kind, certainty, lines: [line] });
  }
  return [...classes.values()];
}

// A byte order mark at the beginning is how some editors write a file.
function hiddenIn(text: string): FileFinding[] {
  const hidden = findHiddenCharacter(text.replace(/^\ufeff/, ''));
  if (hidden === null) return [];
  const kind = smuggles(text) ? 'hidden_text' : 'hidden_character';
  const line = [...text].slice(0, hidden.offset).join('').split('\n').length;
  return [{ kind, certainty: 'possible', lines: [line] }];
}

const ORDINARY = /^[\t\n -~]*$/;
// Printable characters as JSON, HTML and URLs may write them.
const ESCAPE =
  /\\(?:u00|x|u\{)(?<json>[2-7][0-9a-f])\}?|&#0{0,4}(?:(?<decimal>[0-9]{2,3})|x0{0,4}(?<hex>[2-7][0-9a-f]));|%(?:25){0,3}(?<url>[2-7][0-9a-f])|&(?<named>amp|quot|apos|colon|equals|commat|period|lowbar|num|dollar|excl|sol|plus|hyphen|dash|comma|semi|lpar|rpar|percnt|ast|quest);/iu;
const ENTITIES = new Map(
  'amp& quot" apos\' colon: equals= commat@ period. lowbar_ num# dollar$ excl! sol/ plus+ hyphen- dash- comma, semi; lpar( rpar) percnt% ast* quest?'
    .split(' ')
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);
// Letters of other scripts that look like Latin ones.
const LOOK_ALIKES = new Map(
  [
    ...'аaеeоoрpсcуyхxіiјjѕsԁdһhкkмmтtвbнnАAВBЕEКKМMНHОOРPСCТTХXІIЅSЈJαaοoνvρpιiκkτtΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX'.matchAll(
      /(.)([A-Za-z])/gu,
    ),
  ].map(([, from = '', to = '']) => [from, to]),
);
const MIXED_WORD = /[A-Za-z\p{Script=Cyrillic}\p{Script=Greek}]+/gu;
// A long token that was broken over lines, or put together from pieces in code.
const SEAM =
  /(?<=[A-Za-z0-9+/_=.~-]{4})(?:=?[ \t]*\\?\r?\n[ \t>|#*]{0,12}|["'`][ \t]*(?:\+|\.\.?|&|,|\\)?\s{0,40}["'`])(?=[A-Za-z0-9+/_=.~-]{2})/g;
const PIECE = new RegExp(`${ESCAPE.source}|[^]`, 'giu');

// Runs a search over every way a reader may take the text; places are those of the text itself.
export function searchViews(text: string, search: (text: string) => Finding[]): Finding[] {
  const across = findAcrossSeams(text);
  if (ORDINARY.test(text) && !ESCAPE.test(text)) return mergeFindings(search(text), across);
  // Hidden characters as gaps first: one glued to a token would otherwise lend it a letter too many.
  const gaps = replaceHidden(text, (character) => ' '.repeat(character.length));
  const folded = foldedView(text, gaps);
  const found = search(folded.text).map((finding) => ({
    ...finding,
    start: folded.starts[finding.start] ?? Number.NaN,
    end: folded.ends[finding.end - 1] ?? Number.NaN,
  }));
  return mergeFindings(search(gaps), found, across);
}

// Only forms that services give their tokens, and only where a seam is inside: other words may well meet at a line end.
function findAcrossSeams(text: string): Finding[] {
  const seams = [...text.matchAll(SEAM)].map(({ 0: seam, index }) => ({ start: index, end: index + seam.length }));
  if (seams.length === 0) return [];
  const offsets = [{ at: 0, shift: 0 }];
  const shiftAt = (place: number) => offsets.findLast(({ at }) => at <= place)?.shift ?? 0;
  let joined = '';
  let done = 0;
  for (const { start, end } of seams) {
    joined += text.slice(done, start);
    done = end;
    offsets.push({ at: joined.length, shift: end - joined.length });
  }
  joined += text.slice(done);
  return findVendorTokens(joined).flatMap((finding) => {
    const [first, last] = [shiftAt(finding.start), shiftAt(finding.end - 1)];
    if (first === last) return [];
    const start = finding.start + first;
    // A token that was whole before the line end is no longer than that where a word follows: the word is the next line's.
    const end = finding.end + last;
    const piece = text.slice(start, end);
    for (const { 0: seam, index } of piece.matchAll(SEAM))
      if (matchAt(WORDS, text, start + index + seam.length) !== null && isToken(piece.slice(0, index)))
        return [{ ...finding, start, end: start + index }];
    return [{ ...finding, start, end }];
  });
}

const WORD = '(?:[A-Z]?[a-z]{2,}(?:[A-Z][a-z]+)*|[A-Z]{2,}|[A-Za-z][0-9]{0,4}|[0-9]{1,4})';
const WORDS = new RegExp(`${WORD}(?:[-_.]${WORD})*(?![A-Za-z0-9+/_-])`, 'y');

function isToken(text: string): boolean {
  return findVendorTokens(text).some(({ start, end }) => start === 0 && end === text.length);
}

export function foldLookAlikes(text: string): string {
  return ORDINARY.test(text) ? text : foldedView(text, text).text;
}

// With the places of its characters in the original: without the hidden characters and escapes, and with wide letters, odd blanks, dashes and digits as plain ones.
function foldedView(text: string, gaps: string) {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  for (const { 0: piece, index, groups = {} } of text.matchAll(PIECE)) {
    if (gaps[index] !== text[index]) continue;
    const plain = unescaped(groups) ?? foldCharacter(piece);
    folded += plain;
    for (let unit = 0; unit < plain.length; unit += 1) {
      starts.push(index);
      ends.push(index + piece.length);
    }
  }
  // One unit for one unit, so that the places stay.
  return { text: folded.replace(MIXED_WORD, latinised), starts, ends };
}

// A word of two scripts is meant to be read as Latin.
function latinised(word: string): string {
  if (!/[A-Za-z]/.test(word) || /^[A-Za-z]+$/.test(word)) return word;
  return word.replace(/[^A-Za-z]/g, (letter) => LOOK_ALIKES.get(letter) ?? letter);
}

function unescaped({ json, decimal, hex, url, named }: Record<string, string | undefined>): string | null {
  if (named) return ENTITIES.get(named.toLowerCase()) ?? null;
  const code = decimal ? Number(decimal) : Number.parseInt(json ?? hex ?? url ?? '', 16);
  return code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : null;
}

function foldCharacter(character: string): string {
  if (character <= '~') return character;
  if (/\p{Zs}/u.test(character)) return ' ';
  if (/[\p{Pd}\u2212]/u.test(character)) return '-';
  const compatible = character.normalize('NFKC');
  if (/^[!-~]$/.test(compatible)) return compatible;
  return /\p{Nd}/u.test(character) ? String(digitOf(character)) : character;
}

// Every script keeps its ten digits in a row.
function digitOf(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  let digit = 0;
  while (digit < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - digit - 1))) digit += 1;
  return digit;
}
