import { outOfOrder } from '../../code-points.ts';
import type { Anchor, DecisionKind, EntryTexts, LedgerEntry, Sha256 } from '../ledger/entry.ts';
import { inOrder } from '../ledger/home-state.ts';
import { fingerprintOf, LINE_HASH_CHARS, lineHash } from '../ledger/text-blocks.ts';

/** The decision behind a block. */
export type Origin = ReturnType<typeof originOf>;

/** Where key and record in the home contradict each other nobody can say which of them is the person's: whatever counts is said to be of neither. */
export const NOT_IN_HOME = 'a key that is not in your home';

type Signatory = 'you' | 'a key you trust' | typeof NOT_IN_HOME;

/** Why a block may have to be reviewed again. */
export interface Watch {
  /** The code it cites, as it was when the person last said yes to it. */
  anchors: readonly Anchor[];
  /** A date; null: none was set. */
  until: string | null;
  /** Files that it belongs to; no reason to review it. */
  paths: readonly string[];
}

/** What all ledgers of a folder say together, by fingerprint. */
export type Accounts = ReturnType<typeof accountsOf>;

export interface Shape {
  fingerprint: string;
  lines: string[];
}

/** After these a block is there without a decision. */
export const ENDS_BLOCKS = new Set<DecisionKind>(['remove', 'retire']);
/** What these took the place of went for good. */
const REPLACES = new Set<DecisionKind>(['accept', 'replace']);
/** No word on any block. */
const SAYS_NOTHING = new Set<DecisionKind>(['decline', 'look_again', 'erase']);
/** These say again what a block is watched for. */
const WATCHES = new Set<DecisionKind>(['accept', 'replace', 'edit', 'adopt', 'undo', 'restore', 'look_again']);

export interface SignedEntry {
  entry: LedgerEntry;
  said: EntryTexts;
  owner: Signatory;
  /** By which the next entry, an undo and a retirement name it. */
  hash: string;
}

// Entries of each ledger in their own order, ledgers merged by time: the last word on a block holds.
export function accountsOf(ledgers: readonly (readonly SignedEntry[])[], sha256: Sha256) {
  const origins = new Map<string, Origin>();
  const texts = new Map<string, string>();
  const prints = new Map<string, string>();
  const multiplicity = new Map<string, number>();
  const ended = new Set<string>();
  // A retirement ends the decision it names, whichever of them a clock calls the later.
  const retirements = ledgers.flat().filter(({ entry }) => entry.decision === 'retire');
  const retired = new Set(retirements.map(({ entry }) => entry.subject));
  const watched = new Map<string, Watch>();
  const decisions = inOrder(ledgers);
  for (const signed of decisions) {
    const { entry, said, hash } = signed;
    const { decision } = entry;
    const { blocks, replaced } = said;
    if (WATCHES.has(decision)) watch(watched, entry, said);
    if (ENDS_BLOCKS.has(decision)) {
      for (const { print } of blocks) origins.delete(print);
      if (decision === 'retire') for (const { print } of blocks) ended.add(print);
      continue;
    }
    if (SAYS_NOTHING.has(decision)) continue;
    for (const { print } of replaced) origins.delete(print);
    if (REPLACES.has(decision)) for (const { print } of replaced) ended.add(print);
    if (retired.has(hash)) {
      for (const { print } of blocks) if (!origins.has(print)) ended.add(print);
      continue;
    }
    const origin = originOf(signed);
    for (const { print } of blocks) {
      ended.delete(print);
      if (!origins.has(print) || decision !== 'tidy') origins.set(print, origin);
      if (decision === 'accept' || blocks.length === 1) continue;
      const count = blocks.filter((each) => each.print === print).length;
      multiplicity.set(print, Math.max(count, multiplicity.get(print) ?? 0));
    }
    for (const { print, text } of [...blocks, ...replaced]) {
      if (text === null) continue;
      texts.set(print, text);
      prints.set(text, print);
    }
  }
  let shapes: ReadonlyMap<string, Shape[]> | undefined;
  return {
    origins,
    texts,
    // A text that stands as it was decided on has the fingerprint of its record.
    printOf: (text: string) => prints.get(text) ?? fingerprintOf(text, sha256),
    // Retired or replaced: where a merge brings one back, it is no news.
    ended,
    watched,
    // Known blocks by the hash of their first line. Only a block that is not known as it stands asks for them.
    get shapes() {
      shapes ??= shapesOf(origins.keys(), texts, sha256);
      return shapes;
    },
    // How often a block may appear before it counts as doubled: once, unless the person wrote it more often by hand.
    allowed: (block: string) => Math.max(1, multiplicity.get(block) ?? 0),
    hasDecisions: ledgers.some((entries) => entries.length > 0),
    /** Those that stand elsewhere than they were put, or more often than they came. */
    displacedAmong: <T extends Placed>(blocks: readonly T[]) => displacedAmong(blocks, placesOf(decisions)),
  };
}

