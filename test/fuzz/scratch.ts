import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A folder for readers of files, made at the first use and gone with the process.
export function scratch(): { write(name: string, bytes: Uint8Array): string; folder(): string } {
  let place: string | undefined;
  const folder = (): string => {
    if (place !== undefined) return place;
    const made = mkdtempSync(join(tmpdir(), 'bearings-fuzz-'));
    place = made;
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    return made;
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
