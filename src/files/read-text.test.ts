import { closeSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { decode, readRange, readText } from './read-file.ts';

const folder = tempFolder();
const at = (name: string) => join(folder, name);

describe('readText', () => {
  it('M12 strips a byte order mark at the start, and only there', () => {
    expect(decode(Buffer.from('\ufeffa\ufeffb'))).toEqual({ text: 'a\ufeffb', valid: true });
    expect(decode(Buffer.from('\ufeffa'), false).text).toBe('\ufeffa');
    expect(decode(Buffer.from([0xef, 0xbb]))).toMatchObject({ valid: false });
  });

  it('M12 decodes any bytes with replacement and says so', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        put(folder, { any: bytes });
        const file = readText(at('any'), null);
        const decoder = new TextDecoder('utf-8');
        const text = decoder.decode(bytes);
        expect(file).toMatchObject({ status: 'ok', value: { text } });
        const isSame =
          Buffer.from(text).equals(Buffer.from(bytes)) || Buffer.from(`\ufeff${text}`).equals(Buffer.from(bytes));
        expect(file).toMatchObject({ value: { valid: isSame } });
      }),
    );
  });

  it('M14 reads what is there when a file is shorter than expected', () => {
    put(folder, { short: 'abc' });
    const fd = openSync(at('short'), 'r');
    expect(readRange(fd, 1, 100).toString()).toBe('bc');
    expect(readRange(fd, 50, 10)).toHaveLength(0);
    closeSync(fd);
  });

  it('M14 refuses a text beyond 256 MiB instead of holding it', () => {
    put(folder, { huge: '' });
    truncateSync(at('huge'), 256 * 1024 * 1024 + 1);
    expect(readText(at('huge'), null)).toEqual({
      status: 'unreadable',
      reason: 'it is too large (the limit is 256 MiB)',
    });
  });

  it('M7 gives every name of one file the same identity', () => {
    put(folder, { one: 'x', two: 'x' });
    const identity = (name: string) => {
      const file = readText(at(name), null);
      return file.status === 'ok' ? file.value.identity : '';
    };
    expect(identity('one')).toBe(identity('./one'));
    expect(identity('one')).not.toBe(identity('two'));
  });
});
