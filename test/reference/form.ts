import type { TypePlace } from './type-fields.ts';

/** One form of file: all that a person may want to know of it. */
export interface FileForm {
  title: string;
  /** Where it lies, by patterns: `*` is any name, `**` any folders. A real file that none of these fits fails the test. */
  places: readonly string[];
  what: string;
  writes: string;
  byHand: string;
  version: string;
  /** The types it is written from; their fields are the table of the page. */
  type?: TypePlace;
  /** Several fields that are alike, told once: a pattern and what it stands for. */
  fold?: readonly [RegExp, string][];
  /** What a field means, where the source does not say it. */
  words?: Readonly<Record<string, string>>;
  /** Fields that every line has beyond the type. */
  extra?: Readonly<Record<string, string>>;
  /** What a table of fields does not say. */
  more?: readonly string[];
  example?: { language: string; lines: readonly string[] };
}
