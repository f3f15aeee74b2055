// npm run pictures: the pictures of the README, from what the product shows. The page comes out of its own browser tests.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHARACTER = 8.4;
const LINE = 19;
const MARGIN = 20;

mkdirSync('docs/pictures', { recursive: true });
run(['node_modules/.bin/vitest', 'run', 'test/page-looks.test.ts'], { ...process.env, BEARINGS_TEST_PICTURES: '1' });
for (const shade of ['light', 'dark'])
  copyFileSync(`test-output/page/inbox-1280-${shade}.png`, `docs/pictures/page-${shade}.png`);

const home = mkdtempSync(join(tmpdir(), 'bearings-pictures-'));
try {
  const story = run([process.execPath, 'dist/bin/main.cjs', 'demo', '--no-color'], {
    PATH: process.env.PATH,
    HOME: home,
  });
  const lines = story.split('\n');
  const from = lines.findIndex((line) => line.startsWith('$ bearings load'));
  const to = lines.findIndex((line, at) => at > from && line.startsWith('Why a file is in'));
  writeFileSync('docs/pictures/terminal.svg', terminal(lines.slice(from, to - 1)));
} finally {
  rmSync(home, { recursive: true, force: true });
}

function run([program, ...args], env) {
  const { status, stdout } = spawnSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return stdout;
}

function terminal(lines) {
  const width = Math.round(80 * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const safe = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rows = lines.map((line, at) => `<text x="${MARGIN}" y="${MARGIN + (at + 0.8) * LINE}">${safe(line)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="bearings load in a terminal">`,
    '<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d7dde4;white-space:pre}</style>',
    `<rect width="${width}" height="${height}" rx="10" fill="#14181d"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}
