import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

// What a colleague would have to ask about, and what is said instead. `sign` and `stay` are ordinary verbs, so only what they
// stood for is looked for.
const INSTEAD: readonly [RegExp, string][] = [
  [/\bnought\b/i, 'zero'],
  [/\bturnstiles?\b/i, 'semaphore'],
  [/\btwice-file\b/i, 'mirrored file'],
  [/\bhangsOn\b|\bhangs on\b/, 'dependsOn, depends on'],
  [/\bin another dress\b/, 'in another form'],
  [/\bpassedOver\b|\bpass(?:ed|es|ing) over\b/, 'ignored'],
  [/\bis no JSON\b/, 'is not valid JSON'],
  [/(?<!read )\baloud\b/, 'with a warning'],
  [/\b(?:open|close)Door\b|\bdoorPage\b/, 'the name of the file or page'],
  [/\bstayOf\b|\binterruptStay\b|\bthis stay\b|\ba stay\b|agent's stay\b/, 'client session'],
  [
    /\bSigns\b|_SIGNS\b|\ballSigns\b|\bbareSign|\b(?:hidden|one|two|three|other|no|another) signs?\b|\bsigns? by sign\b/,
    'character',
  ],
  [/\bsigns? of life\b/, 'progress message'],
  [/\bthe past (?:says?|of)\b|\bof the past\b/i, 'git history'],
  [/\blookAt[A-Z]|\b(?:remember|last|since)Look\b|SinceLook\b/, 'read, scan, review: which one it is'],
  [
    /\bKept[A-Z]|\bkept[A-Z]|(?<!\\)[a-z]Kept\b|\bKEPT_|_KEPT\b/,
    'stored, cached, remaining, retention: which one it is',
  ],
  [/\bheld[A-Z]|\bisHeld\b|\bHELD_MS\b/, 'the name of the thing; a lock is locked'],
  [/\b[Vv]erdict[A-Z]|[a-z]Verdict\b|\bVERDICT/, 'decision; status, outcome: of what was checked'],
  [/\bkept account\b|\bno account yet\b/, 'decided; no decisions yet'],
  [/\bno longer kept\b|\bnot kept\)|\bno kept (?:context|text)\b/, 'stored'],
  [/\byou stand in\b/, 'you are in'],
  [/\bstands nowhere in\b|\bstands twice in <|\bno longer stands in\b/, 'is not in, appears, is no longer in'],
  [/\bpage anew\b|\btemplate anew\b/, 'reload; again'],
  [/\b(?:to look at|be looked at|looks? at (?:it|this)) again\b(?=[: ]*(?:a date|on\b|2\d))/, 'review again'],
  [/\bgone on with\b/, 'resumed'],
  [/\bbelongs? into\b/, 'belong in'],
];

// The same for words that the records of docs/decisions still hold: those stay as they were written.
const INSTEAD_SINCE: readonly [RegExp, string][] = [
  [/\banew\b/i, 'again, from scratch'],
  [/\bcan not\b/i, 'cannot'],
  [
    /\bwhat (?:stands|stood) (?!for\b|behind\b)|\bstands? (?:there|once|last)\b|\bstands? in (?!for\b)/,
    'is, is in, comes, appears',
  ],
];

const files = execFileSync(
  'git',
  ['ls-files', 'src', 'test', 'bench', 'scripts', 'docs', 'README.md', 'AGENTS.md', 'CONTRIBUTING.md'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /\.(?:tsx?|mjs|md)$/.test(path) && !path.includes('/corpus/') && path !== 'test/words.test.ts')
  .filter((path) => existsSync(join(root, path)));

const rulesFor = (path: string) => (path.startsWith('docs/decisions/') ? INSTEAD : [...INSTEAD, ...INSTEAD_SINCE]);

describe('words', () => {
  it('code, messages, tests and pages use words that an engineer knows', () => {
    const found = files.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          rulesFor(path)
            .filter(([word]) => word.test(line))
            .map(([word, better]) => `${path}:${at + 1} ${word.exec(line)?.[0]} → ${better}`),
        ),
    );
    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it('every word that docs/words.md explains is used, and explained once', () => {
    const page = readFileSync(join(root, 'docs/words.md'), 'utf8');
    const words = [...page.matchAll(/^\| ([a-z][a-z ,/-]*?) +\|/gm)]
      .flatMap(([, names = '']) => names.split(/, | \/ /))
      .filter((word) => word !== 'word');
    const sources = files
      .filter((path) => path.startsWith('src/'))
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n');
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
    expect(words.filter((word) => !new RegExp(`\\b${word}`, 'i').test(sources))).toEqual([]);
  });
});
