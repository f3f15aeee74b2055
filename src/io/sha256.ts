import { SHA256_CODE, SHA256_PLACES } from './sha256-code.ts';

const { state, data, end } = SHA256_PLACES;
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const BLOCK = 64;
const LENGTH_BYTES = 8;
// Beyond this node's own is faster, with all the time it takes to load.
const SMALL = 512 * 1024;

export function sha256(whole: string | Uint8Array): string {
  return sha256Of([whole]);
}

export function sha256Of(parts: readonly (string | Uint8Array)[]): string {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  if (length <= SMALL) return machine().digest(bytes, length);
  const whole = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const part of bytes) whole.update(part);
  return whole.digest('hex');
}

// What of it is used here: it is no part of Node's own types.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface Machine {
  digest(parts: readonly Uint8Array[], length: number): string;
}

const machine = once((): Machine => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(SHA256_CODE, 'base64')));
  const { memory, blocks } = exports as { memory: { buffer: ArrayBuffer }; blocks(count: number): void };
  const room = Buffer.from(memory.buffer);
  const sums = new Uint32Array(memory.buffer, state, START.length);
  // Room for the end stays free.
  const full = end - 2 * BLOCK;
  return {
    digest(parts, length) {
      sums.set(START);
      let at = data;
      for (const part of parts) {
        for (let taken = 0; taken < part.length; ) {
          const piece = part.subarray(taken, taken + full - at);
          room.set(piece, at);
          taken += piece.length;
          at += piece.length;
          if (at < full) continue;
          blocks((full - data) / BLOCK);
          at = data;
        }
      }
      // A one bit, noughts up to the last four bytes of a block, the length in bits.
      const size = Math.ceil((at - data + 1 + LENGTH_BYTES) / BLOCK) * BLOCK;
      room.fill(0, at, data + size);
      room[at] = 0x80;
      room.writeUInt32BE(length * 8, data + size - 4);
      blocks(size / BLOCK);
      return room
        .subarray(state, state + 4 * START.length)
        .swap32()
        .toString('hex');
    },
  };
});

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
