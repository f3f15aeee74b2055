import { delimiter } from 'node:path';
import { expect, it } from 'vitest';
import { searchPath } from './paths.ts';

const closed = (code: string) => (folder: string) => {
  if (folder === '/closed') throw Object.assign(new Error(code), { code });
};
const path = ['/closed', '/usr/bin'].join(delimiter);

it('T25 L21 a folder that may not be entered is no place to look for a program; one that is not there does no harm', () => {
  expect(searchPath(path, '/somewhere', closed('EACCES'))).toBe('/usr/bin');
  expect(searchPath(path, '/somewhere', closed('ENOENT'))).toBe(path);
});
