import { execFile } from 'node:child_process';
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { appendLine } from './write-file.ts';

const folder = tempFolder();
const at = (name: string) => join(folder, name);
const own = { mode: 0o600, scope: null };

describe('appendLine', () => {
  it('M11 adds one line, makes the file for its owner alone, and keeps what is there', () => {
    appendLine(at('log'), '{"i":1}', own);
    appendLine(at('log'), '{"i":2}', own);
    expect(readFileSync(at('log'), 'utf8')).toBe('{"i":1}\n{"i":2}\n');
    expect(statSync(at('log')).mode & 0o777).toBe(0o600);
  });

  it('M12 ends a torn line first, so that it spoils only itself', () => {
    put(folder, { torn: '{"i":1}\n{"i":' });
    appendLine(at('torn'), '{"i":2}', own);
    expect(readFileSync(at('torn'), 'utf8')).toBe('{"i":1}\n{"i":\n{"i":2}\n');
  });

  it("M9 writes through no link that leads out of its scope, and through the person's own", () => {
    put(folder, { target: '', 'inner/x': '' });
    symlinkSync('../target', at('inner/link'));
    expect(() => appendLine(at('inner/link'), 'x', { mode: 0o600, scope: at('inner') })).toThrow(/leads out/);
    expect(readFileSync(at('target'), 'utf8')).toBe('');
    appendLine(at('inner/link'), 'x', own);
    expect(readFileSync(at('target'), 'utf8')).toBe('x\n');
  });

  it('M11 loses and mixes nothing when processes append at once', async () => {
    const code = `const fs = require('node:fs');
      const line = (i) => JSON.stringify({ who: process.argv[1], i, text: 'x'.repeat(i * 37 % 5000) });
      for (let i = 0; i < 50; i += 1) { const fd = fs.openSync(${JSON.stringify(at('shared'))}, 'a'); fs.writeSync(fd, line(i) + '\\n'); fs.closeSync(fd); }`;
    const others = ['a', 'b', 'c'].map((who) => promisify(execFile)(process.execPath, ['-e', code, who]));
    for (let i = 0; i < 50; i += 1) {
      appendLine(at('shared'), JSON.stringify({ who: 'me', i, text: 'y'.repeat((i * 41) % 5000) }), own);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(others);
    const records = readFileSync(at('shared'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { who: string; i: number });
    for (const who of ['a', 'b', 'c', 'me'])
      expect(records.filter((record) => record.who === who).map(({ i }) => i)).toEqual([...Array(50).keys()]);
  });
});
