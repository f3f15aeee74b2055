/** One `key: value` of a file, with the place it is at. */
export interface FileEntry {
  key: string;
  value: unknown;
  /** What is under it, for a setting that is more than a value. */
  children?: readonly FileEntry[];
  line: number;
  column: number;
}

export interface ConfigProblem {
  file: string;
  line: number;
  column: number;
  message: string;
}
