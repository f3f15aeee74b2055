import { isBundleText } from '../../project/io/index/read-parts.ts';
import type { FileText, Reading } from '../../project/project-source.ts';
import type { LimitsInForce } from '../policy/limits.ts';
import type { Score } from '../slices/matched.ts';
import { type Excerpt, excerptOf, type LineRange, linesOf } from './line-ranges.ts';
import type { Room, Slice } from './partitions.ts';
import type { Unit } from './passage-choice.ts';
import type { Provenance } from './provenance.ts';
import type { Skimmed } from './skim.ts';

export type DropReason =
  | 'budget_files'
  | 'budget_chars'
  | 'budget_tokens'
  | 'low_value'
  | 'duplicate'
  | 'unsafe'
  | 'unreadable';

/** A text that a slice would take, not read until it is its turn. */
export interface Candidate {
  path: string;
  source_class: Slice;
  selected_by: string;
  provenance: Provenance;
  /** No task file comes in before it. */
  required?: boolean;
  /** Where matching chose it. */
  score?: Score;
  /** At most this much of it, inside the limit of every file. */
  max_chars?: number;
  read(maxChars: number): Reading<FileText>;
  /** The part of it that every task needs, where that is not its beginning. */
  skim?(text: string, maxChars: number): Skimmed | null;
  /** The best of it that fits, where that is not its beginning. */
  shorten?(maxChars: number): Shortened;
}

/** A part of a text, and where that part comes from. */
export interface Shortened {
  text: string;
  provenance: Provenance;
}

export interface FileEntry {
  path: string;
  source_class: Slice;
  selected_by: string;
  provenance: Provenance;
  rank: number;
  /** Where matching chose it: the total, its parts, and the shared words. */
  score?: Score;
  truncated: boolean;
  chars: number;
  /** Null for a large file: it is not read to its end for a count. */
  total_chars: number | null;
  total_bytes: number;
  /** Of the whole text; of a file above 256 KiB, of its first 256 KiB. */
  sha256: string;
  excerpt: string;
  /** Which lines of the file the excerpt holds, counted from 1; only of project files. */
  ranges?: LineRange[];
  /** Only where tokens are counted. */
  tokens?: number;
}

export interface Dropped {
  path: string;
  source_class: Slice;
  selected_by: string;
  reason: DropReason;
}

export interface Filled {
  files: FileEntry[];
  dropped: Dropped[];
  warnings: string[];
  used: Room;
  /** Why each passage of a file is in, best first; only where words chose. */
  passages?: Map<string, Unit[]>;
}

export interface FillOptions {
  room: Room;
  limits: LimitsInForce;
  /** What earlier slices hold, by path and by identity. Grows. */
  taken: Set<string>;
  firstRank: number;
  countTokens: ((text: string) => number) | null;
}

/** No passage lies beyond this: it is as far as a text is looked at for secrets. */
export const MOST_CHARS = 200_000;
// Without limits a single text still ends somewhere: strings and memory do.
const LARGEST_TEXT = 16_000_000;

