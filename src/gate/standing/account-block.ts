import type { Sha256 } from '../ledger/entry.ts';
import { type FileBlock, fingerprintOf, lineHash } from '../ledger/text-blocks.ts';
import type { Accounts, Origin, Shape } from './accounts.ts';

/** A run of lines of a block, and the decision behind it; null: unaccounted. */
interface BlockPart {
  fingerprint: string;
  /** From 0, within the block. */
  from: number;
  to: number;
  origin: Origin | null;
}

interface AccountedBlock {
  parts: BlockPart[];
  /** Lines of several known blocks, mixed: the blocks they are of. What they say together nobody decided on. */
  mixed: Shape[] | null;
}

// Split attempts on blocks longer than this are not worth their time: they count as one.
const MAX_LINES = 2000;

// Known as it stands, or made of known blocks, or known at its ends with something new between.
export function accountBlock(
  block: Pick<FileBlock, 'firstLine' | 'lines'>,
  accounts: Accounts,
  sha256: Sha256,
): AccountedBlock {
  const { lines } = block;
  const text = lines.join('\n');
  const fingerprint = fingerprintOf(text, sha256);
  const whole = (origin: Origin | null): AccountedBlock => ({
    parts: [{ fingerprint, from: 0, to: lines.length, origin }],
    mixed: null,
  });
  const known = accounts.origins.get(fingerprint);
  if (known) return whole(known);
  if (lines.length === 1 || lines.length > MAX_LINES || accounts.origins.size === 0) return whole(null);

  const match = matcher(lines, accounts, sha256);
  const part = ({ shape, from }: Run): BlockPart => ({
    fingerprint: shape.fingerprint,
    from,
    to: from + shape.lines.length,
    origin: accounts.origins.get(shape.fingerprint) ?? null,
  });
  const cover = coverOf(match);
  if (cover) return { parts: cover.map(part), mixed: null };
  const mixed = mixedFrom(match, accounts);
  if (mixed) return { ...whole(null), mixed };
  const { before, after } = knownEnds(match);
  const from = endOf(before.at(-1));
  const to = after[0]?.from ?? lines.length;
  const rest = lines.slice(from, to);
  return {
    parts: [
      ...before.map(part),
      { fingerprint: fingerprintOf(rest.join('\n'), sha256), from, to, origin: null },
      ...after.map(part),
    ],
    mixed: null,
  };
}

interface Run {
  shape: Shape;
  from: number;
}

function endOf(run: Run | undefined): number {
  return run ? run.from + run.shape.lines.length : 0;
}

type Matcher = ReturnType<typeof matcher>;

/** The lines of one block, and which known blocks begin at one of them. */
function matcher(lines: readonly string[], accounts: Accounts, sha256: Sha256) {
  const hashes = lines.map((line) => lineHash(line, sha256));
  // By its whole fingerprint: hashes of lines only find candidates.
  const isMadeOf = ({ fingerprint }: Shape, at: readonly number[]): boolean =>
    fingerprintOf(at.map((index) => lines[index] ?? '').join('\n'), sha256) === fingerprint;
  /** Longest first. */
  const shapesAt = (from: number): Shape[] =>
    (accounts.shapes.get(hashes[from] ?? '') ?? [])
      .filter((shape) => shape.lines.every((line, index) => hashes[from + index] === line))
      .filter((shape) =>
        isMadeOf(
          shape,
          Array.from(shape.lines, (_, index) => from + index),
        ),
      )
      .sort((a, b) => b.lines.length - a.lines.length);
  return { hashes, isMadeOf, shapesAt };
}

// Known blocks end to end, nothing left over; null where there is no such way.
function coverOf({ hashes, shapesAt }: Matcher): Run[] | null {
  const steps = new Map<number, Run>();
  const reached = new Set([hashes.length]);
  for (let from = hashes.length - 1; from >= 0; from -= 1) {
    const shape = shapesAt(from).find(({ lines }) => reached.has(from + lines.length));
    if (!shape) continue;
    steps.set(from, { shape, from });
    reached.add(from);
  }
  if (!steps.has(0)) return null;
  const runs: Run[] = [];
  for (let run = steps.get(0); run; run = steps.get(endOf(run))) runs.push(run);
  return runs;
}

// A union merge keeps a line that both sides have once, and so may mix two blocks line by line.
function mixedFrom({ hashes, isMadeOf }: Matcher, accounts: Accounts): Shape[] | null {
  const there = new Set(hashes);
  const candidates = [...there].flatMap((hash) => accounts.shapes.get(hash) ?? []);
  const parts = candidates.filter((shape) => {
    const at = placesOf(shape.lines, hashes);
    return at !== null && isMadeOf(shape, at);
  });
  const covered = new Set(parts.flatMap(({ lines }) => lines));
  if (!hashes.every((hash) => covered.has(hash))) return null;
  // What the larger ones explain already is no block of its own here.
  const kept: Shape[] = [];
  const explained = new Set<string>();
  for (const shape of [...parts].sort((a, b) => b.lines.length - a.lines.length)) {
    if (shape.lines.every((line) => explained.has(line))) continue;
    kept.push(shape);
    for (const line of shape.lines) explained.add(line);
  }
  return kept.sort((a, b) => hashes.indexOf(a.lines[0] ?? '') - hashes.indexOf(b.lines[0] ?? ''));
}

// Where the wanted lines are, in their order, whatever is between them.
function placesOf(wanted: readonly string[], hashes: readonly string[]): number[] | null {
  const at: number[] = [];
  for (const [index, hash] of hashes.entries()) if (hash === wanted[at.length]) at.push(index);
  return at.length === wanted.length ? at : null;
}

// A line added right below or above a known block is new; the block is not.
function knownEnds(match: Matcher): { before: Run[]; after: Run[] } {
  const before: Run[] = [];
  for (;;) {
    const from = endOf(before.at(-1));
    const [shape] = match.shapesAt(from);
    if (!shape) break;
    before.push({ shape, from });
  }
  const start = endOf(before.at(-1));
  const after: Run[] = [];
  for (let end = match.hashes.length; end > start; ) {
    const run = endingAt(match, start, end);
    if (!run) break;
    after.unshift(run);
    end = run.from;
  }
  return { before, after };
}

function endingAt({ shapesAt }: Matcher, start: number, end: number): Run | null {
  for (let from = start; from < end; from += 1) {
    const shape = shapesAt(from).find(({ lines }) => from + lines.length === end);
    if (shape) return { shape, from };
  }
  return null;
}