type Placed = { fingerprint: string; origin: Origin | null; text: string };

// By run: what one chain appended is in its order, and so is what one decision brought elsewhere; what took the place of a block
// has its place. Null: of a block that came more than once, was put back or tidied, nobody can say where it belongs.
function placesOf(decisions: readonly SignedEntry[]) {
  const places = new Map<string, { run: string; rank: string } | null>();
  const copies = new Map<string, number>();
  for (const { entry, said, hash } of decisions) {
    const { decision, machine, seq, replaced, already_present } = entry;
    if (ENDS_BLOCKS.has(decision) || SAYS_NOTHING.has(decision)) continue;
    const isAppended = decision === 'accept' && replaced === undefined && !already_present;
    const own = isAppended ? { run: machine, rank: padded(seq) } : { run: hash, rank: '' };
    const before = said.replaced.map(({ print }) => places.get(print)).find((place) => place);
    const start = decision === 'accept' ? (before ?? own) : decision === 'edit' || decision === 'adopt' ? own : null;
    for (const [index, { print }] of said.blocks.entries()) {
      if (decision !== 'tidy') copies.set(print, (copies.get(print) ?? 0) + 1);
      const isFirst = start !== null && !places.has(print);
      places.set(print, isFirst ? { run: start.run, rank: `${start.rank} ${padded(index)}` } : null);
    }
  }
  return { places, copies };
}

const padded = (count: number): string => String(count).padStart(9, '0');

function displacedAmong<T extends Placed>(blocks: readonly T[], { places, copies }: ReturnType<typeof placesOf>): T[] {
  const known = blocks.filter(({ origin }) => origin !== null);
  const tooMany = known.filter(({ fingerprint: print }) => {
    const left = copies.get(print) ?? 1;
    copies.set(print, left - 1);
    return !places.get(print) && left < 1;
  });
  const placed = known.flatMap((block) => {
    const place = places.get(block.fingerprint);
    return place ? [{ ...place, block, isHeading: block.text.startsWith('#') }] : [];
  });
  return [...tooMany, ...outOfOrder(placed).map(({ block }) => block)];
}

function watch(watched: Map<string, Watch>, entry: LedgerEntry, said: EntryTexts): void {
  const until = typeof entry.until === 'string' ? entry.until : null;
  for (const { print, anchors = [] } of said.blocks) {
    const paths = entry.paths ?? watched.get(print)?.paths ?? [];
    if (anchors.length > 0 || until !== null || paths.length > 0) watched.set(print, { anchors, until, paths });
    else watched.delete(print);
  }
}

function shapesOf(blocks: Iterable<string>, texts: ReadonlyMap<string, string>, sha256: Sha256) {
  const shapes = new Map<string, Shape[]>();
  for (const fingerprint of blocks) {
    const text = texts.get(fingerprint);
    const lines = text?.split('\n').map((line) => lineHash(line, sha256)) ?? [fingerprint.slice(0, LINE_HASH_CHARS)];
    const first = lines[0] ?? '';
    const known = shapes.get(first) ?? [];
    known.push({ fingerprint, lines });
    shapes.set(first, known);
  }
  return shapes;
}

export function originOf({ entry, owner, hash }: SignedEntry) {
  const { decision, at, who, client, proposed_by = client, proposal_id, session_id, edited, machine, seq, key } = entry;
  const by = { who, client, proposed_by, proposal_id, session_id, edited, machine, seq, signed_by: owner, key };
  /** `decision_id` is whole; the first characters are enough to name it. */
  return { decision, decision_id: hash, at, ...by };
}

