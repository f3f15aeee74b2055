import { renameSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Lists of numbers and bytes inside a value, written apart from its JSON. */
type NumberList = Uint8Array | Uint32Array | Float64Array;

// Another number for every change of how terms are made or written: a file of another format is not read.
const FORMAT = 7;
const MARK = 0x42524749;
const KINDS = { b: Uint8Array, u: Uint32Array, f: Float64Array } as const;
const ALIGNED = 8;
const HEAD = 16;
const CHECKED_FROM = 12;

// Mark, format, checksum of the rest, length of the JSON; the JSON; every list of numbers as it lies in memory, so that
// reading copies nothing.
export function packIndexFile(value: object): Buffer {
  const lists: NumberList[] = [];
  let at = 0;
  const json = JSON.stringify(value, (_, part: unknown) => {
    const kind = kindOf(part);
    if (kind === null) return part;
    const list = part as NumberList;
    lists.push(list);
    const place = `\u0000${kind}${at},${list.length}`;
    at += padded(list.byteLength);
    return place;
  });
  const text = Buffer.from(json, 'utf8');
  const start = padded(HEAD + text.length);
  const whole = Buffer.alloc(start + at);
  text.copy(whole, HEAD);
  let to = start;
  for (const list of lists) {
    whole.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), to);
    to += padded(list.byteLength);
  }
  const head = [MARK, FORMAT, 0, text.length];
  for (const [i, number] of head.entries()) whole.writeUInt32LE(number, i * 4);
  whole.writeUInt32LE(crc32(whole.subarray(CHECKED_FROM)), 8);
  return whole;
}

/** Throws where the bytes are not whole or of another format. */
export function unpackIndexFile(bytes: Buffer): unknown {
  if (bytes.length < HEAD) throw new Error('this is not a file of an index');
  const [mark, format, checksum, length] = [0, 4, 8, 12].map((place) => bytes.readUInt32LE(place)) as [
    number,
    number,
    number,
    number,
  ];
  if (mark !== MARK || format !== FORMAT || crc32(bytes.subarray(CHECKED_FROM)) !== checksum)
    throw new Error('this is not a whole file of an index');
  const start = padded(HEAD + length);
  // Lists of numbers must lie at even places; a small read may share its memory with others.
  const aligned = bytes.byteOffset % ALIGNED === 0 ? bytes : new Uint8Array(bytes);
  return JSON.parse(bytes.toString('utf8', HEAD, HEAD + length), (_, part: unknown) => {
    if (typeof part !== 'string' || part.charCodeAt(0) !== 0) return part;
    const [place = 0, count = 0] = part.slice(2).split(',').map(Number);
    return new KINDS[part[1] as keyof typeof KINDS](
      aligned.buffer as ArrayBuffer,
      aligned.byteOffset + start + place,
      count,
    );
  });
}

// Without a sync: it is derived, and its checksum tells whether all of it came to the disk.
export function writeIndexFile(path: string, draft: string, value: object): void {
  writeFileSync(draft, packIndexFile(value), { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

function kindOf(value: unknown): keyof typeof KINDS | null {
  if (value instanceof Uint8Array) return 'b';
  if (value instanceof Uint32Array) return 'u';
  return value instanceof Float64Array ? 'f' : null;
}

function padded(size: number): number {
  return Math.ceil(size / ALIGNED) * ALIGNED;
}
