import { definitionsIn, eachLine } from './definitions.ts';

/** A definition with the lines that belong to it. */
interface Extent {
  name: string;
  /** With the definitions around it: `Router.match`. */
  qualified: string;
  /** Counted from 0; the end is the line behind the last. */
  start: number;
  end: number;
  /** A variable, or a single line, inside of another definition. */
  isLocal: boolean;
}

// A `>` closes the type parameters of a head that takes several lines.
const CLOSES = /^\s*(?:[)\]}>]|(?:end|done|fi|esac)\b)/;
const OPENS_AGAIN = /(?:[{([:,]|=>|->)\s*(?:(?:\/\/|#).*)?$/;
const OPENING_BRACE = /^\s*\{/;
const VARIABLE = /^\s*(?:const|let|var|val|final)\b/;
const COMMENT = /^\s*(?:#|\/\/|\/\*|\*)/;
const TRIPLE_QUOTES = /"""|'''/g;

// By indent, not by grammar: a definition goes on until a line stands as far left as it does.
export function extentsIn(path: string, text: string): Extent[] {
  const lines = [...eachLine(text)];
  const found: Extent[] = [];
  const around: Extent[] = [];
  for (const { name, line } of definitionsIn(path, text)) {
    while (around.length > 0 && (around.at(-1) as Extent).end <= line) around.pop();
    const outer = around.at(-1);
    const qualified = outer ? `${outer.qualified}.${name}` : name;
    const end = endOf(lines, line);
    const isLocal = outer !== undefined && (end - line === 1 || VARIABLE.test(lines[line] as string));
    const extent = { name, qualified, start: line, end, isLocal };
    found.push(extent);
    around.push(extent);
  }
  return found;
}

function endOf(lines: readonly string[], at: number): number {
  const own = indentOf(lines[at] as string);
  let last = at;
  let quoted = isQuoteOpen(lines[at] as string, false);
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const wasQuoted = quoted;
    quoted = isQuoteOpen(line, quoted);
    if (line.trim() === '') continue;
    const indent = indentOf(line);
    if (wasQuoted || indent > own) last = index;
    else if (indent === own && OPENING_BRACE.test(line) && last === index - 1) last = index;
    else if (indent === own && CLOSES.test(line)) {
      last = index;
      if (!OPENS_AGAIN.test(line)) break;
    } else if (!COMMENT.test(line)) break;
  }
  return last + 1;
}

// A text of several lines may stand anywhere, and ends nothing.
function isQuoteOpen(line: string, open: boolean): boolean {
  const quotes = line.match(TRIPLE_QUOTES)?.length ?? 0;
  return quotes % 2 === 1 ? !open : open;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
