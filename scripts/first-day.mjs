// npm run first-day [-- --only checkout|package] [--seconds 60]: a newcomer's first day, in a terminal (tmux) and a browser, from a
// checkout and from the packed package installed globally into a folder of its own. The first lines are the README's own. Prints
// times, keys and sizes, and fails where the first confirmed note takes longer. Needs the npm registry, tmux and Chromium.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { optionsOf } from './options.mjs';
import { bringChromium } from './testing/tools.mjs';

const BINARY = resolve('dist/bin/main.cjs');
const PATIENCE_MS = 120_000;
const READING_MS = 1_500;
const { values } = optionsOf(import.meta.url, { options: { only: { type: 'string' }, seconds: { type: 'string' } } });
const most = Number(values.seconds ?? 60);

const [, block = ''] = /^```\n(bearings init[\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
const note = /--content "([^"]+)"/.exec(block)?.[1];
if (!note) throw new Error('README.md has no block of first commands.');
const FIRST_NOTE = ['bearings', ...block.trim().split('\n')].map((line) => line.replace(/\s+# .*$/, ''));
const CLIENT = ['bearings init', 'bearings install'];
const BUNDLE_IN_CI = [
  'bearings load --task "retry on 429" --out context.json',
  'bearings drift context.json --slice control_plane',
];
const ON_THE_PAGE = 'bearings propose notes first-steps --content "Tests run with vitest."';

const ways = { checkout: fromCheckout, package: fromPackage };
for (const [name, bringIn] of Object.entries(ways)) if ((values.only ?? name) === name) await day(name, bringIn);

async function day(name, bringIn) {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-first-day-'));
  const home = join(folder, 'home');
  const cwd = join(home, 'client');
  // A client is found by its folder.
  mkdirSync(join(home, '.claude'), { recursive: true });
  mkdirSync(join(cwd, 'src'), { recursive: true });
  writeFileSync(join(cwd, 'src/retry.js'), '// Waits after a 429.\nexport const retry = (wait) => wait * 2;\n');
  writeFileSync(join(cwd, 'README.md'), '# Client\n\nA client of the billing API.\n');
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8', SHELL: '/bin/sh' };
  const git = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...git, 'commit', '-qm', 'start'],
  ])
    run('git', args, { cwd, env });
  const terminal = openTerminal({ cwd, env, name });
  try {
    console.log(`\n${name}`);
    const begun = performance.now();
    const size = bringIn(folder);
    told('brought in', { ms: performance.now() - begun, size });
    const first = await lines(terminal, FIRST_NOTE);
    const notes = readFileSync(join(home, '.bearings/workspaces/first-steps/notes.md'), 'utf8');
    if (!notes.includes(note)) throw new Error('The note is not there.');
    told(`to the first confirmed note, at most ${most} s`, first);
    if (first.ms > most * 1000) process.exitCode = 1;
    told('to a client that is set up', await lines(terminal, CLIENT));
    told('to a bundle that CI holds', await lines(terminal, BUNDLE_IN_CI));
    await terminal.line(ON_THE_PAGE);
    told('to a note that was confirmed on the page', await page(terminal));
  } finally {
    terminal.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** As `npm link` does it. */
function fromCheckout(folder) {
  mkdirSync(join(folder, 'bin'));
  symlinkSync(BINARY, join(folder, 'bin/bearings'));
  const files = readdirSync('dist', { recursive: true }).map((name) => statSync(join('dist', name)));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

function fromPackage(folder) {
  const packed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { env: process.env });
  const [{ filename, unpackedSize }] = JSON.parse(packed);
  // With the machine's own settings of npm: how a registry is reached is no part of the day.
  const install = ['install', '-g', '--prefix', folder, '--no-audit', '--no-fund', join(folder, filename)];
  run('npm', install, { env: process.env });
  return unpackedSize;
}

async function lines(terminal, all) {
  const sum = { ms: 0, keys: 0, size: 0 };
  for (const line of all) {
    const step = await terminal.line(line);
    told(`  ${line}`, step);
    for (const key of Object.keys(sum)) sum[key] += step[key];
  }
  return sum;
}

/** A person at a terminal of 80 columns: they leave the brief empty, say yes, and press `a` where it is offered. */
function openTerminal({ cwd, env, name }) {
  const socket = `bearings-${process.pid}-${name}`;
  const tmux = (...args) => run('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env: { ...env, TERM: 'xterm' } });
  tmux('new-session', '-d', '-s', 'day', '-x', '80', '-y', '24', '-c', cwd, 'env PS1="$ " sh');
  const screen = () => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'day');
  const send = (...keys) => tmux('send-keys', '-t', 'day', ...keys);
  let count = 0;
  return {
    send,
    async shows(pattern) {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await wait(50)) {
        const shown = screen();
        if (pattern.test(shown)) return shown;
      }
      throw new Error(`Waited for ${pattern}\n${screen()}`);
    },
    end: () => tmux('kill-server'),
    async line(line) {
      count += 1;
      tmux('clear-history', '-t', 'day');
      send('-l', `clear; ${line}; echo "[${count}:$?]"`);
      const begun = performance.now();
      send('Enter');
      let keys = line.length + 1;
      const answered = new Set();
      const answer = async (asked, ...pressed) => {
        if (answered.has(asked)) return;
        answered.add(asked);
        await wait(READING_MS);
        send(...pressed);
        keys += pressed.length;
      };
      for (const end = begun + PATIENCE_MS; performance.now() < end; await wait(50)) {
        const shown = screen();
        const [, code] = new RegExp(`^\\[${count}:(\\d+)\\]`, 'm').exec(shown) ?? [];
        if (code === '0') return { ms: performance.now() - begun, keys, size: shown.replace(/\s+$/gm, '').length };
        if (code !== undefined) throw new Error(`${line} ended with ${code}\n${shown}`);
        if (/skips it/.test(shown)) await answer('brief', 'Enter');
        if (/[([]y\/n[)\]] *$/m.test(shown.trimEnd())) await answer('yes', 'y', 'Enter');
        if (/\[a\]ccept/.test(shown)) await answer('accept', 'a');
      }
      throw new Error(`${line} does not end\n${screen()}`);
    },
  };
}

/** The page of `bearings ui`: from the command to a decision by one key. */
async function page(terminal) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: (await bringChromium()) ?? undefined,
    args: ['--no-sandbox'],
  });
  try {
    const begun = performance.now();
    terminal.send('-l', 'clear; bearings ui --no-open; echo "[ended]"');
    terminal.send('Enter');
    const shown = await terminal.shows(/Ctrl-C: end/);
    const [, address, code] = /page {2}(\S+)[\s\S]*code {2}(\S+)/.exec(shown) ?? [];
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const sizes = [];
    const sizeOf = async (request) => {
      const body = await (await request.response()).body().catch(() => '');
      return body.length;
    };
    // Not at the response: the page's stream of events has no end.
    tab.on('requestfinished', (request) => sizes.push(sizeOf(request)));
    await tab.goto(`${address}#${code}`);
    await tab.getByText('Tests run with vitest.').first().waitFor({ timeout: PATIENCE_MS });
    await wait(READING_MS);
    await tab.keyboard.press('a');
    await tab.getByText('Tests run with vitest.').first().waitFor({ state: 'detached', timeout: PATIENCE_MS });
    const ms = performance.now() - begun;
    const size = (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
    return { ms, keys: 'bearings ui'.length + 2, size };
  } finally {
    await browser.close();
    terminal.send('C-c');
    // Until then it may write into the folder that goes.
    await terminal.shows(/(?<!")\[ended\]/);
  }
}

function told(what, { ms, keys, size }) {
  const cells = [
    `${(ms / 1000).toFixed(1)} s`,
    keys === undefined ? '' : `${keys} keys`,
    `${(size / 1000).toFixed(1)} kB`,
  ];
  console.log(`${cells.map((cell) => cell.padStart(9)).join(' ')}   ${what}`);
}

function run(program, args, options) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 6).join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

function wait(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