// Takes candidates in order until the slice's room is used. The first that does not fit ends the reading: the rest is
// dropped unread.
export function fillSlice(candidates: Iterable<Candidate>, options: FillOptions): Filled {
  const { room, taken, countTokens } = options;
  const limit = options.limits.max_chars_per_file ?? LARGEST_TEXT;
  const filled: Filled = { files: [], dropped: [], warnings: [], used: { files: 0, chars: 0, tokens: 0 } };
  const { used } = filled;
  let full: DropReason | null = null;
  const drop = ({ path, source_class, selected_by }: Candidate, reason: DropReason): void => {
    filled.dropped.push({ path, reason, selected_by, source_class });
  };

  for (const candidate of candidates) {
    if (taken.has(nameKey(candidate))) drop(candidate, 'duplicate');
    else if (full) drop(candidate, full);
    else if (used.files >= room.files) {
      full = 'budget_files';
      drop(candidate, full);
    } else {
      const perFile = Math.min(limit, candidate.max_chars ?? limit);
      const reading = readCandidate(candidate, { taken, maxChars: candidate.skim ? MOST_CHARS : perFile });
      if (reading.status !== 'ok') {
        if (reading.warning) filled.warnings.push(reading.warning);
        drop(candidate, reading.reason);
        continue;
      }
      const { identity } = reading;
      const { text, provenance: kept } = fitText(candidate, reading.text, Math.min(perFile, room.chars - used.chars));
      const left: RoomLeft = {
        perFile,
        chars: room.chars - used.chars,
        tokens: room.tokens - used.tokens,
        isFirst: used.files === 0,
        countTokens,
      };
      const skimmed = skimTo(candidate, text, left);
      const fitted = skimmed ?? cutToRoom(text, left);
      if (typeof fitted === 'string') {
        full = fitted;
        drop(candidate, full);
        continue;
      }
      taken.add(nameKey(candidate)).add(identity);
      if (!text.valid) filled.warnings.push(`${candidate.path} is not valid UTF-8: bad bytes are shown as U+FFFD.`);
      const provenance = trustOf(kept, text);
      if (provenance !== kept)
        filled.warnings.push(`${candidate.path} is a saved bundle: it is evidence, not authority.`);
      filled.files.push(
        entryOf({ ...candidate, provenance }, text, { ...fitted, rank: options.firstRank + used.files }),
      );
      used.files += 1;
      used.chars += fitted.excerpt.chars;
      used.tokens += fitted.tokens ?? 0;
    }
  }
  return filled;
}

function fitText(
  { shorten, provenance }: Candidate,
  text: FileText,
  maxChars: number,
): { text: FileText; provenance: Provenance } {
  if (!shorten || (text.total_chars ?? 0) <= maxChars || maxChars < 1) return { text, provenance };
  const short = shorten(maxChars - 1);
  // Ended like a line: what is fitted is cut no further.
  return { text: { ...text, text: `${short.text}\n`, whole: false }, provenance: short.provenance };
}

type CandidateReading =
  | { status: 'ok'; text: FileText; identity: string }
  | { status: 'out'; reason: DropReason; warning: string | null };

// The text of a candidate, unless it is in already or can't be read.
export function readCandidate(
  candidate: Candidate,
  { taken, maxChars }: { taken: ReadonlySet<string>; maxChars: number },
): CandidateReading {
  const out = (reason: DropReason, warning: string | null = null) => ({ status: 'out' as const, reason, warning });
  if (taken.has(nameKey(candidate))) return out('duplicate');
  const reading = candidate.read(maxChars);
  if (reading.status === 'missing') return out('unreadable');
  if (reading.status === 'unreadable') {
    // An empty reason: whoever chose the candidate has already said why.
    const warning = reading.reason === '' ? null : `${candidate.path} is left out: ${reading.reason}.`;
    return out(reading.unsafe ? 'unsafe' : 'unreadable', warning);
  }
  const identity = identityKey(candidate, reading.value);
  return taken.has(identity) ? out('duplicate') : { status: 'ok', text: reading.value, identity };
}

interface Fitted {
  excerpt: Excerpt;
  tokens: number | null;
  ranges?: LineRange[];
}

interface RoomLeft {
  perFile: number;
  chars: number;
  tokens: number;
  isFirst: boolean;
  countTokens: ((text: string) => number) | null;
}

// Only where there is room for all of its share: what is cut further is given by its beginning.
function skimTo({ skim }: Candidate, { text }: FileText, room: RoomLeft): Fitted | null {
  if (!skim || room.chars < room.perFile) return null;
  const skimmed = skim(excerptOf(text, MOST_CHARS).text, room.perFile);
  const tokens = skimmed && room.countTokens ? room.countTokens(skimmed.text) : null;
  if (skimmed === null || (tokens ?? 0) > room.tokens) return null;
  const { ranges, chars } = skimmed;
  return { excerpt: { text: skimmed.text, chars, truncated: true }, tokens, ranges };
}

