import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'bearings-code-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// However a formatter lays it out.
const plain = (path: string): string => readFileSync(path, 'utf8').replace(/\s|,(?=\s*[}\]])/g, '');

describe('the WebAssembly modules', () => {
  const scripts = readdirSync(join(ROOT, 'scripts')).filter((name) => name.endsWith('-code.mjs'));

  it('T20 are what their scripts write', () => {
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const part of ['matching', 'io']) mkdirSync(join(folder, 'src', part), { recursive: true });
    for (const script of scripts) execFileSync(process.execPath, [join(folder, 'scripts', script)]);
    const made = ['matching', 'io'].flatMap((part) =>
      readdirSync(join(folder, 'src', part)).map((name) => join('src', part, name)),
    );
    expect(made).toHaveLength(scripts.length);
    for (const path of made) expect([path, plain(join(ROOT, path))]).toEqual([path, plain(join(folder, path))]);
  });
});
