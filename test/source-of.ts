import type { SourceText } from '../src/matching/source-text.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A text as it is read from a file. */
export function sourceOf(text: string): SourceText {
  const bytes = new TextEncoder().encode(text);
  return {
    bytes,
    plain: bytes.length === text.length,
    slice: (start, end) => decoder.decode(bytes.subarray(start, end)),
  };
}