// Cut to the room that is left; but a scrap of less than a tenth of what the text would get is worth nothing.
function cutToRoom(text: FileText, options: RoomLeft): Fitted | DropReason {
  const wished = excerptOf(text.text, options.perFile, text.whole);
  const isScrap = (kept: number) => kept < 1 || (!options.isFirst && kept * 10 < wished.chars);
  const byChars = wished.chars <= options.chars ? wished : excerptOf(text.text, Math.max(0, options.chars), text.whole);
  if (byChars.chars < wished.chars && isScrap(byChars.chars)) return 'budget_chars';
  if (!options.countTokens) return { excerpt: byChars, tokens: null };
  const byTokens = cutToTokens(byChars, text, { max: options.tokens, countTokens: options.countTokens });
  return byTokens.excerpt.chars < byChars.chars && isScrap(byTokens.excerpt.chars) ? 'budget_tokens' : byTokens;
}

// The longest beginning whose count fits. Counts hardly ever shrink with length; where one does, the search only ends
// a little early, and what it returns has been counted.
function cutToTokens(
  excerpt: Excerpt,
  text: FileText,
  { max, countTokens }: { max: number; countTokens: (text: string) => number },
): { excerpt: Excerpt; tokens: number } {
  const all = countTokens(excerpt.text);
  if (all <= max) return { excerpt, tokens: all };
  let best = { excerpt: { text: '', chars: 0, truncated: true }, tokens: 0 };
  for (let low = 1, high = excerpt.chars - 1; low <= high; ) {
    const middle = Math.floor((low + high) / 2);
    const tried = excerptOf(text.text, middle, text.whole);
    const tokens = countTokens(tried.text);
    if (tokens > max) high = middle - 1;
    else {
      if (tried.chars > best.excerpt.chars) best = { excerpt: tried, tokens };
      low = middle + 1;
    }
  }
  return best;
}

// A bundle holds texts of the workspace and of adapters: kept where authority is expected, it gets no more than they have.
function trustOf(provenance: Provenance, { text }: FileText): Provenance {
  return provenance.origin === 'project' && provenance.authoritative && isBundleText(text)
    ? { ...provenance, authoritative: false }
    : provenance;
}

export function entryOf(
  candidate: Candidate,
  text: FileText,
  { excerpt, tokens, rank, ranges }: Fitted & { rank: number },
): FileEntry {
  const lines = candidate.provenance.origin === 'project' ? (ranges ?? headRange(excerpt)) : null;
  // Written in the order of the keys, as the bundle prints them.
  return {
    chars: excerpt.chars,
    excerpt: excerpt.text,
    path: candidate.path,
    provenance: candidate.provenance,
    ...(lines ? { ranges: lines } : {}),
    rank,
    ...(candidate.score ? { score: candidate.score } : {}),
    selected_by: candidate.selected_by,
    sha256: text.sha256,
    source_class: candidate.source_class,
    ...(tokens === null ? {} : { tokens }),
    total_bytes: text.total_bytes,
    total_chars: text.total_chars,
    truncated: excerpt.truncated,
  };
}

function headRange({ text }: Excerpt): LineRange[] {
  const end = linesOf(text).length;
  return end === 0 ? [] : [{ start: 1, end }];
}

// Project files share one space of names; an adapter's `docs/a.md` is not the project's.
function nameKey({ path, source_class }: Candidate): string {
  return `${isProjectFile(source_class) ? 'file' : source_class} ${path}`;
}

function identityKey({ source_class }: Candidate, { identity }: FileText): string {
  return `${isProjectFile(source_class) ? 'file' : source_class} ${identity}`;
}

function isProjectFile(slice: Slice): boolean {
  return slice === 'control_plane' || slice === 'task';
}
