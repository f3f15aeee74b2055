import { type Definition, definitionsIn, LONGEST_LINE, linesIn } from './definitions.ts';

/** A definition with the lines that belong to it. */
export interface Extent {
  name: string;
  /** With the definitions around it: `Router.match`. */
  qualified: string;
  /** Counted from 0; the end is the line after the last. */
  start: number;
  end: number;
  /** A variable, or a single line, inside of another definition. */
  isLocal: boolean;
  /** The definition around it. */
  outer: Extent | null;
}

// A `>` closes the type parameters of a head that takes several lines.
const CLOSES = /^\s*(?:[)\]}>]|(?:end|done|fi|esac)\b)/;
const OPENS_AGAIN = /(?:[{([:,]|=>|->)\s*(?:(?:\/\/|#).*)?$/;
// What goes on with a head that has no body yet, and labels of brace languages: `public:`, `fail:`.
const HEAD_GOES_ON = /^\s*(?:\{|:(?!:)|->|(?:where|throws|extends|implements|rescue|ensure)\b)/;
const LABEL = /^\s*\w+(?:\s+slots)?\s*:\s*(?:\/\/.*)?$/;
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

interface Open {
  extent: Extent;
  indent: number;
  last: number;
}

// By indent, not by grammar: a definition goes on until a line begins as far left as it does. One pass over the lines.
export function extentsIn(path: string, text: string): Extent[] {
  const lines = linesIn(text);
  // A long line is data, but a note may cite it by the name that it begins with.
  const heads = lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n');
  const names = new Map(definitionsIn(path, heads).map(({ name, line }) => [line, name]));
  if (WITH_METHODS.test(path)) for (const { name, line } of spreadMethods(lines, names)) names.set(line, name);
  const isPython = PYTHON.test(path);
  const found: Extent[] = [];
  const open: Open[] = [];
  const close = (): void => {
    const { extent, last } = open.pop() as Open;
    extent.end = last + 1;
    extent.isLocal = extent.outer !== null && (last === extent.start || VARIABLE.test(lines[extent.start] as string));
    const around = open.at(-1);
    if (around) around.last = Math.max(around.last, last);
  };
  let [commented, quoted] = [false, false];
  for (const [at, line] of lines.entries()) {
    const wasQuoted = quoted;
    quoted = isQuoteOpen(line, quoted);
    if (line.trim() === '') continue;
    // Its lines are further in, and may well speak of what comes next.
    if (commented || (!wasQuoted && OPENS_COMMENT.test(line))) {
      commented = !line.includes('*/');
      continue;
    }
    const indent = indentOf(line);
    let isTaken = false;
    for (let top = open.at(-1); top && !isTaken; top = open.at(-1)) {
      const isNext = indent === top.indent && top.last === at - 1;
      if (wasQuoted || indent > top.indent) [top.last, isTaken] = [at, true];
      else if (indent === top.indent && CLOSES.test(line)) {
        [top.last, isTaken] = [at, true];
        if (!OPENS_AGAIN.test(line)) close();
      } else if ((isNext && HEAD_GOES_ON.test(line)) || (!isPython && LABEL.test(line)))
        [top.last, isTaken] = [at, true];
      else if (COMMENT.test(line)) break;
      else close();
    }
    const name = wasQuoted && isPython ? undefined : names.get(at);
    if (name === undefined) continue;
    const outer = open.at(-1)?.extent ?? null;
    const qualified = outer ? `${outer.qualified}.${name}` : name;
    const extent = { name, qualified, start: at, end: at + 1, isLocal: false, outer };
    found.push(extent);
    open.push({ extent, indent, last: at });
  }
  while (open.length > 0) close();
  return found;
}

function spreadMethods(lines: readonly string[], known: ReadonlyMap<number, string>): Definition[] {
  return lines.flatMap((text, line) => {
    const name = known.has(line) ? undefined : SPREAD_HEAD.exec(text)?.[1];
    if (name === undefined || indentOf(text) === 0) return [];
    for (let at = line + 1; at < Math.min(lines.length, line + LONGEST_HEAD); at += 1) {
      const each = lines[at] as string;
      if (each.trim() !== '' && indentOf(each) <= indentOf(text)) return HEAD_END.test(each) ? [{ name, line }] : [];
    }
    return [];
  });
}

const LONGEST_HEAD = 60;

// A text of several lines may be anywhere, and ends nothing.
function isQuoteOpen(line: string, open: boolean): boolean {
  const quotes = line.match(TRIPLE_QUOTES)?.length ?? 0;
  return quotes % 2 === 1 ? !open : open;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
