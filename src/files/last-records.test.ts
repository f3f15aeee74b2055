import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { readLastRecords } from './read-file.ts';

const BLOCK = 64 * 1024;
const folder = tempFolder();
const path = join(folder, 'log.jsonl');

function last(content: string | Uint8Array, count = 10) {
  writeFileSync(path, content);
  const result = readLastRecords(path, null, count);
  if (result.status !== 'ok') throw new Error(result.status);
  return result.value;
}

describe('readLastRecords', () => {
  it('M11 gives the last ten, newest first', () => {
    const lines = Array.from({ length: 25 }, (_, i) => `{"i":${i}}\n`).join('');
    expect(last(lines).records.map(({ i }) => i)).toEqual([24, 23, 22, 21, 20, 19, 18, 17, 16, 15]);
  });

  it('M12 brings ten good ones past broken lines, and counts what it skipped', () => {
    const lines = Array.from({ length: 15 }, (_, i) => `{"i":${i}}\nbroken\n\n[]\n`).join('');
    const { records, skipped } = last(lines);
    expect(records.map(({ i }) => i)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
    expect(skipped).toBe(20);
  });

  it('M12 reads a torn end, a BOM, CRLF, CR only, and U+2028 inside a text', () => {
    expect(last('{"i":1}\n{"i":').records).toEqual([{ i: 1 }]);
    expect(last('\ufeff{"i":1}\n{"i":2}').records).toEqual([{ i: 2 }, { i: 1 }]);
    expect(last('{"i":1}\r\n{"i":2}\r\n').records).toEqual([{ i: 2 }, { i: 1 }]);
    expect(last('{"i":1}\r{"i":2}\r').records).toEqual([{ i: 2 }, { i: 1 }]);
    expect(last('{"i":1}\r{"i":2}\n{"i":3}').records).toEqual([{ i: 3 }, { i: 2 }, { i: 1 }]);
    expect(last('{"i":"a\u2028b"}\n').records).toEqual([{ i: 'a\u2028b' }]);
    expect(last('').records).toEqual([]);
    expect(last('\n\n\n')).toEqual({ records: [], skipped: 0, valid: true });
  });

  it('M12 replaces bad bytes and says so', () => {
    const bad = Buffer.concat([Buffer.from('{"i":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    expect(last(bad)).toEqual({ records: [{ i: '\ufffd' }], skipped: 0, valid: false });
    expect(last('{"i":"é"}\n').valid).toBe(true);
  });

  it('M14 puts a record together that lies across block borders', () => {
    for (const shift of [-3, -2, -1, 0, 1, 2, 3]) {
      const long = JSON.stringify({ i: 1, text: `é${'x'.repeat(BLOCK + shift)}` });
      const { records } = last(`{"i":0}\n${long}\n{"i":2}\n`);
      expect(records.map(({ i }) => i)).toEqual([2, 1, 0]);
      const filled = `{"i":0}\n${' '.repeat(BLOCK - 9 + shift)}\n{"i":1}\n`;
      expect(last(filled).records.map(({ i }) => i)).toEqual([1, 0]);
    }
  });

  it('M14 M15 skips a line too long to hold and reads on before it', () => {
    put(folder, { 'log.jsonl': '{"i":0}\n{"text":"' });
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 20; i += 1) appendFileSync(path, megabyte);
    appendFileSync(path, '"}\n{"i":2}\n');
    const result = readLastRecords(path, null, 10);
    expect(result).toEqual({ status: 'ok', value: { records: [{ i: 2 }, { i: 0 }], skipped: 1, valid: true } });
  });

  it('M11 M12 agrees with a reader of the whole file', () => {
    const good = fc.integer({ min: 0, max: 99 }).map((i) => `{"i":${i}}`);
    const longOne = fc.integer({ min: BLOCK - 60, max: BLOCK + 60 }).map((size) => `{"t":"${'y'.repeat(size)}"}`);
    const line = fc.oneof(
      { weight: 8, arbitrary: good },
      {
        weight: 3,
        arbitrary: fc.constantFrom('', ' ', '[]', 'null', '{', '{"a":', '\ufeff', '\ufeff{"i":1}', '"\u2028"'),
      },
      { weight: 1, arbitrary: longOne },
    );
    const end = fc.constantFrom('\n', '\r\n', '\n\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end), { maxLength: 25 }), fc.boolean(), (parts, torn) => {
        const content = parts.flat().join('');
        const text = torn ? content.slice(0, -3) : content;
        expect(last(text).records).toEqual(byHand(text));
      }),
      { numRuns: 150 },
    );
  });

  it('M12 never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(last(bytes).records.length).toBeLessThanOrEqual(10);
      }),
    );
  });
});

function byHand(text: string): unknown[] {
  const records: unknown[] = [];
  for (const line of text.split('\n').reverse()) {
    try {
      const value: unknown = JSON.parse(line.replace(/^\ufeff/, ''));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) records.push(value);
    } catch {
      // A broken line.
    }
  }
  return records.slice(0, 10);
}
