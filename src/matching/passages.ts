import type { Query } from './query.ts';
import { inverseFrequency } from './signals/lexical.ts';
import { definitionsIn, linesIn } from './text/definitions.ts';
import { kindOf } from './text/paths.ts';
import type { Tokenizer } from './text/terms.ts';

export interface Passage {
  /** Lines counted from 1, both included. */
  start: number;
  end: number;
  /** The heading or the name it is under. */
  title: string | null;
  text: string;
}

const LONGEST_LINES = 60;
const LONGEST_CHARS = 4000;
// A passage of fewer lines says too little: it stays with the one before.
const FEWEST_LINES = 6;
const DEEPEST_INDENT = 4;
const BODY = /\b(?:function|class|def|fn|func|fun|interface|struct|enum|trait|impl)\b|\{\s*$/;
const HEADING = /^#{1,6}\s+(.{1,200})/;
const FENCE = /^\s*(?:```|~~~)/;

// Where a file falls apart by its own sense: headings in prose, definitions in code, blank lines elsewhere.
export function passagesOf(path: string, text: string, longest = LONGEST_LINES): Passage[] {
  const lines = linesIn(text);
  const starts = kindOf(path) === 'prose' ? headingStarts(lines) : definitionStarts(path, text, lines);
  const passages: Passage[] = [];
  const bounds = [...(starts[0]?.line === 0 ? [] : [{ line: 0, title: null }]), ...starts];
  for (const [i, { line, title }] of bounds.entries()) {
    passages.push(...pieces(lines, { from: line, to: bounds[i + 1]?.line ?? lines.length, title, longest }));
  }
  return passages.filter((passage) => passage.text.trim() !== '');
}

interface Start {
  line: number;
  title: string | null;
}

function headingStarts(lines: readonly string[]): Start[] {
  const starts: Start[] = [];
  let fenced = false;
  for (const [line, text] of lines.entries()) {
    if (FENCE.test(text)) fenced = !fenced;
    const title = fenced ? null : HEADING.exec(text)?.[1]?.trim();
    if (title) starts.push({ line, title });
  }
  return starts;
}

function definitionStarts(path: string, text: string, lines: readonly string[]): Start[] {
  const starts: Start[] = [];
  for (const { name, line } of definitionsIn(path, text)) {
    const own = lines[line] ?? '';
    const indent = indentOf(own);
    if (indent > DEEPEST_INDENT || (indent > 0 && !BODY.test(own))) continue;
    const start = withComment(lines, line);
    if (start - (starts.at(-1)?.line ?? -FEWEST_LINES) >= FEWEST_LINES) starts.push({ line: start, title: name });
  }
  return starts;
}

// The comment and the decorators right above belong to what they speak of.
function withComment(lines: readonly string[], line: number): number {
  let start = line;
  while (start > 0 && /^\s*(?:\/\/|\/?\*|#|@|--)/.test(lines[start - 1] as string)) start -= 1;
  return start;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

interface Part {
  from: number;
  to: number;
  title: string | null;
  longest: number;
}

function* pieces(lines: readonly string[], { from, to, title, longest }: Part) {
  let start = from;
  while (start < to) {
    let end = start;
    let size = 0;
    let pause = -1;
    while (end < to && end - start < longest && (size === 0 || size + (lines[end] as string).length <= LONGEST_CHARS)) {
      size += (lines[end] as string).length + 1;
      end += 1;
      if (end < to && (lines[end - 1] as string).trim() === '') pause = end;
    }
    if (end < to && pause > start) end = pause;
    const text = lines.slice(start, end).join('\n').slice(0, LONGEST_CHARS);
    yield { start: start + 1, end, title, text };
    start = end;
  }
}

export interface ScoredPassage extends Passage {
  score: number;
}

// The passages that answer the query, best first; rare words of the file weigh more, a title counts twice.
export function bestPassages(passages: readonly Passage[], query: Query, tokenizer: Tokenizer): ScoredPassage[] {
  const wanted = new Set(query.terms.map(({ term }) => term));
  const counted = passages.map((passage) => {
    const counts = new Map<string, number>();
    let length = 0;
    const add = (weight: number) => (term: string) => {
      length += 1;
      if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + weight);
    };
    tokenizer.each(passage.text, add(1));
    if (passage.title) tokenizer.each(passage.title, add(2));
    return { counts, length };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length) || 1;
  const scores = new Float64Array(passages.length);
  for (const { term, weight } of query.terms) {
    const frequency = counted.filter(({ counts }) => counts.has(term)).length;
    if (frequency === 0) continue;
    const idf = inverseFrequency(passages.length, frequency);
    for (const [i, { counts, length }] of counted.entries()) {
      const count = (counts.get(term) ?? 0) / (0.7 + (0.3 * length) / average);
      scores[i] = (scores[i] as number) + (weight * idf * count * 2.2) / (1.2 + count);
    }
  }
  return passages
    .map((passage, i) => ({ ...passage, score: scores[i] as number }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.start - b.start);
}
