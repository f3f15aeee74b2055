// npm run bench:swe -- TASKS REPOSITORY… [--list NAME=FILE]… [--project owner/name] [--half a|b] [--out FILE]: are all files of
// an issue's patch among the first 1, 5 and 10? TASKS: rows of SWE-bench (.json, .jsonl) or a git directory of
// SWE-bench/swe-bench-tasks (its Verified ones); REPOSITORY: git directories of the projects (…/owner+name/repo); a list is
// JSONL with instance_id and found_files, as CoSIL, LocAgent and Agentless publish theirs. Prints a table, writes JSON.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBearings } from '../dist/index.js';
import { git, nameOf } from './retrieval-data.mjs';
import { filesOfPatch, rowsIn, tasksIn } from './swe-tasks.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string', multiple: true, default: [] },
    project: { type: 'string', multiple: true, default: [] },
    half: { type: 'string' },
    out: { type: 'string' },
  },
});
const [source, ...repositories] = positionals;
if (source === undefined || !existsSync(source) || repositories.length === 0) {
  console.error('Name the tasks (.jsonl, .json or a git directory) and the git directories of their projects.');
  process.exit(2);
}
const KS = [1, 5, 10];
const folder = mkdtempSync(join(tmpdir(), 'bearings-swe-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const bearings = openBearings({ home: join(folder, 'home'), variables: { BEARINGS_CACHE: join(folder, 'cache') } });
const lists = values.list.map((entry) => {
  const at = entry.indexOf('=');
  const rows = rowsIn(readFileSync(entry.slice(at + 1), 'utf8'));
  return { name: entry.slice(0, at), found: new Map(rows.map((row) => [row.instance_id, row.found_files ?? []])) };
});
const known = new Map(repositories.map((path) => [nameOf(path), path]));
const tasks = tasksIn(source, known)
  .filter(({ repo }) => values.project.length === 0 || values.project.includes(repo))
  .filter((_, i) => values.half === undefined || (i % 2 === 0) === (values.half === 'a'));
const results = [];
for (const task of tasks) results.push(await oneTask(task));
for (const name of ['with history', 'without history', ...lists.map((list) => list.name)]) {
  const hits = KS.map((k) => results.filter(({ gold, orders }) => holdsAll(orders[name].slice(0, k), gold)).length);
  console.log(`${name.padEnd(18)}${hits.map((hit) => `${((100 * hit) / results.length).toFixed(1)}`).join(' / ')}`);
}
const times = results.map(({ ms }) => ms).sort((a, b) => a - b);
console.log(
  `${results.length} instances; warm ranking, median ${times[times.length >> 1]} ms, most ${times.at(-1)} ms`,
);
if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 1)}\n`);

async function oneTask({ instance_id: id, repo, base_commit: base, problem_statement: text, patch }) {
  const work = join(folder, 'work', repo.replace('/', '+'));
  if (!existsSync(work)) {
    mkdirSync(join(folder, 'work'), { recursive: true });
    git(folder, 'clone', '--quiet', '--shared', '--no-checkout', known.get(repo), work);
  }
  git(work, 'checkout', '--quiet', '--force', '--detach', base);
  const ranked = async (options) =>
    (await bearings.matching.rank(text, { project: work, passages: 0, top: 10, ...options })).map(({ path }) => path);
  const plain = await ranked({ history: false });
  const withHistory = await ranked({});
  const start = performance.now();
  await ranked({ rescan: false });
  const ms = Math.round(performance.now() - start);
  const gold = filesOfPatch(patch);
  const orders = { 'with history': withHistory, 'without history': plain };
  for (const { name, found } of lists) orders[name] = found.get(id) ?? [];
  return { id, gold, ms, orders };
}

function holdsAll(order, gold) {
  return gold.every((file) => order.includes(file));
}
