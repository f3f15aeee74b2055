import { type Finding, mergeFindings } from './finding.ts';
import { replaceHidden } from './hidden-characters.ts';
import { findVendorTokens } from './secret-shapes.ts';

// One way to read a text, with the places of its characters in the original.
type View = { text: string; starts: number[]; ends: number[] };

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
  const offsets: { at: number; shift: number }[] = [{ at: 0, shift: 0 }];
  let joined = '';
  let done = 0;
  for (const { start, end } of seams) {
    joined += text.slice(done, start);
    done = end;
    offsets.push({ at: joined.length, shift: end - joined.length });
  }
  joined += text.slice(done);
  return findVendorTokens(joined).flatMap((finding) => {
    const [first, last] = [shiftAt(offsets, finding.start), shiftAt(offsets, finding.end - 1)];
    if (first === last) return [];
    const start = finding.start + first;
    // A token that was whole before the line end is no longer than that where a word follows: the word is the next line's.
    const end = finding.end + last;
    const piece = text.slice(start, end);
    for (const { 0: seam, index } of piece.matchAll(SEAM))
      if (isWord(text, start + index + seam.length) && isToken(piece.slice(0, index)))
        return [{ ...finding, start, end: start + index }];
    return [{ ...finding, start, end }];
  });
}

const WORD = '(?:[A-Z]?[a-z]{2,}(?:[A-Z][a-z]+)*|[A-Z]{2,}|[A-Za-z][0-9]{0,4}|[0-9]{1,4})';
const WORDS = new RegExp(`${WORD}(?:[-_.]${WORD})*(?![A-Za-z0-9+/_-])`, 'y');

function isWord(text: string, at: number): boolean {
  WORDS.lastIndex = at;
  return WORDS.test(text);
}

function isToken(text: string): boolean {
  return findVendorTokens(text).some(({ start, end }) => start === 0 && end === text.length);
}

// The last step at or before a place; the steps are sorted.
function shiftAt(offsets: { at: number; shift: number }[], at: number): number {
  let low = 0;
  for (let high = offsets.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((offsets[middle]?.at ?? 0) <= at) low = middle;
    else high = middle;
  }
  return offsets[low]?.shift ?? 0;
}

export function foldLookAlikes(text: string): string {
  return ORDINARY.test(text) ? text : foldedView(text, text).text;
}

// Without the hidden characters and escapes, and with wide letters, odd blanks, dashes and digits as plain ones.
function foldedView(text: string, gaps: string): View {
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
