/** Lists of numbers and bytes inside a value, kept apart from its JSON. */
type Packable = Uint8Array | Uint32Array | Float64Array;

const KINDS = { b: Uint8Array, u: Uint32Array, f: Float64Array } as const;
const ALIGNED = 8;
const HEAD = 16;
const MARK = 0x42504b31;

// A value as one piece of bytes: its JSON, and behind it every list of numbers as it lies in memory, so that opening it
// copies nothing.
export function packParts(value: object, format: number): Buffer {
  const lists: Packable[] = [];
  let at = 0;
  const json = JSON.stringify(value, (_, part: unknown) => {
    const kind = kindOf(part);
    if (kind === null) return part;
    const list = part as Packable;
    lists.push(list);
    const place = `\u0000${kind}${at},${list.length}`;
    at += padded(list.byteLength);
    return place;
  });
  const text = Buffer.from(json, 'utf8');
  const start = padded(HEAD + text.length);
  const whole = Buffer.alloc(start + at);
  for (const [i, number] of [MARK, format, text.length, whole.length].entries()) whole.writeUInt32LE(number, i * 4);
  text.copy(whole, HEAD);
  let to = start;
  for (const list of lists) {
    whole.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), to);
    to += padded(list.byteLength);
  }
  return whole;
}

// Null where the bytes are not whole or of another format.
export function unpackParts(bytes: Buffer, format: number): unknown {
  if (bytes.length < HEAD) return null;
  const [mark, written, length, size] = [0, 4, 8, 12].map((place) => bytes.readUInt32LE(place)) as [
    number,
    number,
    number,
    number,
  ];
  if (mark !== MARK || written !== format || size !== bytes.length) return null;
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

function kindOf(value: unknown): keyof typeof KINDS | null {
  if (value instanceof Uint8Array) return 'b';
  if (value instanceof Uint32Array) return 'u';
  return value instanceof Float64Array ? 'f' : null;
}

function padded(size: number): number {
  return Math.ceil(size / ALIGNED) * ALIGNED;
}
