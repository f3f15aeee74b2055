import { codePointLength } from '../../code-points.ts';
import type { ScoredPassage } from '../../matching/passages.ts';
import type { FileText } from '../../project/project-source.ts';
import { leftByKind } from '../slices/matched.ts';
import {
  type Candidate,
  type DropReason,
  entryOf,
  type Filled,
  type FillOptions,
  MOST_CHARS,
  readCandidate,
} from './fill.ts';
import { enclosingLines, excerptOf, joinRanges, type LineRange, linesOf, renderRanges } from './line-ranges.ts';
import { type Contender, inOrderOfWorth, spreadFor, type Unit, unitsOf } from './passage-choice.ts';

/** A task file that the words of the task chose. */
export interface MatchedCandidate extends Candidate {
  /** Its score beside the others. */
  worth: number;
  passages(text: string): ScoredPassage[];
}

// At most so many are read: what is further down has never been worth a place.
const MOST_READ = 24;
// What is left out in so few lines takes as much room to say.
const SMALL_GAP = 3;
// At most so many blank lines may be between a passage and the line that follows it.
const MOST_BETWEEN = 2;

interface Opened {
  candidate: MatchedCandidate;
  text: FileText;
  lines: string[];
  units: Contender['units'];
  chosen: LineRange[];
  given: Unit[];
  excerpt: string;
  chars: number;
  tokens: number;
}

// Fills the slice passage by passage: the best of each file that can get a place, then whatever is worth most. A file is
// given in its own order, with the lines that enclose what is given.
export function fillPassages(candidates: readonly MatchedCandidate[], options: FillOptions & { task: string }): Filled {
  const { room, taken, countTokens } = options;
  const perFile = options.limits.max_chars_per_file ?? Number.POSITIVE_INFINITY;
  const filled: Filled = { files: [], dropped: [], warnings: [], used: { files: 0, chars: 0, tokens: 0 } };
  const drop = ({ path, source_class, selected_by }: Candidate, reason: DropReason): void => {
    filled.dropped.push({ path, reason, selected_by, source_class });
  };
  const passages = new Map<string, Unit[]>();
  const opened: Opened[] = [];
  for (const candidate of candidates.slice(0, MOST_READ)) {
    const reading = readCandidate(candidate, { taken, maxChars: MOST_CHARS });
    if (reading.status === 'ok') opened.push(openedOf(candidate, reading.text));
    else {
      if (reading.warning) filled.warnings.push(reading.warning);
      drop(candidate, reading.reason);
    }
  }

  let left = { files: room.files, chars: room.chars, tokens: room.tokens };
  let lacks: DropReason = 'budget_chars';
  const take = (file: Opened, range: LineRange): boolean => {
    const next = withRange(file, range, countTokens);
    const grown = { chars: next.chars - file.chars, tokens: next.tokens - file.tokens };
    if (next.chars > perFile || grown.chars > left.chars) return false;
    if (grown.tokens > left.tokens) {
      lacks = 'budget_tokens';
      return false;
    }
    left = {
      files: left.files - (file.chosen.length === 0 ? 1 : 0),
      chars: left.chars - grown.chars,
      tokens: left.tokens - grown.tokens,
    };
    Object.assign(file, next);
    return true;
  };
  const contenders = opened.map(
    ({ candidate, units }, place): Contender => ({
      place,
      score: candidate.worth,
      leftByKind: candidate.score ? leftByKind(candidate.score) : 1,
      units,
    }),
  );
  const worthy = new Set<Opened>();
  for (const { place, unit } of inOrderOfWorth(contenders, spreadFor(options.task))) {
    const file = opened[place] as Opened;
    worthy.add(file);
    if (file.chosen.length === 0 && left.files <= 0) continue;
    if (take(file, withNextLine(file.lines, unit))) {
      file.given.push(unit);
      continue;
    }
    // The best of a file comes in cut rather than not at all.
    if (file.chosen.length > 0) continue;
    const size = Math.min(perFile, left.chars);
    for (let end = endWithin(file.lines, unit, size); end >= unit.start; end = middle(unit.start, end))
      if (take(file, { start: unit.start, end })) {
        file.given.push({ ...unit, end });
        break;
      }
  }

  for (const file of opened) {
    const { candidate, text } = file;
    if (file.chosen.length === 0) {
      const head =
        filled.files.length === 0 && left.files > 0 && file === opened[0]
          ? headOf(file, perFile, left, countTokens)
          : null;
      if (head === null) {
        drop(candidate, left.files <= 0 ? 'budget_files' : worthy.has(file) ? lacks : 'low_value');
        continue;
      }
      Object.assign(file, head);
    }
    passages.set(candidate.path, file.given);
    taken.add(`file ${candidate.path}`).add(`file ${text.identity}`);
    if (!text.valid) filled.warnings.push(`${candidate.path} is not valid UTF-8: bad bytes are shown as U+FFFD.`);
    const whole = text.whole && file.chosen.length === 1 && file.excerpt === text.text;
    filled.files.push(
      entryOf(candidate, text, {
        excerpt: { text: file.excerpt, chars: file.chars, truncated: !whole },
        tokens: countTokens ? file.tokens : null,
        rank: options.firstRank + filled.files.length,
        ranges: file.chosen,
      }),
    );
    filled.used = {
      files: filled.used.files + 1,
      chars: filled.used.chars + file.chars,
      tokens: filled.used.tokens + file.tokens,
    };
  }
  for (const candidate of candidates.slice(MOST_READ)) drop(candidate, left.files <= 0 ? 'budget_files' : 'low_value');
  return { ...filled, passages };
}

