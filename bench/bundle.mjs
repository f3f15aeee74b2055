// npm run bench:bundle -- GITDIR... : how much of past changes a bundle holds, beside plain retrieval in the same room.
// The subject of a commit is the task, its parent the state, with the git history up to there.
import { writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openBearings } from '../dist/index.js';
import { printTable } from './results.mjs';

const { values, positionals } = parseArgs({
  options: { commits: { type: 'string' }, json: { type: 'string' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('Name git directories: npm run bench:bundle -- [--commits N] [--json FILE] GITDIR...');
  process.exit(2);
}

// Tokens alone are the limit of the second: so many characters are never reached.
const BUDGETS = {
  '30,000 characters': { maxTotalChars: 30_000 },
  '8,000 tokens': { maxTokens: 8_000, maxTotalChars: 1_000_000 },
};
const NAMES = ['bm25 files', 'bm25 chunks', 'bundle'];
const all = {};
const folders = positionals.map((folder) => resolve(folder));
for (const [budget, limits] of Object.entries(BUDGETS)) {
  const rows = [];
  const found = {};
  for (const folder of folders) {
    const name = nameOf(folder);
    const bearings = openBearings({ cwd: folder });
    const commits = Number(values.commits ?? 20);
    const { figures, cases } = await bearings.loader.evaluate({ project: '.', commits, ...limits });
    found[name] = { figures, cases };
    rows.push(rowOf(`${name} (${cases.length})`, figures));
    console.error(`${budget}: ${rows.at(-1).join('  ')}`);
  }
  const means = Object.fromEntries(
    NAMES.map((name) => [name, meanOf(Object.values(found).map(({ figures }) => figures[name]))]),
  );
  rows.push(rowOf('mean', means));
  all[budget] = found;
  console.log(`\n${budget}`);
  printTable(
    [
      'repository',
      ...NAMES.map((name) => `${name}: lines`),
      'gain',
      'files: chunks',
      'bundle',
      'any line: chunks',
      'bundle',
      'characters: chunks',
      'bundle',
    ],
    rows,
  );
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);

function rowOf(name, figures) {
  const percent = (share) => (100 * share).toFixed(1);
  const [, chunks, bundle] = NAMES.map((each) => figures[each]);
  return [
    name,
    ...NAMES.map((each) => percent(figures[each].lines)),
    percent(bundle.lines - chunks.lines),
    ...[chunks.files, bundle.files, chunks.hits, bundle.hits].map(percent),
    ...[chunks.chars, bundle.chars].map(Math.round),
  ];
}

function meanOf(figures) {
  const mean = (key) => figures.reduce((sum, each) => sum + each[key], 0) / figures.length;
  return { files: mean('files'), lines: mean('lines'), hits: mean('hits'), chars: mean('chars') };
}

// `…/owner+name/repo` is name.
function nameOf(folder) {
  const own = basename(folder).replace(/\.git$/, '');
  return own === 'repo' ? basename(dirname(folder)).replace(/^.*\+/, '') : own;
}
