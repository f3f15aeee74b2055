import { join } from 'node:path';
import { namesIn } from '../../files/paths.ts';
import { textOf } from '../../files/read-file.ts';
import { safeEntry } from '../../gate/io/transcript-reader.ts';
import { parseRecord } from '../../json.ts';
import { whyNotId } from '../../safety/hidden-characters.ts';

const JSONL_FILES = ['log.jsonl', 'vocabulary_gaps.jsonl'];
// Large enough for years of work on one image; what is larger is not a log any more.
const MAX_CHARS = 64 * 1024 * 1024;

/** What an image and a workspace both hold; the log and the gaps by file name. */
export function memoryTextsIn(read: (name: string) => string | null) {
  const records = JSONL_FILES.flatMap((name) => {
    const text = read(name);
    return text === null ? [] : [[name, text] as const];
  });
  return { brief: read('brief.md'), notes: read('notes.md'), records: new Map(records) };
}

/** Every folder that holds at least one of the files of an image of Chemigram. */
export function readImages(root: string) {
  return namesIn(root)
    .filter((id) => whyNotId(id) === null)
    .map((id) => ({ id, ...memoryTextsIn((name) => textIn(join(root, id), name)) }))
    .filter(({ brief, notes, records }) => brief !== null || notes !== null || records.size > 0);
}

// Brief, log and gaps come in as they are; the notes become proposals. What is in the workspace's folder already stays.
export function missingParts({ brief, records }: ReturnType<typeof readImages>[number], folder: string | null) {
  const present = (name: string) => (folder === null ? null : textIn(folder, name));
  const own = present('brief.md');
  // `count`: how much comes in, for the question.
  const parts = brief !== null && own === null ? [{ file: 'brief.md', text: brief, count: 1 }] : [];
  for (const [file, text] of records) {
    const known = new Set(present(file)?.split('\n'));
    const lines = text
      .split('\n')
      .flatMap((line) => parseRecord(line) ?? [])
      .map((record) => JSON.stringify(safeEntry(record)))
      .filter((line) => !known.has(line));
    if (lines.length > 0) parts.push({ file, text: lines.join('\n'), count: lines.length });
  }
  // It has another brief already, which stays.
  return { parts, keepsBrief: brief !== null && own !== null && own !== brief };
}

function textIn(folder: string, name: string): string | null {
  const text = textOf(join(folder, name));
  return text !== null && text.length <= MAX_CHARS ? text : null;
}
