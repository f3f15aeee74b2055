import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { linedText } from '../../../test/support/lined-text.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { FileMemo } from '../../files/file-fingerprint.ts';
import { summariseNotes } from '../brief-and-notes.ts';
import { countLines, readNotes, readNotesWindow } from './memory-files.ts';

const BLOCK = 64 * 1024;
const path = join(tempFolder(), 'notes.md');
const forgetful: FileMemo<number> = { get: () => null, put: () => {} };

function summaryOf(content: string | Uint8Array) {
  writeFileSync(path, content);
  const file = readNotes(path, null, forgetful);
  if (file.status !== 'ok') throw new Error('unreadable');
  return { ...summariseNotes(file.value.notes), total: file.value.notes.totalLines };
}

function windowOf(offset: number, limit: number) {
  const window = readNotesWindow(path, null, forgetful, { offset, limit });
  if (window.status !== 'ok') throw new Error('unreadable');
  return window.value;
}

function linesByHand(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function summaryByHand(text: string) {
  const lines = linesByHand(text);
  if (lines.length <= 40) return { summary: text, truncated: false, total: lines.length };
  const [head, tail] = [lines.slice(0, 10).join('\n'), lines.slice(-30).join('\n')];
  return {
    summary: `${head}\n\n... [${lines.length - 40} lines elided] ...\n\n${tail}`,
    truncated: true,
    total: lines.length,
  };
}

describe('notes file', () => {
  it('M10 agrees with a reader of the whole text', () => {
    fc.assert(
      fc.property(linedText(BLOCK), (text) => {
        expect(summaryOf(text)).toEqual(summaryByHand(text));
      }),
      { numRuns: effort(250) },
    );
  });

  it('M10 finds head and tail where line ends lie on the edges of blocks', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (let shift = -4; shift <= 4; shift += 1) {
        const tail = Array.from({ length: 30 }, (_, i) => `tail ${i}${end}`).join('');
        for (const edge of [tail, tail.slice(end.length), `${tail}${end}`]) {
          const before = `first${end}${'m'.repeat(BLOCK)}${end}${`middle${end}`.repeat(50)}`;
          const filler = 'z'.repeat(Math.max(0, BLOCK - edge.length + shift));
          const text = `${before}${filler}${end}${edge}`;
          expect(summaryOf(text)).toEqual(summaryByHand(text));
        }
      }
    }
  });

  it('M10 an empty line at the edge of head or tail is a line', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = Array.from({ length: 60 }, (_, at) => ([9, 10, 29, 30, 59].includes(at) ? '' : `line ${at}`));
      const text = lines.join(end) + end;
      expect(summaryOf(text)).toEqual(summaryByHand(text));
    }
  });

  it('M10 M12 reads large files of few long lines raw, and any bytes at all', () => {
    const few = `\ufeff${'é'.repeat(100_000)}\r\nend`;
    expect(summaryOf(few)).toEqual({ summary: few.slice(1), truncated: false, total: 2 });
    const noise = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 31 + (i >> 3)) % 256);
    expect(summaryOf(noise)).toEqual(summaryByHand(new TextDecoder().decode(noise)));
    const longTail = `${'a\n'.repeat(100)}${'🐋'.repeat(70_000)}\n${'b\n'.repeat(5)}`;
    expect(summaryOf(longTail)).toEqual(summaryByHand(longTail));
  });

  it('M12 says when bytes were replaced', () => {
    writeFileSync(path, Uint8Array.of(0x61, 0xff));
    expect(readNotes(path, null, forgetful)).toMatchObject({ value: { valid: false } });
    expect(windowOf(0, 1)).toEqual({ lines: ['a\ufffd'], totalLines: 1, valid: false });
  });

  it('M16 gives every window as a slice of all lines', () => {
    fc.assert(
      fc.property(linedText(BLOCK), fc.array(fc.tuple(fc.nat(1), fc.nat(60)), { maxLength: 4 }), (text, windows) => {
        writeFileSync(path, text);
        const lines = linesByHand(text);
        const offsets = windows.map(([where, near]) => (where === 0 ? near : Math.max(0, lines.length - near)));
        for (const offset of [0, 1, ...offsets, lines.length - 1, lines.length, lines.length + 5]) {
          if (offset < 0) continue;
          for (const limit of [1, 7, 2000]) {
            const window = windowOf(offset, limit);
            expect(window).toEqual({
              lines: lines.slice(offset, offset + limit),
              totalLines: lines.length,
              valid: true,
            });
          }
        }
      }),
      { numRuns: effort(80) },
    );
  });

  it('M16 finds every line of a file through its marks', () => {
    const ends = ['\n', '\r\n', '\r'];
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i}`);
    writeFileSync(path, lines.map((line, i) => line + ends[i % 3]).join(''));
    for (let offset = 0; offset < 30_000; offset += 997)
      expect(windowOf(offset, 3).lines).toEqual(lines.slice(offset, offset + 3));
  });

  it('M14 refuses one endless line instead of holding it, and still counts it', () => {
    writeFileSync(path, '');
    truncateSync(path, 300 * 1024 * 1024);
    expect(readNotes(path, null, forgetful)).toMatchObject({ status: 'unreadable' });
    expect(countLines(path, null, forgetful)).toEqual({ status: 'ok', value: 1 });
  });
});
