import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put, tempFolder } from '../../test/temp-folder.ts';
import { DocumentCounter } from '../matching/document-counter.ts';
import { FIELD } from '../matching/fields.ts';
import type { IndexView } from '../matching/index-view.ts';
import { rank } from '../matching/rank.ts';
import type { Segment } from '../matching/segment.ts';
import { segmentedIndex } from '../matching/segmented-index.ts';
import { createTokenizer } from '../matching/terms.ts';
import { segmentsOf } from './index-builder.ts';
import { heldSegment } from './segment-file.ts';

const FILES = 8_150;
const WORDS = ['roof', 'wall', 'door', 'prints', 'order', 'colour', 'grain'];
const root = tempFolder();
const names = Array.from({ length: FILES }, (_, i) => `dir${String(i % 17).padStart(2, '0')}/file-${i}.ts`).sort();
put(
  root,
  Object.fromEntries(
    names.map((name, i) => [name, `export const ${WORDS[i % 7]}Of${i % 31} = ${WORDS[(i * 3) % 5]}(${i});\n`]),
  ),
);
const tokenizer = createTokenizer();

// Threads that don't do what they are there for.
const broken = (name: string, lines: string): string => {
  const path = join(root, `${name}.cjs`);
  writeFileSync(path, `const { parentPort, workerData } = require('node:worker_threads');\n${lines}\n`);
  return path;
};
const THREADS: Record<string, string> = {
  'throws at once': broken('throws', 'throw new Error("no");'),
  'is not there': join(root, 'none.cjs'),
  'takes two batches and dies': broken('dies', 'Atomics.add(workerData.taken, 0, 2); process.exit(1);'),
  'takes two batches and throws': broken('half', 'Atomics.add(workerData.taken, 0, 2); throw new Error("no");'),
};

async function built(helpers: number, thread?: string): Promise<{ segments: Segment[]; told: number[] }> {
  const segments: Segment[] = [];
  const told: number[] = [];
  const from = { root, counter: new DocumentCounter(tokenizer, 7), helpers, ...(thread ? { thread } : {}) };
  for await (const segment of segmentsOf(from, names, (done) => told.push(done))) segments.push(segment);
  return { segments, told };
}

function viewOf(segments: readonly Segment[]): IndexView {
  return segmentedIndex(
    segments.map((segment) => ({
      ...heldSegment(segment),
      dead: new Uint8Array(segment.count),
      live: { documents: segment.count, totals: segment.totals },
    })),
  );
}

// All that a question can learn of it, without the numbers of documents.
function sayings(view: IndexView) {
  const keys = [...WORDS.map((word) => FIELD.body + word), `${FIELD.path}file`, `${FIELD.folder}dir03`];
  return {
    documents: view.documents,
    totals: view.totals,
    lists: keys.map((key) => {
      const { ids, counts } = view.postings(key);
      return Array.from(ids, (id, i) => `${view.path(id)} ${counts[i]}`).sort();
    }),
    answers: ['repair the roof', 'order prints', 'wallOf5'].map((text) =>
      rank(view, text, { tokenizer, top: 50 }).map(({ path, score, parts }) => ({ path, score, parts })),
    ),
  };
}

describe('a build on several threads', async () => {
  const alone = sayings(viewOf((await built(0)).segments));

  test('T20 says what a build on one thread says', async () => {
    expect(alone.documents).toBe(FILES);
    for (const helpers of [1, 2, 3]) {
      const { segments, told } = await built(helpers);
      expect(segments.length).toBeGreaterThan(1);
      expect(sayings(viewOf(segments))).toEqual(alone);
      expect(told.at(-1)).toBe(FILES);
      expect(told).toEqual([...told].sort((a, b) => a - b));
    }
  });

  test.each(Object.entries(THREADS))('T20 loses nothing where a thread %s', async (_, thread) => {
    expect(sayings(viewOf((await built(2, thread)).segments))).toEqual(alone);
  });
});
