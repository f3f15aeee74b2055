/** A file's text as bytes of UTF-8, good until the next file is read; parts of it become strings where they are looked at. */
export interface SourceText {
  bytes: Uint8Array;
  /** All of it is ASCII: places in the bytes are places in the text. */
  plain: boolean;
  slice(start: number, end?: number): string;
}
