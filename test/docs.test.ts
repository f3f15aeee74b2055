import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'bearings-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

// Their examples need a project to stand in: test/loader-docs.test.ts and test/guide-team.test.ts make one.
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

// A file, or a heading of a page by the name that code hosts give it.
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const file = path === '' ? join(root, page) : join(dirname(join(root, page)), path);
  if (!existsSync(file)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return headings.includes(heading);
}

describe('the docs', () => {
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const examples = examplesOf(text);

    if (examples.length > 0 && !TESTED_ELSEWHERE.includes(page))
      it(`${page}: every example runs`, () => {
        const place = mkdtempSync(join(folder, 'page-'));
        mkdirSync(join(place, 'bin'));
        const env = {
          PATH: process.env.PATH,
          HOME: place,
          BEARINGS_HOME: join(place, 'home'),
          BEARINGS_CACHE: join(place, 'cache'),
        };
        const bearings = `bearings() { "${process.execPath}" "${join(root, 'dist/bin/main.cjs')}" "$@"; }`;
        for (const { line, exit } of examples) {
          const run = spawnSync('bash', ['-c', `${bearings}\n${line}`], {
            cwd: place,
            env,
            encoding: 'utf8',
            timeout: 60_000,
          });
          expect({ line, exit: run.status, error: run.status === exit ? '' : run.stderr }).toEqual({
            line,
            exit,
            error: '',
          });
        }
      });

    it(`${page}: every link leads somewhere`, () => {
      const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);
      expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
    });
  }
});
