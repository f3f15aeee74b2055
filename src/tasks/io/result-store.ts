import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { ResultStore } from '../engine.ts';
import type { PartialResult } from '../results.ts';

const IN_MEMORY = 1_000;
// Small, so that its lines are gone before the collector takes them for long-lived ones.
const BUFFERED = 16 * 1024;

// The first ones stay in memory; past that they go to a private file that is gone with the run.
export function spillingStore(): ResultStore {
  const first: PartialResult[] = [];
  let file: SpillFile | null = null;
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(result) {
      count += 1;
      if (first.length < IN_MEMORY) first.push(result);
      else {
        file ??= openSpill();
        file.add(JSON.stringify(result));
      }
    },
    *all() {
      yield* first;
      if (file) for (const line of file.lines()) yield JSON.parse(line) as PartialResult;
    },
    close() {
      file?.remove();
      file = null;
    },
  };
}

interface SpillFile {
  add(line: string): void;
  lines(): Generator<string>;
  remove(): void;
}

function openSpill(): SpillFile {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-run-'));
  const fd = openSync(join(folder, 'results.jsonl'), 'wx+', 0o600);
  const pending: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (pending.length === 0) return;
    writeFileSync(fd, `${pending.join('\n')}\n`);
    pending.length = 0;
    size = 0;
  };
  return {
    add(line) {
      pending.push(line);
      size += line.length;
      if (size > BUFFERED) flush();
    },
    *lines() {
      flush();
      const decoder = new StringDecoder('utf8');
      const buffer = Buffer.allocUnsafe(BUFFERED);
      let rest = '';
      for (let position = 0; ; ) {
        const read = readSync(fd, buffer, 0, BUFFERED, position);
        if (read === 0) return;
        position += read;
        const parts = (rest + decoder.write(buffer.subarray(0, read))).split('\n');
        rest = parts.pop() ?? '';
        yield* parts;
      }
    },
    remove() {
      closeSync(fd);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
