import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartialResult } from '../results.ts';
import { linesIn } from './run-files.ts';

const IN_MEMORY = 1_000;

export type ResultStore = ReturnType<typeof spillingStore>;

// Finished results, in order. The first ones stay in memory; past that they go to a private file that is gone with the run.
export function spillingStore() {
  const first: PartialResult[] = [];
  let spill: { folder: string; fd: number } | null = null;
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(result: PartialResult): void {
      count += 1;
      if (first.length < IN_MEMORY) return void first.push(result);
      spill ??= openSpill();
      writeFileSync(spill.fd, `${JSON.stringify(result)}\n`);
    },
    *all(): Generator<PartialResult> {
      yield* first;
      if (spill) for (const { bytes } of linesIn(spill.fd)) yield JSON.parse(bytes.toString('utf8')) as PartialResult;
    },
    close(): void {
      if (!spill) return;
      closeSync(spill.fd);
      rmSync(spill.folder, { recursive: true, force: true });
      spill = null;
    },
  };
}

function openSpill() {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-run-'));
  return { folder, fd: openSync(join(folder, 'results.jsonl'), 'wx+', 0o600) };
}
