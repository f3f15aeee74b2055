// npm run pictures [-- --story]: the pictures of the README, from what the product shows. The page comes out of its own browser
// tests; the story is a real session: a server of MCP, review in tmux, and the hook of the next session.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const CHARACTER = 8.4;
const LINE = 19;
const MARGIN = 20;
const COLUMNS = 80;
const ROWS = 8;
const BINARY = resolve('dist/bin/main.cjs');
const NOTE = 'Use pnpm; npm breaks the workspace links.';

mkdirSync('docs/pictures', { recursive: true });
if (!process.argv.includes('--story')) page();
await story();

function page() {
  run(['node_modules/.bin/vitest', 'run', 'test/web/looks.test.ts'], { ...process.env, BEARINGS_TEST_PICTURES: '1' });
  for (const shade of ['light', 'dark'])
    copyFileSync(`test-output/page/inbox-1280-${shade}.png`, `docs/pictures/page-${shade}.png`);
}

// What a person sees of one note: their agent proposes it, one key, and the next session knows it.
async function story() {
  const home = mkdtempSync(join(tmpdir(), 'bearings-pictures-'));
  const cwd = join(home, 'billing-client');
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
  const bearings = (args, input = '') => run([process.execPath, BINARY, ...args], env, { cwd, input });
  try {
    mkdirSync(cwd);
    run(['git', 'init', '-q'], env, { cwd });
    bearings(['init']);
    const said = await proposed({ cwd, env });
    const { before, after } = await reviewed({ cwd, env });
    const hook = JSON.parse(
      bearings(['hook', 'session-start'], JSON.stringify({ session_id: 'next', cwd, source: 'startup' })),
    );
    const context = hook.hookSpecificOutput.additionalContext.split('\n');
    if (!context.includes(NOTE)) throw new Error('The next session does not know the note.');
    writeFileSync(
      'docs/pictures/story.svg',
      moving([
        [
          'Today, in your client',
          '',
          '> npm i broke the links again. We use pnpm here, remember that.',
          '',
          '● bearings: propose_notes_update',
          ...said,
        ],
        ['In your terminal: bearings review', '', ...before],
        ['You press a', '', ...after],
        ['Tomorrow, a new session begins with', '', ...context],
      ]),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** As an agent does it: over MCP, to a server of its own. */
async function proposed({ cwd, env }) {
  const server = spawn(process.execPath, [BINARY, 'mcp'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (id, method, params) => {
    send({ id, method, params });
    for (;;) {
      const answer = JSON.parse((await answers.next()).value);
      if (answer.id === id) return answer.result;
    }
  };
  const clientInfo = { name: 'claude-code', version: '2' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const note = { content: NOTE, reason: 'The person said it: pnpm, not npm.' };
  const { structuredContent } = await ask(2, 'tools/call', { name: 'propose_notes_update', arguments: note });
  server.stdin.end();
  await new Promise((done) => server.on('close', done));
  return [`  ${structuredContent.status}: ${structuredContent.target} · nothing is written until you say yes`];
}

async function reviewed({ cwd, env }) {
  const tmux = (...args) => run(['tmux', '-L', `bearings-${process.pid}`, ...args], { ...env, TERM: 'xterm-256color' });
  const shown = async (pattern) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const screen = tmux('capture-pane', '-p', '-t', 'story');
      if (pattern.test(screen)) return screen.split('\n').filter((line) => line.trim() !== '');
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`review never showed ${pattern}`);
  };
  const command = `'${process.execPath}' '${BINARY}' review; cat`;
  tmux('new-session', '-d', '-s', 'story', '-x', String(COLUMNS), '-y', '24', '-c', cwd, command);
  try {
    const before = await shown(/\[a\]ccept/);
    // A key that comes before the text could be read does not count.
    await new Promise((done) => setTimeout(done, 1500));
    tmux('send-keys', '-t', 'story', 'a');
    return { before, after: (await shown(/accepted/)).filter((line) => /accepted|decided/.test(line)) };
  } finally {
    tmux('kill-server');
  }
}

function run([program, ...args], env, { cwd, input = '' } = {}) {
  const { status, stdout } = spawnSync(program, args, {
    env,
    cwd,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status}`);
  return stdout;
}

/** One frame after the other, without a script; who wants no motion sees the last. */
function moving(frames) {
  const width = Math.round(COLUMNS * CHARACTER + 2 * MARGIN);
  const height = ROWS * LINE + 2 * MARGIN;
  const share = 100 / frames.length;
  const safe = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const drawn = frames.map((lines, at) => {
    const rows = lines
      .slice(0, ROWS)
      .map(
        (line, row) =>
          `<text${row === 0 ? ' class="t"' : ''} x="${MARGIN}" y="${Math.round(MARGIN + (row + 0.8) * LINE)}">${safe(line)}</text>`,
      );
    return `<g class="f" style="animation-delay:${at * 4}s">${rows.join('')}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="An agent proposes a note, you press one key, the next session knows it">`,
    '<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d7dde4;white-space:pre}.t{fill:#7fb7a6}',
    `.f{opacity:0;animation:f ${frames.length * 4}s infinite}@keyframes f{0%,${share - 1}%{opacity:1}${share}%,100%{opacity:0}}`,
    '@media(prefers-reduced-motion:reduce){.f{animation:none}.f:last-of-type{opacity:1}}</style>',
    `<rect width="${width}" height="${height}" rx="10" fill="#14181d"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
