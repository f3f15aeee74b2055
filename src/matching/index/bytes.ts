const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes that grow: whole numbers in seven-bit groups, texts with their length before them. */
export class ByteWriter {
  length = 0;
  private bytes: Uint8Array;

  constructor(capacity = 16) {
    this.bytes = new Uint8Array(capacity);
  }

  number(value: number): void {
    this.room(5);
    let rest = value;
    while (rest > 0x7f) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  raw(part: Uint8Array): void {
    this.room(part.length);
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  text(value: string): void {
    const part = new ByteWriter(value.length);
    part.utf8(value);
    this.number(part.length);
    this.raw(part.taken());
  }

  /** Without its length before it. */
  utf8(value: string): void {
    this.room(value.length);
    const start = this.length;
    for (let i = 0; i < value.length; i += 1) {
      const code = value.charCodeAt(i);
      // Nearly all terms are plain letters: the encoder is only asked for the others.
      if (code > 0x7f) {
        this.length = start;
        this.raw(encoder.encode(value));
        return;
      }
      this.bytes[start + i] = code;
    }
    this.length = start + value.length;
  }

  taken(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private room(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.length + more, this.bytes.length * 2));
    wider.set(this.bytes);
    this.bytes = wider;
  }
}

export class ByteReader {
  at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('the bytes end in a number');
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError('a number is too long');
  }

  raw(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError('the bytes end early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text(): string {
    return decoder.decode(this.raw(this.number()));
  }
}
