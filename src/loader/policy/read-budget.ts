import { type Reader, readMap, text, wholeNumber } from '../../settings/tree-reader.ts';
import type { Limits } from './limits.ts';

export const sentence = text((value) => (value.length > 500 ? 'is longer than 500 characters' : null));
// A cloned repository brings its own policy: it may not ask for more than a machine can bear.
export const MAX_WRITTEN = 10_000_000;
const limit = wholeNumber(1, MAX_WRITTEN);
const limitOrOff: Reader<number | null> = (node, problems) =>
  node.kind === 'scalar' && node.value === null ? null : limit(node, problems);

export const budget: Reader<Partial<Limits>> = (node, problems) =>
  readMap(
    node,
    { max_files: limit, max_chars_per_file: limit, max_total_chars: limit, max_tokens: limitOrOff },
    problems,
  );
