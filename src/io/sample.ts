import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Sample {
  home: string;
  folder: string;
  remove(): void;
}

export function makeSample(files: Readonly<Record<string, string>>): Sample {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-demo-'));
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, text);
  }
  return { home: join(folder, 'home'), folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
