import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pageText, readResults } from '../bench/benchmarks-page.mjs';
import { typed } from './support/process/binary.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'bearings-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

// Their examples need a project to run in: test/loader/docs.test.ts and test/guide-team.test.ts make one.
const TESTED_ELSEWHERE = ['docs/loader.md', 'docs/guide-team.md', 'docs/guide-person.md'];

interface Example {
  line: string;
  exit: number;
}

// Lines of ```bash blocks that call bearings; `# exit 3` says what else than 0 is expected.
function examplesOf(text: string): Example[] {
  return [...text.matchAll(/^```bash\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => line.startsWith('bearings '))
    .map((line) => ({ line: line.replace(/\s+# .*$/, ''), exit: Number(/# exit (\d)/.exec(line)?.[1] ?? 0) }));
}

// Code is no heading and holds no link.
const prose = (text: string): string => text.replace(/^( *)```[^\n]*\n[\s\S]*?^\1```$/gm, '');

// Links of Markdown (with a title or without) and of the HTML in it, pictures included.
function linksOf(text: string): string[] {
  const written = [...prose(text).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)];
  const tags = [...prose(text).matchAll(/\b(?:href|src|srcset)="([^"\s]+)"/g)];
  return [...written, ...tags].map(([, link = '']) => link).filter((link) => !/^(?:https?|mailto):/.test(link));
}

// By the name that code hosts give a heading; the second of the same words gets a number.
function headingsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return [...prose(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, words = '']) => {
    const plain = words
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(plain) ?? 0;
    seen.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  });
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const file = path === '' ? join(root, page) : join(dirname(join(root, page)), path);
  if (!existsSync(file)) return false;
  return heading === undefined || headingsOf(readFileSync(file, 'utf8')).includes(heading);
}

const countOf = (text: string): number => text.trim().split(/\s+/).length;
const ofDocs = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');

describe('the docs', () => {
  it('have at most 20,000 words: cat docs/*.md | wc -w, that is without reference, contract and decisions', () => {
    const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(names.reduce((sum, name) => sum + countOf(ofDocs(name)), 0)).toBeLessThanOrEqual(20_000);
    expect(countOf(readFileSync(join(root, 'README.md'), 'utf8'))).toBeLessThanOrEqual(900);
  });

  it('the page of benchmarks is what the generator writes from bench/results, on two pages', () => {
    expect(ofDocs('benchmarks.md')).toBe(pageText(readResults()));
    // Without the strokes of its tables.
    expect(countOf(ofDocs('benchmarks.md').replace(/\||---/g, ' '))).toBeLessThanOrEqual(1_000);
  });

  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const examples = examplesOf(text);

    if (examples.length > 0 && !TESTED_ELSEWHERE.includes(page))
      it(`${page}: every example runs`, () => {
        const home = mkdtempSync(join(folder, 'page-'));
        cpSync(join(root, 'examples'), join(home, 'examples'), { recursive: true });
        const variables = { BEARINGS_HOME: join(home, 'home'), BEARINGS_CACHE: join(home, 'cache') };
        const place = { home, variables };
        for (const { line, exit } of examples) {
          const run = typed(place, line);
          expect({ line, exit: run.code, error: run.code === exit ? '' : run.stderr }).toEqual({
            line,
            exit,
            error: '',
          });
        }
      });

    it(`${page}: every link leads somewhere`, () => {
      expect(linksOf(text).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
    });
  }

  it('from the README every page can be reached', () => {
    const reached = new Set(['README.md']);
    for (const page of reached)
      for (const link of linksOf(readFileSync(join(root, page), 'utf8'))) {
        const path = join(dirname(page), link.split('#')[0] ?? '');
        if (path.endsWith('.md') && existsSync(join(root, path))) reached.add(path);
      }
    // CLAUDE.md is for programs that look for that name.
    expect(pages.filter((page) => !reached.has(page))).toEqual(['CLAUDE.md']);
  });
});
