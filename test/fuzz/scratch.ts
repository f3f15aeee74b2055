import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', removeScratch);

// A worker of vitest is ended without a word: its tests call this themselves.
export function removeScratch(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

// A folder for readers of files, made at the first use and gone with the process.
export function scratch(): { write(name: string, bytes: Uint8Array): string; folder(): string } {
  let place: string | undefined;
  const folder = (): string => {
    if (place !== undefined) return place;
    place = mkdtempSync(join(tmpdir(), 'bearings-fuzz-'));
    made.push(place);
    return place;
  };
  return {
    folder,
    write(name, bytes) {
      const path = join(folder(), name);
      writeFileSync(path, bytes);
      return path;
    },
  };
}
