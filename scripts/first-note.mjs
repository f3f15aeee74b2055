// npm run first-note [-- --seconds 60]: how long it takes from nothing to the first note that a person confirmed. The lines are the
// README's own; they run in an empty home, from the packed package. Needs the npm registry and util-linux `script`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { optionsOf } from './options.mjs';

const KEY_EVERY_MS = 1_000;
const { values } = optionsOf(import.meta.url, { options: { seconds: { type: 'string' } } });
const most = Number(values.seconds ?? 60);

const [, block = ''] = /^```\n(bearings init[\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
const lines = block
  .trim()
  .split('\n')
  .map((line) => line.replace(/\s+# .*$/, ''));
const note = /--content "([^"]+)"/.exec(block)?.[1];
if (!note) throw new Error('README.md has no block of first commands.');

const folder = mkdtempSync(join(tmpdir(), 'bearings-first-note-'));
try {
  const packed = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
  });
  const tarball = join(folder, JSON.parse(packed.stdout)[0].filename);
  const home = join(folder, 'home');
  const work = join(home, 'work');
  mkdirSync(work, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'xterm', SHELL: '/bin/sh' };
  for (const name of ['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'NPM_CONFIG_USERCONFIG'])
    if (process.env[name]) env[name] = process.env[name];
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  for (const line of lines) {
    const from = seconds();
    const own = line.replace(/^bearings/, `npx -y --package '${tarball}' bearings`);
    const { code, shown } = await onTerminal(own, { cwd: work, env, isReview: / review$/.test(line) });
    if (code !== 0) throw new Error(`${line}\n${shown}`);
    console.log(`${(seconds() - from).toFixed(1).padStart(6)} s   ${line}`);
  }
  const total = seconds();
  const notes = readFileSync(join(home, '.bearings/workspaces/first-steps/notes.md'), 'utf8');
  if (!notes.includes(note)) throw new Error('The note is not there.');
  console.log(`${total.toFixed(1).padStart(6)} s   from nothing to the first confirmed note; at most ${most} s`);
  process.exitCode = total <= most ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A person at a terminal: leaves the brief empty, and presses `a` where it is offered until it counts. */
function onTerminal(line, { cwd, env, isReview }) {
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: resolve(cwd), env });
  let shown = '';
  let pressing = null;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
    if (!isReview && /skips it/.test(text)) child.stdin.write('\n');
    if (isReview && /\[a\]ccept|\[y\]es|adopt/.test(shown))
      pressing ??= setInterval(() => child.stdin.write('a'), KEY_EVERY_MS);
    if (/accepted/.test(shown)) clearInterval(pressing);
  });
  return new Promise((done) =>
    child.on('close', (code) => {
      clearInterval(pressing);
      done({ code, shown });
    }),
  );
}
