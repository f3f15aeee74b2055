// The floor of bench:retrieval: plain BM25 over whole files (k1 1.2, b 0.75), identifiers split, the path counted four times.
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [K1, B, PATH_TIMES] = [1.2, 0.75, 4];
const MAX_BYTES = 1024 * 1024;

export function plainWords(text) {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
}

/** Reads each file once for as long as it stays the same. */
export function createFloor() {
  const known = new Map();
  const read = (root, path) => {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > MAX_BYTES) return null;
    const key = `${root}/${path}:${stat.size}:${stat.mtimeMs}:${stat.ino}`;
    if (!known.has(key)) known.set(key, documentOf(path, readFileSync(join(root, path))));
    return known.get(key);
  };
  return {
    documents: (root, paths) => paths.map((path) => read(root, path)).filter((document) => document !== null),
    rank(documents, text) {
      const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
      const scores = new Map();
      for (const term of new Set(plainWords(text) ?? [])) {
        const holders = documents.filter(({ counts }) => counts.has(term));
        const idf = Math.log(1 + (documents.length - holders.length + 0.5) / (holders.length + 0.5));
        for (const { path, counts, length } of holders) {
          const tf = counts.get(term);
          const gain = (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / average));
          scores.set(path, (scores.get(path) ?? 0) + gain);
        }
      }
      return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path);
    },
  };
}

function documentOf(path, bytes) {
  if (bytes.subarray(0, 8000).includes(0)) return null;
  const counts = new Map();
  let length = 0;
  const count = (words, times) => {
    for (const word of words ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + times);
      length += times;
    }
  };
  const text = bytes.toString('utf8');
  count(plainWords(text), 1);
  count(plainWords(path), PATH_TIMES);
  return { path, counts, length, text };
}
