import { mkdirSync, readdirSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { readPlainFile } from '../../files/read-file.ts';
import { filesBelow, linesOf, type SoughtText, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import type { Settings } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';

export const SERVED_FOLDER = 'served';
const RETENTION_DAYS = 90;
const DAY_MS = 86_400_000;
const MEGABYTE = 1_000_000;
/** New texts between two looks at the size of the whole. */
const BETWEEN_SWEEPS = 50;

/** Texts that agents were given, each once under its hash: in the home, never in a repository. */
export function servedStore(home: string, megabytes: number, now: () => Date) {
  const folder = join(home, SERVED_FOLDER);
  const pathOf = (hash: string) => join(folder, `${hash}.txt`);
  let added = 0;
  return {
    // A disk that refuses costs the person a look back, not the agent its context.
    keep(text: string, hash: string): void {
      if (megabytes === 0) return;
      try {
        const time = now();
        try {
          utimesSync(pathOf(hash), time, time);
          return;
        } catch {
          mkdirSync(folder, { recursive: true, mode: 0o700 });
        }
        if (added % BETWEEN_SWEEPS === 0) sweep(folder, megabytes * MEGABYTE, time.getTime());
        added += 1;
        writeFileSync(pathOf(hash), text, { mode: 0o600, flag: 'wx' });
        utimesSync(pathOf(hash), time, time);
      } catch {}
    },
    /** Null: never kept, swept, erased, or not what was served. */
    read(hash: string): string | null {
      if (!/^[0-9a-f]{64}$/.test(hash)) return null;
      try {
        const text = readPlainFile(pathOf(hash)).toString('utf8');
        return sha256(text) === hash ? text : null;
      } catch {
        return null;
      }
    },
  };
}

// The longest unserved go first, down to nine tenths, so that the next new text does not sweep again.
function sweep(folder: string, limit: number, now: number): void {
  const all = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, ...sizeAndTime(path) }))
    .sort((a, b) => a.time - b.time);
  let total = all.reduce((sum, { size }) => sum + size, 0);
  const goal = total > limit ? limit * 0.9 : limit;
  for (const { path, size, time } of all) {
    if (total <= goal && now - time < RETENTION_DAYS * DAY_MS) break;
    unlinkSync(path);
    total -= size;
  }
}

function sizeAndTime(path: string): { size: number; time: number } {
  const { size, mtimeMs } = statSync(path);
  return { size, time: mtimeMs };
}

/** Copies of a text in contexts that were served, and in what agents wrote down. */
export function memoryCopies(settings: Settings, sought: SoughtText): TextCopy[] {
  const served = [...filesBelow(join(settings.home, SERVED_FOLDER))];
  return [
    ...served.flatMap((path) => wholeFile('served context', path, sought)),
    ...everyWorkspaceFolder(settings).flatMap(({ folder, scope }) => [
      ...linesOf('log', join(folder, 'log.jsonl'), sought, { scope }),
      ...linesOf('gap file', join(folder, 'vocabulary_gaps.jsonl'), sought, { scope }),
      ...linesOf('gap file', join(folder, 'vocabulary_gaps.jsonl.aside'), sought, { scope }),
    ]),
  ];
}
