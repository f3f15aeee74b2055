import { join } from 'node:path';
import { lstatOf, namesIn } from '../../files/paths.ts';
import { textOf, whyNotWritable } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { safeEntry } from '../../gate/io/transcript-reader.ts';
import { parseRecord } from '../../json.ts';
import { whyNotId } from '../../safety/hidden-characters.ts';

/** One image of Chemigram, as its folder holds it. */
interface ImageFiles {
  id: string;
  hasNotes: boolean;
  /** By file name: brief, log and gaps. */
  texts: ReadonlyMap<string, string>;
}

/** A file that a workspace does not have yet. */
export interface MissingPart {
  file: string;
  text: string;
}

export const JSONL_FILES = ['log.jsonl', 'vocabulary_gaps.jsonl'];

// Brief, log and gaps come in as they are; the notes become proposals. What the workspace has already stays.
export function missingParts({ texts }: ImageFiles, folder: string | null) {
  const parts: MissingPart[] = [];
  const kept: string[] = [];
  for (const [file, text] of texts) {
    if (folder === null || lstatOf(join(folder, file)) === undefined) parts.push({ file, text });
    else if (textIn(folder, file) !== text) kept.push(file);
  }
  return { parts, kept };
}

function safeLines(text: string): string {
  const records = text.split('\n').flatMap((line) => parseRecord(line) ?? []);
  return records.map((record) => `${JSON.stringify(safeEntry(record))}\n`).join('');
}

// Large enough for years of work on one image; what is larger is not a log any more.
const MAX_CHARS = 64 * 1024 * 1024;

/** Every folder that holds at least one of the files of an image. */
export function readImages(root: string): ImageFiles[] {
  return namesIn(root)
    .filter((id) => whyNotId(id) === null)
    .map((id) => readImage(join(root, id), id))
    .filter(({ hasNotes, texts }) => hasNotes || texts.size > 0);
}

function readImage(folder: string, id: string): ImageFiles {
  const texts = ['brief.md', ...JSONL_FILES].flatMap((name): [string, string][] => {
    const text = textIn(folder, name);
    return text === null ? [] : [[name, name === 'brief.md' ? text : safeLines(text)]];
  });
  return { id, hasNotes: textIn(folder, 'notes.md') !== null, texts: new Map(texts) };
}

/** Only behind a journal that names them: broken off, all of them go again. */
export function writeParts(parts: readonly { folder: string; scope: string | null; part: MissingPart }[]): void {
  for (const { folder, scope, part } of parts) {
    const path = join(folder, part.file);
    const reason = whyNotWritable(scope, path);
    if (reason !== null) throw Object.assign(new Error(reason), { code: 'EPERM' });
    atomicWrite(path, part.text, 0o644, scope);
  }
}

function textIn(folder: string, name: string): string | null {
  const text = textOf(join(folder, name));
  return text !== null && text.length <= MAX_CHARS ? text : null;
}