// Split attempts on blocks longer than this are not worth their time: they count as one.
const MAX_LINES = 2000;

// Known as it stands, or with known blocks in it and what is new between them. `mixed`: lines of several known blocks, which
// a merge mixed: the blocks they are of. What they say together nobody decided on.
export function accountBlock({ lines }: { lines: readonly string[] }, accounts: Accounts, sha256: Sha256) {
  // A run of lines, from 0, with the decision behind it; null: unaccounted.
  const partOf = (from: number, to: number) => {
    const text = lines.slice(from, to).join('\n');
    const fingerprint = accounts.printOf(text);
    return { fingerprint, from, to, text, origin: accounts.origins.get(fingerprint) ?? null };
  };
  const whole = partOf(0, lines.length);
  if (whole.origin || lines.length === 1 || lines.length > MAX_LINES || accounts.origins.size === 0)
    return { parts: [whole], mixed: null };
  const hashes = lines.map((line) => lineHash(line, sha256));
  // Hashes of lines only find candidates: what counts is the whole fingerprint.
  const shapesAt = (from: number): Shape[] =>
    (accounts.shapes.get(hashes[from] ?? '') ?? [])
      .filter((shape) => shape.lines.every((line, index) => hashes[from + index] === line))
      .filter((shape) => partOf(from, from + shape.lines.length).fingerprint === shape.fingerprint)
      .sort((a, b) => a.lines.length - b.lines.length);
  // From the end: the block that begins at a line so that as few lines as can be are left over, the longest of several.
  const best: { left: number; shape: Shape | null }[] = lines.map(() => ({ left: 0, shape: null }));
  const leftAt = (at: number) => best[at]?.left ?? 0;
  for (let from = lines.length - 1; from >= 0; from -= 1) {
    let [left, shape]: [number, Shape | null] = [leftAt(from + 1) + 1, null];
    for (const each of shapesAt(from))
      if (leftAt(from + each.lines.length) <= left) [left, shape] = [leftAt(from + each.lines.length), each];
    best[from] = { left, shape };
  }
  const mixed = leftAt(0) === 0 ? null : mixedFrom(lines, hashes, accounts, sha256);
  if (mixed) return { parts: [whole], mixed };
  const parts: (typeof whole)[] = [];
  for (let from = 0; from < lines.length; from = parts.at(-1)?.to ?? lines.length) {
    const shape = best[from]?.shape ?? null;
    let to = from + (shape?.lines.length ?? 1);
    while (shape === null && best[to]?.shape === null) to += 1;
    parts.push(shape ? partOf(from, to) : { ...partOf(from, to), origin: null });
  }
  return { parts, mixed: null };
}

// A union merge keeps a line that both sides have once, and so may mix two blocks line by line.
function mixedFrom(lines: readonly string[], hashes: readonly string[], accounts: Accounts, sha256: Sha256) {
  const candidates = [...new Set(hashes)].flatMap((hash) => accounts.shapes.get(hash) ?? []);
  const parts = candidates.flatMap((shape) => {
    // Its lines in their order, whatever is between them.
    const at: number[] = [];
    for (const [index, hash] of hashes.entries()) if (hash === shape.lines[at.length]) at.push(index);
    const text = at.map((index) => lines[index]).join('\n');
    return fingerprintOf(text, sha256) === shape.fingerprint ? [{ ...shape, text }] : [];
  });
  // What the larger ones explain already is no block of its own here.
  const kept: typeof parts = [];
  const explained = new Set<string>();
  for (const shape of parts.toSorted((a, b) => b.lines.length - a.lines.length)) {
    if (shape.lines.every((line) => explained.has(line))) continue;
    kept.push(shape);
    for (const line of shape.lines) explained.add(line);
  }
  if (!hashes.every((hash) => explained.has(hash))) return null;
  return kept.sort((a, b) => hashes.indexOf(a.lines[0] ?? '') - hashes.indexOf(b.lines[0] ?? ''));
}
