// npm run bench:page: the first paint of a full inbox and of long notes against the empty page's. Ratios in one run.
// "Paint" is the moment the thing itself is on the page, not the frame around it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { openPerson } from '../dist/person.js';
import { bringChromium } from '../scripts/testing/tools.mjs';
import { exitCode, sized } from './results.mjs';

const PROPOSALS = sized(10_000, 40);
const LINES = sized(100_000, 800);
const ROUNDS = sized(7, 1);
const LEAST = 3;
const binary = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bearings-page-'));
// Where a browser leaves what it keeps.
const PLACES = ['HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'TMPDIR'];
const browser = await chromium.launch({
  executablePath: await bringChromium(),
  args: ['--no-sandbox'],
  env: { ...process.env, ...Object.fromEntries(PLACES.map((name) => [name, folder])) },
});
const children = [];
try {
  const empty = await open('empty', () => undefined);
  const full = await open('full', fillInbox);
  const long = await open('long', fillNotes);
  const rows = [
    await compare('inbox, 10,000 proposals', [empty, '', '.empty h1'], [full, '', '.diff']),
    await compare('notes, 100,000 lines', [empty, 'memory', '.empty h1'], [long, 'memory/w/w/notes', '.passage']),
    await scrolls('scrolling 10,000 proposals', full, '', '.queue-scroll', '.queue-scroll li'),
    await scrolls('scrolling 100,000 lines', long, 'memory/w/w/notes', '.scroll', '.passage'),
    size(),
  ];
  for (const { ok, text } of rows) console.log(`${ok ? 'ok  ' : 'FAIL'} ${text}`);
  process.exitCode = exitCode(rows.every(({ ok }) => ok));
} finally {
  await browser.close();
  for (const child of children) child.stdin.write('\u0003');
  await new Promise((resolve) => setTimeout(resolve, 500));
  rmSync(folder, { recursive: true, force: true });
}

async function open(name, fill) {
  const home = join(folder, name);
  mkdirSync(home);
  fill(join(home, '.bearings'));
  // What is there is the person's: so it is after the first look.
  await openPerson({ home: join(home, '.bearings'), cwd: home, variables: { HOME: home } }).adoptAll({ via: 'init' });
  const line = `exec '${process.execPath}' '${binary}' ui --no-open`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm', SHELL: '/bin/sh' },
  });
  children.push(child);
  const shown = await new Promise((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.includes('Ctrl-C: end')) resolve(text);
    });
  });
  const address = /page {2}(\S+)/.exec(shown)[1];
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${address}#${/code {2}(\S+)/.exec(shown)[1]}`);
  await page.waitForSelector('.shell');
  return { address, page };
}

// The time from the first byte asked to the thing itself painted, as the browser's own clock has it.
async function paint({ address, page }, path, selector) {
  await page.goto('about:blank');
  await page.addInitScript(() => undefined);
  await page.goto(`${address}${path}`, { waitUntil: 'commit' });
  return page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
        const look = () => (document.querySelector(wanted) ? painted() : requestAnimationFrame(look));
        look();
      }),
    selector,
  );
}

async function compare(what, base, ours) {
  const times = [[], []];
  for (let round = 0; round < ROUNDS + 1; round += 1)
    for (const [side, [server, path, selector]] of [base, ours].entries()) {
      const time = await paint(server, path, selector);
      // The first of each is warming up: code is compiled, files are read.
      if (round > 0) times[side].push(time);
    }
  const [plain, full] = times.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)]);
  const ratio = full / plain;
  const figures = `${plain.toFixed(0)} ms → ${full.toFixed(0)} ms`;
  return { ok: ratio <= LEAST, text: `${what.padEnd(30)} ${figures.padEnd(22)} ${ratio.toFixed(2)}× (at most 3×)` };
}

// Far down and back: what is drawn stays a window, and the window fills.
async function scrolls(what, { address, page }, path, box, drawn) {
  await page.goto(`${address}${path}`);
  await page.waitForSelector(drawn);
  let most = 0;
  for (const part of [0.5, 1, 0.1, 0]) {
    await page.evaluate(
      ([wanted, share]) => {
        const element = document.querySelector(wanted);
        element.scrollTop = element.scrollHeight * share;
      },
      [box, part],
    );
    await page.waitForTimeout(700);
    const visible = await page.evaluate(
      ([wanted, inner]) => {
        const frame = document.querySelector(wanted).getBoundingClientRect();
        return [...document.querySelectorAll(inner)].filter((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return bottom > frame.top && top < frame.bottom && each.textContent.trim() !== '';
        }).length;
      },
      [box, drawn],
    );
    if (visible === 0) return { ok: false, text: `${what}: nothing is drawn at ${part}` };
    most = Math.max(most, await page.locator(drawn).count());
  }
  return { ok: most < 600, text: `${what.padEnd(30)} ${most} rows drawn at most (fewer than 600)` };
}

function size() {
  const bytes = gzipSync(readFileSync(new URL('../dist/web/page.js', import.meta.url))).length;
  return {
    ok: bytes <= 250_000,
    text: `${"the page's JavaScript".padEnd(30)} ${(bytes / 1000).toFixed(1)} kB gzipped (at most 250)`,
  };
}

function fillInbox(home) {
  const sessions = join(home, 'workspaces/w/sessions/aaaaaaaaaaaa');
  mkdirSync(sessions, { recursive: true });
  writeFileSync(join(home, 'workspaces/w/notes.md'), '# Notes\n');
  for (let index = 0; index < PROPOSALS; index += 1) {
    const proposal_id = `p_${index.toString(16).padStart(16, '0')}`;
    const content = `Note ${index}: the white balance runs cool here.`;
    const proposal = {
      version: 1,
      proposal_id,
      kind: 'notes',
      file: 'notes.md',
      content,
      category: null,
      reason: 'It was seen twice.',
      replaces: null,
      image_id: 'w',
      content_sha256: createHash('sha256').update(content).digest('hex'),
      // Of few sessions at a time: what many of one propose comes on a list.
      session_id: `aaaaaaa${Math.floor(index / 5)
        .toString(16)
        .padStart(5, '0')}`,
      client: 'bench',
      created_at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
    };
    writeFileSync(join(sessions, `${proposal_id}.json`), JSON.stringify(proposal));
  }
}

function fillNotes(home) {
  mkdirSync(join(home, 'workspaces/w'), { recursive: true });
  const block = (index) => `Line ${index} of what was learnt.\n- a detail **${index}**\n- another one\n`;
  const blocks = Array.from({ length: LINES / 4 }, (_, index) => block(index));
  writeFileSync(join(home, 'workspaces/w/notes.md'), `${blocks.join('\n')}`);
}
