import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../memory/records.ts';
import { atomicWrite } from './atomic-write.ts';

/** What was found in texts that were looked at before. Derived: lost, it is simply found again. */
export interface LookedStore {
  /** By the SHA-256 of the text, or of the bytes it was read from. */
  known(sha256: string): string[] | undefined;
  learn(sha256: string, kinds: readonly string[]): void;
  save(): void;
}

const MAX_TEXTS = 1_000;
const FILE = 'looked.json';

// Only hashes and classes are kept, never a text. `rules` names what looked: another version looks anew.
export function lookedStore(folder: string, rules: string): LookedStore {
  const path = join(folder, FILE);
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
      if (learnt === 0) return;
      const newest = [...texts].slice(Math.max(0, before + learnt - MAX_TEXTS));
      try {
        atomicWrite(path, JSON.stringify({ rules, texts: Object.fromEntries(newest) }), 0o600);
      } catch {
        // a cache that can't be kept costs time, nothing else
      }
    },
  };
}

function readTexts(path: string, rules: string): Map<string, string[]> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isRecord(value) || value.rules !== rules || !isRecord(value.texts)) return new Map();
    return new Map(Object.entries(value.texts).filter(isEntry));
  } catch {
    return new Map();
  }
}

function isEntry(entry: [string, unknown]): entry is [string, string[]] {
  return Array.isArray(entry[1]) && entry[1].every((kind) => typeof kind === 'string');
}
