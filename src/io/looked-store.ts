import { join } from 'node:path';
import { isRecord } from '../memory/records.ts';
import { atomicWrite } from './atomic-write.ts';
import { readText } from './read-text.ts';
import { sha256 } from './sha256.ts';

/** What was found in texts that were looked at before. Derived: lost, it is simply found again. */
export interface LookedStore {
  known(text: string): string[] | undefined;
  learn(text: string, kinds: readonly string[]): void;
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
    known: (text) => texts.get(sha256(text)),
    learn(text, kinds) {
      learnt += 1;
      texts.set(sha256(text), [...kinds]);
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
  const file = readText(path, null);
  try {
    const value: unknown = file.status === 'ok' ? JSON.parse(file.value.text) : null;
    if (!isRecord(value) || value.rules !== rules || !isRecord(value.texts)) return new Map();
    return new Map(Object.entries(value.texts).filter(isEntry));
  } catch {
    return new Map();
  }
}

function isEntry(entry: [string, unknown]): entry is [string, string[]] {
  return Array.isArray(entry[1]) && entry[1].every((kind) => typeof kind === 'string');
}
