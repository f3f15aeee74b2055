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
  const pieces = fileBlocks(text).map((block): Piece => ({ block, texts: [], changed: false }));
  const lineAt = new Map<string, { line: string; piece: Piece }>();
  for (const piece of pieces) for (const line of piece.block.lines) lineAt.set(lineHash(line, sha256), { line, piece });
  // Accepted blocks, all of whose lines are in the file: whatever a merge did, they are there or come back whole.
  const whole = [...lineAt.keys()]
    .flatMap((hash) => accounts.shapes.get(hash) ?? [])
    .filter(({ fingerprint }) => accounts.origins.get(fingerprint)?.decision === 'accept')
    .filter(({ lines }) => lines.every((line) => lineAt.has(line)));
  // Lines that a merge tore off one of them.
  const torn = new Set(whole.flatMap(({ lines }) => lines));
  const isDebris = (lines: string) => lines.split('\n').every((line) => torn.has(lineHash(line, sha256)));
  for (const piece of pieces) {
    const { block } = piece;
    const { parts, mixed } = accountBlock(block, accounts, sha256);
    const texts = mixed ?? parts;
    const isKnown = (part: (typeof texts)[number]) => 'lines' in part || part.origin !== null;
    const cameBack = (part: (typeof texts)[number]) => !isKnown(part) && accounts.ended.has(part.fingerprint);
    const gone = texts.filter(cameBack);
    const back = gone.length;
    for (const each of gone) plan.takenOut.add(each.text);
    const kept = texts.filter((each) => {
      const { fingerprint, text: said } = each;
      if (cameBack(each)) return false;
      if (!isKnown(each)) return !isDebris(said);
      const count = (seen.get(fingerprint) ?? 0) + 1;
      seen.set(fingerprint, count);
      return count <= accounts.allowed(fingerprint) || isStructure(said);
    });
    const isFused =
      mixed !== null ||
      (texts.length - back > 1 && texts.every((each) => isKnown(each) || cameBack(each) || isDebris(each.text)));
    if (isFused) plan.fused += 1;
    plan.retired += back;
    plan.doubled += texts.length - kept.length - back;
    piece.changed = isFused || kept.length < texts.length;
    piece.texts = kept.map((each) => each.text);
    if (piece.changed) for (const each of texts) if (!cameBack(each)) plan.blocks.add(each.fingerprint);
  }
  // One that is nowhere, since the merge took lines that both sides had only once: it comes back after the block of its last.
  for (const { fingerprint, lines } of whole) {
    const lost = lines.map((line) => lineAt.get(line)?.line).join('\n');
    const piece = lineAt.get(lines.at(-1) ?? '')?.piece;
    if (seen.has(fingerprint) || !piece || fingerprintOf(lost, sha256) !== fingerprint) continue;
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
