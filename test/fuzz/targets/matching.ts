import { isDeepStrictEqual } from 'node:util';
import { SegmentWriter } from '../../../src/matching/index/segment.ts';
import { passagesOf } from '../../../src/matching/passages.ts';
import { parseQuery } from '../../../src/matching/query.ts';
import { subsetOf } from '../../../src/matching/subset.ts';
import { definitionsIn } from '../../../src/matching/text/definitions.ts';
import { createTokenizer } from '../../../src/matching/text/terms.ts';
import { isIgnored, parseIgnoreFile, pathMatcher } from '../../../src/project/ignore-rules.ts';
import { indexDocument } from '../../support/memory-index.ts';
import { type FuzzTarget, hold } from '../target.ts';

const tokenizer = createTokenizer();

const sources: FuzzTarget = {
  name: 'sources',
  words: [
    'import { a } from "./b";\n',
    'from x import y\n',
    'export function f() {\n',
    'class A:\n',
    '#include "a.h"\n',
    'require("',
    'def f(',
    'func (a *B) C(',
    '```\n',
    '# Title\n',
    '\n\n',
    'aaaaaaaaaaaaaaaa',
    'camelCaseName_and_more',
  ],
  seeds: [
    'import { a } from "./b";\nexport function fixThing(x) {\n  return a(x);\n}\n',
    '# Title\n\ntext of a page\n\n## More\n\n```js\ncode\n```\n',
  ],
  run(bytes) {
    const text = bytes.toString('utf8');
    const lines = text.split('\n').length + 1;
    for (const path of ['a.ts', 'b.py', 'c.go', 'd.md', 'e.rs', 'f.c']) {
      definitionsIn(path, text);
      for (const { start, end } of passagesOf(path, text) as unknown as { start?: number; end?: number }[])
        if (start !== undefined && end !== undefined)
          hold(start <= end && end <= Math.max(lines, text.length), 'a passage has a place');
    }
    parseQuery(text, tokenizer);
    const subset = subsetOf(text, { taskText: 'fix the camel case name' }, tokenizer).text;
    hold(subset.length <= text.length, 'a subset is part of the whole');
  },
};

// Any text: a segment holds what the file says.
const counting: FuzzTarget = {
  name: 'counting',
  words: [
    ...sources.words,
    ...['parseHTTPBody2', 'a1B2_c$', '__', '2fa', 'const x = ', ' => {', '*m() {', '#p() {', 'a.b = (', '\r\n'],
    ...['\u00e9t\u00e9', '\u6f22\u5b57', '\ufeff', '\ud83d\ude00', '\x80', 'macro_rules! a', 'x'.repeat(201)],
  ],
  seeds: [...sources.seeds, 'module.exports.a = 1;\nexport const naïveName = (été) => {\n', 'Wörter 漢字変換 x𝒳y\n'],
  run(bytes) {
    const text = bytes.toString('utf8');
    for (const path of ['a/index.ts', 'b.py', 'c.go', 'd.md', 'e.rs', 'f.c', 'turn12.txt']) {
      const { keys, lengths } = indexDocument(path, text, tokenizer);
      const writer = new SegmentWriter(tokenizer);
      writer.add(path, text);
      const segment = writer.end();
      hold(segment.keys.ends.length === keys.size, 'a segment has every key once');
      hold(isDeepStrictEqual([...segment.lengths], Object.values(lengths)), 'a segment has the lengths of its file');
    }
  },
};

const ignore: FuzzTarget = {
  name: 'ignore',
  words: ['*', '**/', '/**', '!', '[a-z]', '[!a]', '\\', '/', '?', '#', ' ', '\n', 'node_modules/', '[', ']'],
  seeds: [
    '*.log\n!keep.log\n/dist/\nnode_modules/\nsrc/keep.log',
    '[a-c]?/**/x\na/b/x',
    '*a*a*a*a*a*b\naaaaaaaaaaaaaaaaaaaaaaaaaa',
  ],
  run(bytes) {
    const text = bytes.toString('utf8');
    const cut = text.lastIndexOf('\n');
    const [rules, path] = [text.slice(0, Math.max(0, cut)), text.slice(cut + 1)];
    isIgnored(path, false, parseIgnoreFile(rules, ''));
    isIgnored(path, true, parseIgnoreFile(rules, 'a'));
    hold(
      pathMatcher('**/*')(path) || path.endsWith('/') || path === '' || path.length > 1024 || path.includes('//'),
      'everything fits **/*',
    );
  },
};

export const MATCHING_TARGETS = [sources, counting, ignore];