function openedOf(candidate: MatchedCandidate, text: FileText): Opened {
  const seen = text.text.length > MOST_CHARS ? excerptOf(text.text, MOST_CHARS).text : text.text;
  const units = unitsOf(seen, candidate.passages(seen));
  return { candidate, text, lines: linesOf(seen), units, chosen: [], given: [], excerpt: '', chars: 0, tokens: 0 };
}

type Given = Pick<Opened, 'chosen' | 'excerpt' | 'chars' | 'tokens'>;

function withRange(file: Opened, range: LineRange, countTokens: FillOptions['countTokens']): Given {
  const around = enclosingLines(file.lines, range.start).map((line) => ({ start: line, end: line }));
  const parts = joinRanges([...file.chosen, ...around, { start: range.start, end: range.end }], SMALL_GAP);
  const some = renderRanges(file.lines, parts);
  const whole = file.lines.join('');
  // Saying what is left out may take more room than it.
  const chosen = some.length < whole.length ? parts : [{ start: 1, end: file.lines.length }];
  const excerpt = some.length < whole.length ? some : whole;
  return { chosen, excerpt, chars: codePointLength(excerpt), tokens: countTokens?.(excerpt) ?? 0 };
}

// What is new is often written after what is like it: with the line that follows, its place can be seen.
function withNextLine(lines: readonly string[], { start, end }: LineRange): LineRange {
  for (let next = end + 1; next <= Math.min(lines.length, end + MOST_BETWEEN + 1); next += 1)
    if (lines[next - 1]?.trim() !== '') return { start, end: next };
  return { start, end };
}

function middle(start: number, end: number): number {
  return end === start ? start - 1 : start + Math.floor((end - start) / 2);
}

function endWithin(lines: readonly string[], { start, end }: LineRange, size: number): number {
  let sum = 0;
  for (let line = start; line <= end; line += 1) {
    sum += (lines[line - 1] as string).length;
    if (sum > size) return line - 1;
  }
  return end;
}

// Not even a line of it fits: then its first characters, so that the best file is not left out for one long line.
function headOf(
  file: Opened,
  perFile: number,
  left: { chars: number; tokens: number },
  countTokens: FillOptions['countTokens'],
): Given | null {
  for (let size = Math.min(perFile, left.chars, file.text.text.length); size >= 1; size = Math.floor(size / 2)) {
    const { text, chars } = excerptOf(file.text.text, size, file.text.whole);
    const tokens = countTokens?.(text) ?? 0;
    if (chars > 0 && tokens <= left.tokens)
      return { chosen: [{ start: 1, end: Math.max(1, linesOf(text).length) }], excerpt: text, chars, tokens };
  }
  return null;
}
