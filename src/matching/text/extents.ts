import { type Definition, definitionsIn, LONGEST_LINE, linesIn } from './definitions.ts';

/** A definition with the lines that belong to it. */
interface Extent {
  name: string;
  /** With the definitions around it: `Router.match`. */
  qualified: string;
  /** Counted from 0; the end is the line after the last. */
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
const COMMENT = /^\s*(?:#|\/\/)/;
const OPENS_COMMENT = /^\s*\/\*/;
// `private dispatch(` with its parameters on lines of their own, up to `): Response {`.
const SPREAD_HEAD =
  /^\s*(?:(?:public|private|protected|static|abstract|override|async|get|set)\s+)*[#*]?([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^>]*>)?\($/u;
const HEAD_END = /^\s*\)\s*(?::.*|\{)$/;
const WITH_METHODS = /\.[cm]?[jt]sx?$/i;
const PYTHON = /\.pyi?$/i;
const TRIPLE_QUOTES = /"""|'''/g;

// By indent, not by grammar: a definition goes on until a line begins as far left as it does.
export function extentsIn(path: string, text: string): Extent[] {
  const lines = linesIn(text);
  const found: Extent[] = [];
  const around: Extent[] = [];
  // A long line is data, but a note may cite it by the name that it begins with.
  const heads = lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n');
  const quoted = PYTHON.test(path) ? quotedLines(lines) : new Set<number>();
  const defined = definitionsIn(path, heads).filter(({ line }) => !quoted.has(line));
  const spread = WITH_METHODS.test(path) ? spreadMethods(lines, new Set(defined.map(({ line }) => line))) : [];
  for (const { name, line } of [...defined, ...spread].sort((a, b) => a.line - b.line)) {
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

function spreadMethods(lines: readonly string[], known: ReadonlySet<number>): Definition[] {
  return lines.flatMap((text, line) => {
    const name = known.has(line) ? undefined : SPREAD_HEAD.exec(text)?.[1];
    if (name === undefined || indentOf(text) === 0) return [];
    const close = lines.findIndex((each, at) => at > line && each.trim() !== '' && indentOf(each) <= indentOf(text));
    return HEAD_END.test(lines[close] ?? '') ? [{ name, line }] : [];
  });
}

function endOf(lines: readonly string[], at: number): number {
  const own = indentOf(lines[at] as string);
  let last = at;
  let commented = false;
  let quoted = isQuoteOpen(lines[at] as string, false);
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const wasQuoted = quoted;
    quoted = isQuoteOpen(line, quoted);
    if (line.trim() === '') continue;
    // Its lines are further in, and may well speak of what comes next.
    if (commented || (!wasQuoted && OPENS_COMMENT.test(line))) {
      commented = !line.includes('*/');
      continue;
    }
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

// An example in a docstring defines nothing.
function quotedLines(lines: readonly string[]): ReadonlySet<number> {
  const quoted = new Set<number>();
  let isOpen = false;
  for (const [at, line] of lines.entries()) {
    if (isOpen) quoted.add(at);
    isOpen = isQuoteOpen(line, isOpen);
  }
  return quoted;
}

// A text of several lines may be anywhere, and ends nothing.
function isQuoteOpen(line: string, open: boolean): boolean {
  const quotes = line.match(TRIPLE_QUOTES)?.length ?? 0;
  return quotes % 2 === 1 ? !open : open;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
