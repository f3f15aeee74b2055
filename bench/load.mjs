// What loading costs: whole command, many pattern files, one huge file.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCode, sized } from './results.mjs';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const LIBRARY = new URL('../dist/index.js', import.meta.url).href;
const root = mkdtempSync(join(tmpdir(), 'bearings-bench-'));
const FOLDERS = sized(200, 3);
const rows = [];

try {
  commandTime(makeProject(sized(400, 10)));
  await patternRatio();
  hugeFile();
} finally {
  rmSync(root, { recursive: true, force: true });
}

for (const { name, value, bound, unit, ok } of rows) {
  const figure = `${name.padEnd(58)} ${value.toFixed(2).padStart(7)} ${unit}`;
  console.log(bound === null ? `     ${figure}` : `${ok ? 'ok  ' : 'FAIL'} ${figure}   bound ${bound}`);
}
process.exit(exitCode(rows.every(({ ok }) => ok)));

function report(name, value, bound, unit) {
  rows.push({ name, value, bound, unit, ok: bound === null || value <= bound });
}

function makeProject(files) {
  const folder = join(root, 'project');
  const text = 'A line of a document that says something of use.\n'.repeat(60);
  const places = ['docs', 'docs/guide', 'src', 'test'];
  for (const place of places) mkdirSync(join(folder, place), { recursive: true });
  for (const name of ['AGENTS.md', 'README.md']) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'package.json'), '{"name": "bench"}');
  for (let at = 0; at < files - 3; at += 1) {
    const place = places[at % places.length];
    writeFileSync(join(folder, place, `file-${at}.${place.startsWith('docs') ? 'md' : 'ts'}`), text);
  }
  return folder;
}

// Interleaved with a bare start, so that a busy moment of the machine falls on both; the median of each. In a bare
// environment: variables such as NODE_EXTRA_CA_CERTS make every node start later.
function commandTime(folder) {
  const change = (name) => (round) => writeFileSync(join(folder, name), `${'words '.repeat(round)}\n`);
  report('bearings load, 400 files, without a home, beyond node -e 0', timeIn(folder), null, 'ms');
  // With a home it is remembered which texts were scanned for secrets.
  mkdirSync(join(root, '.bearings'));
  report('the same with a home, nothing changed', timeIn(folder), null, 'ms');
  report('the same, a file changed that is in the bundle', timeIn(folder, change('docs/file-0.md')), null, 'ms');
}

function timeIn(folder, before = () => {}) {
  const env = { PATH: process.env.PATH, HOME: root };
  const time = (args) => {
    const start = process.hrtime.bigint();
    const { status } = spawnSync(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
    return Number(process.hrtime.bigint() - start) / 1e6;
  };
  const [bare, whole] = [[], []];
  for (let round = 0; round < sized(21, 1); round += 1) {
    bare.push(time(['-e', '0']));
    before(round);
    whole.push(time([BINARY, 'load', '--task', 'rewrite the docs']));
  }
  return median(whole) - median(bare);
}

async function patternRatio() {
  const folder = join(root, 'many');
  for (let at = 0; at < FOLDERS; at += 1) {
    const place = join(folder, 'docs', `folder-${at}`);
    mkdirSync(place, { recursive: true });
    for (let file = 0; file < 100; file += 1) writeFileSync(join(place, `page-${(file * 7919) % 100}.md`), 'text\n');
  }
  const { globSync } = await import('tinyglobby');
  const { openBearings } = await import(LIBRARY);
  const bearings = openBearings({ home: join(root, 'home'), cwd: folder });
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, 'control_plane: []\nintents: [{key: default, include: ["docs/**/*.md"]}]\n');
  const [glob, load] = [[], []];
  for (let round = 0; round < sized(15, 1); round += 1) {
    let start = performance.now();
    const found = globSync('docs/**/*.md', { cwd: folder, expandDirectories: false });
    glob.push(performance.now() - start);
    if (found.length !== FOLDERS * 100) throw new Error(`${found.length} files`);
    start = performance.now();
    const bundle = await bearings.loader.load({ policy: 'policy.yaml' });
    load.push(performance.now() - start);
    if (bundle.files.length !== 12 || bundle.dropped_beyond !== Math.max(0, FOLDERS * 100 - 212))
      throw new Error('not all files were seen');
  }
  report('loadContext over 20,000 pattern files / glob library', median(load) / median(glob), 3, 'times');
}

// Peak memory of a process that takes 100 characters of 200 MB, over one that takes them of a small file.
function hugeFile() {
  const folder = join(root, 'huge');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  const path = join(folder, 'docs/a.md');
  const script = `
    import { openBearings } from ${JSON.stringify(LIBRARY)};
    const bundle = await openBearings({ home: '/nonexistent' }).loader.load({ project: ${JSON.stringify(folder)}, maxCharsPerFile: 100 });
    if (bundle.files[0].chars < 90) throw new Error('no excerpt');
    console.log(process.resourceUsage().maxRSS / 1024);
  `;
  const peak = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  const [small, huge] = [[], []];
  for (let round = 0; round < sized(5, 1); round += 1) {
    writeFileSync(path, 'words and more words\n'.repeat(50));
    small.push(peak());
    const fd = openSync(path, 'w');
    const block = Buffer.alloc(1024 * 1024, 'words and more words\n');
    for (let megabyte = 0; megabyte < sized(200, 1); megabyte += 1) writeSync(fd, block);
    closeSync(fd);
    huge.push(peak());
  }
  report('200 MB file, 100 characters: extra memory', median(huge) - median(small), 12, 'MB');
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
