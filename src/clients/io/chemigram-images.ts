import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { atomicWrite } from '../../files/atomic-write.ts';
import { readPlainFile } from '../../files/open-file.ts';
import { readText } from '../../files/read-text.ts';
import { whyNotWritable } from '../../files/writable-place.ts';
import { whyNotId, whyNotPlainName } from '../../safety/names.ts';
import { type ImageFiles, JSONL_FILES, type MissingPart, type PresentImage } from '../chemigram-image.ts';

// Large enough for years of work on one image; what is larger is not a log any more.
const MAX_JSONL_BYTES = 64 * 1024 * 1024;

/** Every folder that holds at least one of the files of an image. */
export function readImages(root: string): ImageFiles[] {
  return folderNames(root)
    .filter((id) => whyNotId(id) === null)
    .map((id) => readImage(join(root, id), id))
    .filter(
      ({ brief, notes, records, sessions }) => brief !== null || notes !== null || records.size + sessions.length > 0,
    );
}

function readImage(folder: string, id: string): ImageFiles {
  const records = JSONL_FILES.flatMap((name) => {
    const text = jsonlIn(folder, name);
    return text === null ? [] : [[name, text] as const];
  });
  const sessions = folderNames(join(folder, 'sessions'))
    .filter((name) => name.endsWith('.jsonl') && whyNotPlainName(name) === null)
    .map((name) => ({ name, text: jsonlIn(join(folder, 'sessions'), name) ?? '' }));
  return {
    id,
    brief: textIn(folder, 'brief.md'),
    notes: textIn(folder, 'notes.md'),
    records: new Map(records),
    sessions,
  };
}

export function presentIn(folder: string): PresentImage {
  const lines = (name: string) => new Set((jsonlIn(folder, name) ?? '').split('\n'));
  return {
    brief: textIn(folder, 'brief.md'),
    records: new Map(JSONL_FILES.map((name) => [name, lines(name)])),
    sessions: folderNames(join(folder, 'sessions')),
  };
}

/** How large each file is before; null where there is none. */
export function sizesOf(
  parts: readonly { folder: string; part: MissingPart }[],
): { path: string; before: number | null }[] {
  return parts.map(({ folder, part }) => {
    const path = join(folder, part.file);
    return { path, before: statSync(path, { throwIfNoEntry: false })?.size ?? null };
  });
}

/** Only behind a journal that says what was there before: broken off, all of it goes again. */
export function writeParts(parts: readonly { folder: string; scope: string | null; part: MissingPart }[]): void {
  for (const { folder, scope, part } of parts) {
    const path = join(folder, part.file);
    const reason = whyNotWritable(scope, path);
    if (reason !== null) throw Object.assign(new Error(reason), { code: 'EPERM' });
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    if (part.how === 'new') atomicWrite(path, part.text, part.mode, scope);
    else appendFileSync(path, existsSync(path) ? withLineEnd(path, part.text) : part.text, { mode: part.mode });
  }
}

function withLineEnd(path: string, text: string): string {
  const bytes = readPlainFile(path);
  return bytes.length === 0 || bytes.at(-1) === 0x0a ? text : `\n${text}`;
}

function textIn(folder: string, name: string): string | null {
  const file = readText(join(folder, name), null);
  return file.status === 'ok' ? file.value.text : null;
}

function jsonlIn(folder: string, name: string): string | null {
  const file = readText(join(folder, name), null);
  return file.status === 'ok' && file.value.text.length <= MAX_JSONL_BYTES ? file.value.text : null;
}

function folderNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
