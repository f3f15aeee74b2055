const encoder = new TextEncoder();

/** Bytes a text takes on disk. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
