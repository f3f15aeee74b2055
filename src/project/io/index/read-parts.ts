import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FINGERPRINT_NUMBERS, fingerprintsOf } from '../../../files/file-fingerprint.ts';
import { realPath } from '../../../files/paths.ts';
import { decode, readRange, withFile } from '../../../files/read-file.ts';
import { SegmentWriter } from '../../../matching/index/segment.ts';
import { whyPrivate } from '../../../matching/text/paths.ts';
import type { Tokenizer } from '../../../matching/text/terms.ts';
import type { IndexPart } from './index-store.ts';

/** Files of a project in path order, and the project's real path. */
export interface FilesToRead {
  root: string;
  names: readonly string[];
}

// One segment is written before it takes more memory than this many postings do.
const MOST_POSTINGS = 500_000;
const NAMES_PER_STEP = 100;

// Calls `onStep` with how many files were read, time and again: whoever reads in the main thread can let others have it then. The
// fingerprints are taken before the files are read: a change while they are read shows as one since.
export async function* readParts(
  { root, names }: FilesToRead,
  tokenizer: Tokenizer,
  onStep: (done: number) => void | Promise<void>,
): AsyncGenerator<IndexPart> {
  const prints = fingerprintsOf(root, names);
  let [writer, counts, from] = [new SegmentWriter(tokenizer), [] as number[], 0];
  for (let at = 0; at < names.length; ) {
    const end = Math.min(at + NAMES_PER_STEP, names.length);
    for (; at < end; at += 1) {
      const name = names[at] as string;
      const text = readSource(root, name);
      writer.add(name, text);
      counts.push(text === null ? 0 : 1);
    }
    await onStep(at);
    if (at < names.length && writer.postings < MOST_POSTINGS) continue;
    const own = prints.slice(from * FINGERPRINT_NUMBERS, at * FINGERPRINT_NUMBERS);
    yield { segment: writer.end(), prints: own, counts: Uint8Array.from(counts) };
    [writer, counts, from] = [new SegmentWriter(tokenizer), [], at];
  }
}

/** What a thread says while it reads. */
export type ThreadMessage = { done: number } | { part: IndexPart };

// A thread takes a tenth of a second to start: with fewer files it is not worth it.
const FILES_WORTH_A_THREAD = 1_000;
const MOST_SHARES = 4;

/** The files in as many shares as it is worth reading at once; the first is the caller's own. */
export function sharesOf(names: readonly string[]): string[][] {
  const file = threadFile();
  const most = file === null ? 1 : Math.min(availableParallelism(), MOST_SHARES);
  const count = Math.max(1, Math.min(most, Math.floor(names.length / FILES_WORTH_A_THREAD)));
  const size = Math.ceil(names.length / count);
  return Array.from({ length: count }, (_, i) => names.slice(i * size, (i + 1) * size));
}

/** Reads the files in a thread of its own. */
export function readInThread(files: FilesToRead, onStep: (done: number) => void): Promise<IndexPart[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadFile() as string, { workerData: files });
    const parts: IndexPart[] = [];
    worker.on('message', (message: ThreadMessage) => {
      if ('part' in message) parts.push(message.part);
      else onStep(message.done);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve(parts) : reject(new Error(`the thread ended with ${code}`))));
  });
}

// Built beside the binary; the library's own file is one folder higher. Where nothing is built there are no threads.
function threadFile(): string | null {
  const files = ['./index-thread.cjs', './bin/index-thread.cjs'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return files.find((file) => existsSync(file)) ?? null;
}

const MAX_BYTES = 1024 * 1024;
const BINARY_CHECKED_BYTES = 8000;

/** The text of a project's file; null for what has no place in an index: a secret, a link, a large or binary file, a bundle. */
export function readSource(root: string, name: string): string | null {
  const path = join(root, name);
  if (whyPrivate(name) !== null) return null;
  const read = withFile(path, root, ({ fd, size, place }) =>
    size > MAX_BYTES || (place ?? realPath(path)) !== path ? null : readRange(fd, 0, size),
  );
  if (read.status !== 'ok' || read.value === null || read.value.subarray(0, BINARY_CHECKED_BYTES).includes(0))
    return null;
  const { text } = decode(read.value);
  return isBundleText(text) ? null : text;
}

// A bundle that somebody kept in the project holds the words of every task it was made for: it is no source of its own.
export function isBundleText(text: string): boolean {
  if (text.startsWith('{')) return /^\{\s*"adapters": \[/.test(text) && text.includes('"bundle_sha256": "');
  if (text.startsWith('# Context\n')) return /\n- bundle: [0-9a-f]{64}\n$/.test(text.slice(-80));
  return text.startsWith('<context>\n') && / sha256="[0-9a-f]{64}"\/>\n<\/context>\n$/.test(text.slice(-120));
}
