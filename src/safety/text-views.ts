import { type Finding, mergeFindings } from './finding.ts';
import { replaceHidden } from './hidden-characters.ts';

// One way to read a text, with the places of its characters in the original.
type View = { text: string; starts: number[]; ends: number[] };

const ORDINARY = /^[\t\n -~]*$/;
// Printable characters as JSON, HTML and URLs may write them.
const ESCAPE =
  /\\u00(?<json>[2-7][0-9a-f])|&#(?:(?<decimal>[0-9]{2,3})|x(?<hex>[2-7][0-9a-f]));|%(?<url>[2-7][0-9a-f])/iu;
const PIECE = new RegExp(`${ESCAPE.source}|[^]`, 'giu');

// Runs a search over every way a reader may take the text; places are those of the text itself.
export async function searchViews(
  text: string,
  search: (text: string) => Promise<Finding[]> | Finding[],
): Promise<Finding[]> {
  if (ORDINARY.test(text) && !ESCAPE.test(text)) return mergeFindings(await search(text));
  // Hidden characters as gaps first: one glued to a token would otherwise lend it a letter too many.
  const gaps = replaceHidden(text, (character) => ' '.repeat(character.length));
  const folded = foldedView(text, gaps);
  const found = (await search(folded.text)).map(({ kind, start, end }) => ({
    kind,
    start: folded.starts[start] ?? Number.NaN,
    end: folded.ends[end - 1] ?? Number.NaN,
  }));
  return mergeFindings(await search(gaps), found);
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
  return { text: folded, starts, ends };
}

function unescaped({ json, decimal, hex, url }: Record<string, string | undefined>): string | null {
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
