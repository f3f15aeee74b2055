import { codePointLength } from '../../code-points.ts';
import { baseName } from '../../matching/text/paths.ts';
import { joinRanges, type LineRange, linesOf, renderRanges } from './line-ranges.ts';

/** What of a long text every task needs. */
export interface Skimmed {
  text: string;
  chars: number;
  ranges: LineRange[];
}

const README = /^readme(?:\.\w+)?$/i;
// Headings and their rules, badges, images, HTML, targets of links, directives of reStructuredText and what is inside them.
const NOT_PROSE =
  /^\s*(?:#|[=~*_-]{3,}\s*$|!?\[!|!\[|<|\[[^\]]*\]:|\.\. |:\w+:|\||$)|^\s{3,}\S|^\s*(?:\[[^\]]*\]\([^)]*\)[\s·|•-]*)+$/;
const FENCE = /^\s*(?:```|~~~)/;
const SPONSORS = /^#.*\b(?:sponsor|backer|donat)/i;
// Of a manifest: how the project is run and on what.
const RUNS =
  /^\s{0,4}"?(?:scripts|engines|packageManager|requires-python|rust-version|edition)"?\s*[:=]|^(?:go|module|toolchain)\s/;
const RUNS_SECTION = /^\[(?:[\w.-]+\.)?scripts\]/;
const MANIFEST = /^(?:package|composer)\.json$|^(?:pyproject|Cargo)\.toml$|^go\.mod$/;

/** Is only a part of it given? */
export function isSkimmed(path: string): boolean {
  return isReadme(path) || MANIFEST.test(baseName(path));
}

export function isReadme(path: string): boolean {
  return README.test(baseName(path));
}

// Of a README its first prose; of a manifest what the task names in it, its scripts and engines. Null where there is no such part,
// none of it fits, or all does.
export function skim(path: string, text: string, maxChars: number, words: readonly string[] = []): Skimmed | null {
  if (!isSkimmed(path)) return null;
  const lines = linesOf(text);
  const wanted = isReadme(path) ? proseLines(lines) : [...namedLines(lines, words), ...runLines(lines)];
  let ranges: LineRange[] = [];
  for (const line of wanted) {
    const next = joinRanges([...ranges, { start: line, end: line }], 1);
    if (codePointLength(renderRanges(lines, next)) > maxChars) break;
    ranges = next;
  }
  // Not one line of it fits: then the file's beginning is given, as of any other.
  if (ranges.length === 0) return null;
  const shown = renderRanges(lines, ranges);
  // Saying what is left out may take more room than it.
  if (shown.trim() === text.trim() || (shown.length >= text.length && codePointLength(text) <= maxChars)) return null;
  return { text: shown, chars: codePointLength(shown), ranges };
}

function proseLines(lines: readonly string[]): number[] {
  const found: number[] = [];
  let fenced = false;
  for (const [at, line] of lines.entries()) {
    if (SPONSORS.test(line)) break;
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced && !NOT_PROSE.test(line) && /\p{L}{2}.*\s/u.test(line)) found.push(at + 1);
  }
  return found;
}

// A dependency that the task is about, with its neighbours, rare words first. One that is all over the file names nothing in it.
const MOST_NAMED = 8;

function namedLines(lines: readonly string[], words: readonly string[]): number[] {
  const found = words.map((word) => {
    const wanted = word.toLowerCase();
    return [...lines.keys()].filter((at) => lines[at]?.toLowerCase().includes(wanted));
  });
  return found
    .filter((at) => at.length <= MOST_NAMED)
    .sort((a, b) => a.length - b.length)
    .flat()
    .flatMap((at) => [at, at + 1, at + 2])
    .filter((line) => line >= 1 && line <= lines.length);
}

// A key goes on as long as its lines are further in, a section until the next.
function runLines(lines: readonly string[]): number[] {
  const found: number[] = [];
  let [indent, inSection] = [-1, false];
  for (const [at, line] of lines.entries()) {
    const own = line.length - line.trimStart().length;
    if (indent >= 0 && own <= indent) {
      if (/^\s*[}\]]/.test(line)) found.push(at + 1);
      indent = -1;
    }
    if (/^\[/.test(line)) inSection = RUNS_SECTION.test(line);
    if (indent === -1 && RUNS.test(line)) indent = /[[{]\s*$/.test(line) ? own : Number.POSITIVE_INFINITY;
    if ((indent >= 0 || inSection) && line.trim() !== '') found.push(at + 1);
    if (indent === Number.POSITIVE_INFINITY) indent = -1;
  }
  return [...new Set(found)].sort((a, b) => a - b);
}
