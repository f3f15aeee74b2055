import { expect, it } from 'vitest';
import { BearingsError, codeOf, ioError, reasonOf } from '../errors.ts';

const system = (code: string) => Object.assign(new Error(`${code}: no, open '/secret/place'`), { code });

it('M31 says a system error in our words, never with its path', () => {
  for (const code of ['EACCES', 'EISDIR', 'ENOSPC', 'EROFS', 'EWHATEVER']) {
    expect(reasonOf(system(code))).not.toContain('/');
    const error = ioError("notes.md can't be read", system(code));
    expect(error).toMatchObject({ code: 'io_error', message: `notes.md can't be read: ${reasonOf(system(code))}.` });
  }
});

it('M31 leaves our own errors and defects what they are', () => {
  const ours = new BearingsError('conflict', 'x');
  const defect = new TypeError('x');
  expect([ioError('a', ours), ioError('a', defect), ioError('a', 'text')]).toEqual([ours, defect, 'text']);
  expect([codeOf(null), codeOf(5), codeOf(system('EIO'))]).toEqual(['', '', 'EIO']);
});
