import type { SourceText } from '../src/matching/source-text.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A text as it is read from a file. */
export function sourceOf(content: string | Uint8Array): SourceText {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    bytes,
    plain: bytes.every((byte) => byte < 0x80),
    slice: (start, end) => decoder.decode(bytes.subarray(start, end)),
  };
}
