import type { Sha256 } from '../ledger/entry.ts';
import {
  ANY_LINE_END,
  appendForm,
  blocksOf,
  collapsed,
  type FileBlock,
  fileBlocks,
  fileEndOf,
  fingerprintOf,
  lineHash,
  withoutLines,
} from '../ledger/text-blocks.ts';
import { type Accounts, accountBlock } from './accounts.ts';

const STRUCTURE = /^(?:#|---+$|\*\*\*+$|___+$|<!--.*-->$)/;

// What a merge did to a file, and the file without it: blocks that ran into one another, are doubled, or were brought back.
// Every known block by itself and once, at its first place; what is not known stays as it is. Null: nothing to do.
export function planTidy(text: string, accounts: Accounts, sha256: Sha256) {
  const plan = { fused: 0, doubled: 0, retired: 0, blocks: new Set<string>(), takenOut: new Set<string>() };
  const seen = new Map<string, number>();
  const pieces: Piece[] = [];
  const blocks = fileBlocks(text);
  const isDebris = debrisIn(blocks, accounts, sha256);
  for (const block of blocks) {
    const { parts, mixed } = accountBlock(block, accounts, sha256);
    const texts = mixed ?? parts;
    const isKnown = (part: (typeof texts)[number]) => 'lines' in part || part.origin !== null;
    const cameBack = (part: (typeof texts)[number]) => !isKnown(part) && accounts.ended.has(part.fingerprint);
    const gone = texts.filter(cameBack);
    const back = gone.length;
    for (const { text: piece } of gone) plan.takenOut.add(piece);
    const kept = texts.filter((each) => {
      const { fingerprint, text: piece } = each;
      if (cameBack(each)) return false;
      if (!isKnown(each)) return !isDebris(piece);
      const count = (seen.get(fingerprint) ?? 0) + 1;
      seen.set(fingerprint, count);
      return count <= accounts.allowed(fingerprint) || isStructure(piece);
    });
    const isFused =
      mixed !== null ||
      (texts.length - back > 1 && texts.every((each) => isKnown(each) || cameBack(each) || isDebris(each.text)));
    if (isFused) plan.fused += 1;
    plan.retired += back;
    plan.doubled += texts.length - kept.length - back;
    const changed = isFused || kept.length < texts.length;
    if (changed) for (const each of texts) if (!cameBack(each)) plan.blocks.add(each.fingerprint);
    pieces.push({ block, texts: kept.map((piece) => piece.text), changed });
  }
  const swallowed = swallowedIn(pieces, seen, accounts, sha256);
  for (const { piece, text: lost, fingerprint } of swallowed) {
    piece.texts.push(lost);
    piece.changed = true;
    plan.fused += 1;
    plan.blocks.add(fingerprint);
  }
  const { fused, doubled, retired, takenOut } = plan;
  if (fused + doubled + retired === 0) return null;
  const after = rebuilt(text, pieces);
  return { text: after, fused, doubled, retired, blocks: [...plan.blocks], taken_out: [...takenOut] };
}

interface Piece {
  block: FileBlock;
  texts: string[];
  changed: boolean;
}

// Lines that a merge tore off known blocks, all of whose lines are in the file: these blocks are there or come back whole.
function debrisIn(blocks: readonly FileBlock[], accounts: Accounts, sha256: Sha256): (piece: string) => boolean {
  const there = new Set(blocks.flatMap(({ lines }) => lines.map((line) => lineHash(line, sha256))));
  const whole = new Set<string>();
  for (const shapes of accounts.shapes.values())
    for (const { fingerprint, lines } of shapes)
      if (accounts.origins.get(fingerprint)?.decision === 'accept' && lines.every((line) => there.has(line)))
        for (const line of lines) whole.add(line);
  return (piece) => piece.split('\n').every((line) => whole.has(lineHash(line, sha256)));
}

// A known block that is nowhere although all its lines are there: the merge took lines that both sides had only once. It
// comes back after the last block that holds one of them.
function swallowedIn(pieces: Piece[], seen: ReadonlyMap<string, number>, accounts: Accounts, sha256: Sha256) {
  const texts = new Map<string, string>();
  const places = new Map<string, Piece>();
  for (const piece of pieces) {
    for (const line of piece.block.lines) {
      const hash = lineHash(line, sha256);
      texts.set(hash, line);
      places.set(hash, piece);
    }
  }
  const shapes = [...texts.keys()].flatMap((hash) => accounts.shapes.get(hash) ?? []);
  return shapes.flatMap(({ fingerprint, lines }) => {
    if (seen.has(fingerprint) || accounts.origins.get(fingerprint)?.decision !== 'accept') return [];
    const piece = places.get(lines.at(-1) ?? '');
    if (!piece || !lines.every((line) => texts.has(line))) return [];
    const text = lines.map((line) => texts.get(line) ?? '').join('\n');
    return fingerprintOf(text, sha256) === fingerprint ? [{ piece, text, fingerprint }] : [];
  });
}

function isStructure(text: string): boolean {
  return text.split('\n').every((line) => STRUCTURE.test(line.trim()));
}

// Only changed blocks are touched; one that goes takes the blank lines after it along, and leaves none at the end.
function rebuilt(text: string, pieces: readonly Piece[]): string {
  const { lineEnd } = fileEndOf(text);
  let [out, next] = ['', 0];
  for (const [index, { block, texts, changed }] of pieces.entries()) {
    if (!changed) continue;
    out += text.slice(next, block.start);
    out += texts.map((piece) => piece.split('\n').join(lineEnd)).join(lineEnd + lineEnd);
    if (texts.length > 0 && block.end === text.length) out += lineEnd;
    next = texts.length > 0 ? block.end : (pieces[index + 1]?.block.start ?? text.length);
  }
  out += text.slice(next);
  if (pieces.at(-1)?.texts.length !== 0) return out;
  const said = out.trimEnd().length;
  return said === 0 ? '' : out.slice(0, said) + (/^[^\S\r\n]*(?:\r\n|\n|\r)?/.exec(out.slice(said))?.[0] ?? '');
}

/** What a decision does to the archive: blocks that left the notes come in, those that went back go. */
export interface ArchiveChange {
  add: readonly string[];
  drop: readonly string[];
}

/** The archive after it. The same change twice gives the same: after a crash it is simply made again. */
export function archiveAfter(archive: string, { add, drop }: ArchiveChange): string {
  const gone = new Set(drop.map(collapsed));
  const ranges = fileBlocks(archive)
    .filter(({ lines }) => gone.has(collapsed(lines.join('\n'))))
    .map(({ firstLine, lines }) => ({ firstLine, count: lines.length }));
  let text = ranges.length === 0 ? archive : withoutLines(archive, ranges);
  const known = new Set(blocksOf(text).map(collapsed));
  for (const block of add.flatMap(blocksOf)) {
    if (known.has(collapsed(block))) continue;
    known.add(collapsed(block));
    text += appendForm(fileEndOf(text), block);
  }
  return text;
}

type LineRange = { firstLine: number; count: number };

/** Where a text is in a file: as a block, as a run of blocks, or as whole lines within one, as a merge leaves them. */
export function placesOfText(whole: string, text: string): LineRange[] {
  const blocks = fileBlocks(whole);
  const wanted = blocksOf(text).map(collapsed);
  const runs = runsOf(
    blocks.map(({ lines }) => collapsed(lines.join('\n'))),
    wanted,
  );
  const found = runs.flatMap((at) => {
    const [first, last] = [blocks[at], blocks[at + wanted.length - 1]];
    if (!first || !last) return [];
    return [{ firstLine: first.firstLine, count: last.firstLine + last.lines.length - first.firstLine }];
  });
  if (found.length > 0) return found;
  const lines = text.trim().split(ANY_LINE_END).map(collapsed);
  const places = runsOf(whole.split(ANY_LINE_END).map(collapsed), lines);
  return places.map((at) => ({ firstLine: at + 1, count: lines.length }));
}

/** Where these are one after the other, from 0; no two of the places overlap. */
function runsOf(items: readonly string[], wanted: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at + wanted.length <= items.length && wanted.length > 0; ) {
    const isIt = wanted.every((item, index) => items[at + index] === item);
    if (isIt) found.push(at);
    at += isIt ? wanted.length : 1;
  }
  return found;
}

export function withoutText(whole: string, text: string): string {
  const places = placesOfText(whole, text);
  return places.length === 0 ? whole : withoutLines(whole, places);
}
