import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../../files/read-file.ts';
import { linesOf, type SoughtText, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { isRecord } from '../../json-record.ts';
import type { Settings } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';

/** What was found in texts that were scanned for secrets before. Derived: lost, it is simply found again. */
export interface ScannedTexts {
  /** By the SHA-256 of the text, or of the bytes it was read from. */
  known(sha256: string): string[] | undefined;
  learn(sha256: string, kinds: readonly string[]): void;
  save(): void;
}

const MAX_TEXTS = 1_000;
export const SCANNED_FILE = 'scanned.json';

// Only hashes and classes, never a text. `rules` names what scanned: another version scans again. It lies in the home, where
// one exists: the cache folder is no place for what is believed, and a planted line there would let a secret out.
export function scannedTexts(home: string, rules: string): ScannedTexts {
  const path = join(home, SCANNED_FILE);
  const texts = readTexts(path, rules);
  const before = texts.size;
  let learnt = 0;
  return {
    known: (sha256) => texts.get(sha256),
    learn(sha256, kinds) {
      learnt += 1;
      texts.set(sha256, [...kinds]);
    },
    save() {
      if (learnt === 0 || !existsSync(home)) return;
      const newest = [...texts].slice(Math.max(0, before + learnt - MAX_TEXTS));
      try {
        atomicWrite(path, JSON.stringify({ rules, texts: Object.fromEntries(newest) }), 0o600);
      } catch {
        // Where it can't be written, the next call scans again.
      }
    },
  };
}

function readTexts(path: string, rules: string): Map<string, string[]> {
  try {
    const value: unknown = JSON.parse(readPlainFile(path).toString('utf8'));
    if (!isRecord(value) || value.rules !== rules || !isRecord(value.texts)) return new Map();
    return new Map(Object.entries(value.texts).filter(isEntry));
  } catch {
    return new Map();
  }
}

function isEntry(entry: [string, unknown]): entry is [string, string[]] {
  return Array.isArray(entry[1]) && entry[1].every((kind) => typeof kind === 'string');
}

/** Copies of a text in receipts, and its hash among texts that were scanned. */
export function loaderCopies(settings: Settings, sought: SoughtText): TextCopy[] {
  return [
    ...everyWorkspaceFolder(settings).flatMap(({ folder, scope }) =>
      linesOf('receipt', join(folder, 'receipts.jsonl'), sought, { scope }),
    ),
    ...wholeFile('scan list', join(settings.home, SCANNED_FILE), sought),
  ];
}
