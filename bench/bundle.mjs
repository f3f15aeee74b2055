// npm run bench:bundle -- GITDIR... : how much of past changes a bundle holds, beside plain retrieval in the same room.
// The subject of a commit is the task, its parent the state, with the git history up to there. With --issues TASKS (as for
// bench:swe) the texts of issues are the tasks, and their patches what is to be found.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openBearings } from '../dist/index.js';
import { printTable } from './results.mjs';
import { git, nameOf as ownerAndName } from './retrieval-data.mjs';
import { tasksIn } from './swe-tasks.mjs';

const { values, positionals } = parseArgs({
  options: { commits: { type: 'string' }, issues: { type: 'string' }, json: { type: 'string' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('Name git directories: npm run bench:bundle -- [--commits N] [--issues TASKS] [--json FILE] GITDIR...');
  process.exit(2);
}

// Tokens alone are the limit of the second: so many characters are never reached.
const BUDGETS = {
  '30,000 characters': { maxTotalChars: 30_000 },
  '8,000 tokens': { maxTokens: 8_000, maxTotalChars: 1_000_000 },
};
// As much as a command takes.
const LONGEST_TASK = 10_000;
const NAMES = ['bm25 files', 'bm25 chunks', 'bundle'];
const all = {};
const scratch = mkdtempSync(join(tmpdir(), 'bearings-bundle-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const places = positionals.map((folder) =>
  values.issues ? withPatches(resolve(folder)) : { folder: resolve(folder) },
);
for (const [budget, limits] of Object.entries(BUDGETS)) {
  const rows = [];
  const found = {};
  for (const [at, { folder, tasks }] of places.entries()) {
    const name = nameOf(resolve(positionals[at]));
    const bearings = openBearings({ cwd: folder });
    const commits = Number(values.commits ?? tasks?.length ?? 20);
    const { figures, cases } = await bearings.loader.evaluate({ project: '.', commits, tasks, ...limits });
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

// A clone in which each patch is a commit after the state that its issue was written for.
function withPatches(repository) {
  const name = ownerAndName(repository);
  const folder = join(scratch, name.replace('/', '+'));
  git(scratch, 'clone', '--quiet', '--shared', '--no-checkout', repository, folder);
  const tasks = tasksIn(values.issues, new Map([[name, repository]])).map(
    ({ base_commit, problem_statement, patch }) => {
      git(folder, 'checkout', '--quiet', '--force', '--detach', base_commit);
      execFileSync('git', ['apply', '--index', '--whitespace=nowarn'], { cwd: folder, input: patch });
      git(
        folder,
        '-c',
        'user.name=bench',
        '-c',
        'user.email=bench@localhost',
        'commit',
        '--quiet',
        '--message',
        'patch',
      );
      return { commit: git(folder, 'rev-parse', 'HEAD').trim(), task: problem_statement.slice(0, LONGEST_TASK) };
    },
  );
  return { folder, tasks };
}
