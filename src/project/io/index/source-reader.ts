import { join } from 'node:path';
import { withFile } from '../../../files/open-file.ts';
import { realPath } from '../../../files/path-scope.ts';
import { decode, readRange } from '../../../files/read-text.ts';
import { whyPrivate } from '../../../matching/text/paths.ts';
import { isBundleText } from '../../bundle-text.ts';

const MAX_BYTES = 1024 * 1024;
const BINARY_CHECKED_BYTES = 8000;

/** The text of a project's file; null for what has no place in an index: a secret, a link, a large or binary file, a bundle. */
export function readSource(root: string, name: string): string | null {
  const path = join(root, name);
  if (whyPrivate(name) !== null) return null;
  const read = withFile(path, root, ({ fd, size, place }) =>
    size > MAX_BYTES || (place ?? realPath(path)) !== path ? null : readRange(fd, 0, size),
  );
  if (read.status !== 'ok' || read.value === null || read.value.subarray(0, BINARY_CHECKED_BYTES).includes(0))
    return null;
  const { text } = decode(read.value);
  return isBundleText(text) ? null : text;
}
