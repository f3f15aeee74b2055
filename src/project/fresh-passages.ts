import { codePointLength, compareCodePoints } from '../code-points.ts';
import { join } from '../files/paths.ts';
import { readText } from '../files/read-file.ts';
import type { ScoredPassage } from '../matching/passages.ts';
import { bestFirst, type ScorePassages } from '../matching/score-passages.ts';
import { whyPrivate } from '../matching/text/paths.ts';
import { cleanFile, type FileFinding } from '../safety/clean-text.ts';

/** Why a file is in a fresh context: which lines of it, and the words of the task that it holds. */
export interface FreshReason {
  path: string;
  lines: string[];
  words: string[];
}

export interface FreshPassages {
  text: string;
  why: FreshReason[];
  /** What was found that is no one's business, with its file and lines. */
  warnings: string[];
  /** Named, and no file of the project that may be read. */
  missing: string[];
}

interface Filling {
  root: string;
  scored: ScorePassages;
  maxChars: number;
  /** What the reader has already: a passage of it is not given again (T28). */
  present?: string;
}

const PASSAGES_PER_FILE = 3;
const MAX_LINES = 5;

// The best passages of each file, in the order of the files, as many as fit. Secrets are cut out first (L25).
export function fillFresh(files: readonly { path: string; words: string[] }[], filling: Filling): FreshPassages {
  const pieces: string[] = [];
  const why: FreshReason[] = [];
  const warnings: string[] = [];
  const missing: string[] = [];
  let room = filling.maxChars;
  for (const { path, words } of files) {
    const lines: string[] = [];
    const passages = passagesIn(path, filling);
    if (passages === null) missing.push(path);
    const best = passages?.slice(0, PASSAGES_PER_FILE) ?? [];
    for (const { start, end, text } of best.sort((a, b) => a.start - b.start)) {
      const size = codePointLength(text) + path.length + `:${start}-${end}\n\n`.length + (pieces.length > 0 ? 1 : 0);
      if (size > room) continue;
      const clean = cleanFile(text);
      warnings.push(...clean.findings.map((finding) => warningOn(path, start, finding)));
      if (clean.refused !== undefined || filling.present?.includes(clean.text.trim())) continue;
      room -= size;
      pieces.push(`${path}:${start}-${end}\n${clean.text}\n`);
      lines.push(`${start}-${end}`);
    }
    if (lines.length > 0) why.push({ path, lines, words });
  }
  return { text: pieces.join('\n'), why, warnings, missing };
}

// Paths that a memory system of someone else names: those the index knows not come after, by code point.
export function withUnranked(
  ranked: readonly { path: string; words: string[] }[],
  named: readonly string[],
): { path: string; words: string[] }[] {
  const known = new Set(ranked.map(({ path }) => path));
  const others = [...new Set(named)].filter((path) => !known.has(path)).sort(compareCodePoints);
  return [...ranked, ...others.map((path) => ({ path, words: [] }))];
}

function passagesIn(path: string, { root, scored, present = '' }: Filling): ScoredPassage[] | null {
  const read = whyPrivate(path) !== null ? null : readText(join(root, path), root);
  if (read?.status !== 'ok') return null;
  const all = scored(path, read.value.text);
  const best = bestFirst(all);
  // Whoever named the file knows more than its words say: then it is given from its beginning.
  return (best.length > 0 ? best : all).filter(({ text }) => !present.includes(text.trim()));
}

function warningOn(path: string, start: number, { kind, certainty, lines }: FileFinding): string {
  const place = `${path}:${lines
    .slice(0, MAX_LINES)
    .map((line) => start + line - 1)
    .join(',')}`;
  if (kind.startsWith('hidden_')) return `${place} holds ${kind}.`;
  return certainty === 'certain'
    ? `${place}: ${kind} is redacted.`
    : `${place}: this might be a secret (${kind}) and is left as it is.`;
}
