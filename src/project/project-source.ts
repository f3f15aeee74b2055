/** The beginning of a project file, as far as it was needed. */
export interface FileText {
  text: string;
  /** True when `text` is all of the file. */
  whole: boolean;
  /** Null where counting would mean reading a large file to its end. */
  total_chars: number | null;
  total_bytes: number;
  /** Of all bytes; of a large file, of its beginning (see `HASHED_BYTES` in `project/io/open-project.ts`). */
  sha256: string;
  /** The file's own place with every link followed: two names of one file are one file. */
  identity: string;
  /** False when bytes that are not UTF-8 were replaced. */
  valid: boolean;
}

export type Reading<T> =
  | { status: 'ok'; value: T }
  | { status: 'missing' }
  /** `unsafe`: it is not a plain file of this project. */
  | { status: 'unreadable'; unsafe: boolean; reason: string };

/** The project as the loader sees it: only what a policy names is ever listed or read. */
export interface ProjectSource {
  /** Files that match a pattern, in any order, links and other non-folders included. */
  list(pattern: string): readonly string[];
  /** Is it a file that can be opened? */
  probe(path: string): Reading<null>;
  read(path: string, maxChars: number): Reading<FileText>;
  /** The whole text of a report, for parsing. */
  readWhole(path: string): Reading<string>;
  /** Folders that could not be listed so far. */
  warnings(): string[];
}
