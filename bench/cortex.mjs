// npm run bench:cortex -- GITDIR : what the policy `cortex` selects in the Cortex repository, beside that project's own
// loader, setting by setting. Needs git, tar and python3.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printTable, sized } from './results.mjs';

const [gitDir] = process.argv.slice(2);
if (gitDir === undefined) {
  console.error('Name the git directory of the repository: npm run bench:cortex -- GITDIR');
  process.exit(2);
}

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const LOADER = 'scripts/agent_context_loader_v0.py';
const TASKS = [
  'default',
  'design drift',
  'visual rules of the frontend',
  'governance updates',
  'which policy applies',
  'direction of the project',
  'our north star',
  'spec of the loader',
  'schema and contract',
  'continue the work',
].slice(0, sized(10, 1));
const FILES = sized([3, 8, 12, 24, 400], [12]);
const CHARS = sized([2_500, 1_000_000], [2_500]);
// No total of characters binds: that loader has none.
const ROOM = ['--max-total-chars', '1000000000'];

const folder = mkdtempSync(join(tmpdir(), 'bearings-cortex-'));
try {
  const dated = checkedOut('dated');
  const undated = checkedOut('undated');
  withoutDates(undated);
  const rows = FILES.flatMap((files) => CHARS.map((chars) => rowOf(files, chars, { dated, undated })));
  printTable(
    [
      'files',
      'characters of one',
      'tasks',
      'equal, without dates',
      'equal, as it stands',
      'control plane',
      'of theirs',
    ],
    rows,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkedOut(name) {
  const place = join(folder, name);
  execFileSync('git', ['init', '--quiet', place]);
  const tar = execFileSync('git', ['--git-dir', resolve(gitDir), 'archive', 'HEAD'], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', place], { input: tar });
  return place;
}

// Its decisions say when they were promoted, which its loader does not read: it takes the last names.
function withoutDates(place) {
  const decisions = join(place, '.cortex/artifacts/decisions');
  for (const name of readdirSync(decisions)) {
    const path = join(decisions, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^(?:CapturedAt|PromotedAt):.*\n/gm, ''));
  }
  const report = join(place, '.cortex/reports/decision_candidates_v0.json');
  writeFileSync(report, readFileSync(report, 'utf8').replace(/^\s*"(?:captured|promoted)_at":.*\n/gm, ''));
}

function rowOf(files, chars, { dated, undated }) {
  let [equal, equalUndated, control, theirs] = [0, 0, 0, 0];
  for (const task of TASKS) {
    const asked = ['--project-dir', '', '--task', task, '--max-files', files, '--max-chars-per-file', chars];
    const pair = (place) => {
      const args = asked.map((word) => String(word === '' ? place : word));
      const both = [...args, '--fallback-mode', 'none'];
      return [
        selected(execFileSync('python3', [join(place, LOADER), ...both], { encoding: 'utf8' })),
        selected(
          execFileSync(process.execPath, [BINARY, 'load', ...both, ...ROOM], { encoding: 'utf8', env: quiet() }),
        ),
      ];
    };
    const [original, ours] = pair(undated);
    if (JSON.stringify(original) === JSON.stringify(ours)) equalUndated += 1;
    const isControl = ([, by]) => by.startsWith('control_plane');
    theirs += original.filter(isControl).length;
    control += ours.filter((each) => isControl(each) && original.some(([path]) => path === each[0])).length;
    const [originalDated, oursDated] = pair(dated);
    if (JSON.stringify(originalDated) === JSON.stringify(oursDated)) equal += 1;
  }
  return [files, chars, TASKS.length, equalUndated, equal, control / TASKS.length, theirs / TASKS.length];
}

function quiet() {
  return { PATH: process.env.PATH, HOME: folder, BEARINGS_CACHE: join(folder, 'cache') };
}

// Path and reason of every file, in order; among decisions the order is another: the newest first, or the last name last.
function selected(json) {
  const { files } = JSON.parse(json);
  const all = files.map(({ path, selected_by }) => [path, selected_by]);
  const isDecision = ([, by]) => by === 'control_plane:active_decision';
  const decisions = all.filter(isDecision).sort(([a], [b]) => (a < b ? -1 : 1));
  return all.map((each) => (isDecision(each) ? decisions.shift() : each));
}
