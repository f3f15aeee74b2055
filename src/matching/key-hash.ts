const HASH_START = 0x811c9dc5 | 0;

// FNV-1a: one step for each byte. Of a key its field's letter counts last, so that a term is hashed once for all fields.
export function keyHash(bytes: Uint8Array): number {
  let hash = HASH_START;
  for (let i = 1; i < bytes.length; i += 1) hash = hashStep(hash, bytes[i] as number);
  return hashStep(hash, bytes[0] as number);
}

function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
