// npm run bench:hooks -- --repos DIR [--half open|closed|all] [--parts commits,talk,notes,rules,times] [--set other-trades|more-trades|unseen-trades]: what hooks
// push and stop, in real processes. DIR holds git repositories, one folder each; subjects of commits are the prompts, against the state
// before the first of them. The prompts, notes and command lines in bench/hooks/ were written before anything was tuned; even lines are the
// half that was looked at. Those of the other set were written by someone who had read neither the rules' code nor the first set's notes.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { optionsOf } from '../scripts/options.mjs';
import { confirmNotes } from './decisions.mjs';
import { keepResult, resultRows, sized } from './results.mjs';

const BINARY = resolve('dist/bin/main.cjs');
const COMMITS = sized(30, 2);
const { values } = optionsOf(import.meta.url, {
  options: {
    repos: { type: 'string' },
    half: { type: 'string', default: 'all' },
    parts: { type: 'string', default: 'commits,talk,notes,rules,times' },
    set: { type: 'string', default: '' },
  },
});
const DATA = join(import.meta.dirname, 'hooks', values.set);
const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
const parts = values.parts.split(',');
const folder = mkdtempSync(join(tmpdir(), 'bearings-hooks-'));
const rows = [];
const row = (what, measured, bound, holds) =>
  rows.push([values.set ? `${what}, ${values.set}` : what, measured, bound, holds ? 'holds' : 'does not']);
let sessions = 0;

try {
  if (parts.includes('commits')) commits();
  if (parts.includes('talk') || parts.includes('notes')) await notes();
  if (parts.includes('rules')) await rules();
  if (parts.includes('times')) await times();
  const about =
    'What hooks push with a prompt and stop before a tool, in real processes; subjects of commits as prompts, against the state before them.';
  // What this run did not measure stays as it was.
  const kept = resultRows('hooks').filter(([what]) => !rows.some((row) => nameOf(row) === nameOf([what])));
  const head = ['what', 'measured', 'bound', ''];
  keepResult('hooks', { command: 'npm run bench:hooks', about, head, rows: [...rows, ...kept] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Without its numbers: a run over fewer commits takes the place of the row all the same.
function nameOf([what]) {
  return what.replace(/\d+/g, '');
}

function lines(name) {
  const all = readFileSync(join(DATA, name), 'utf8').split('\n');
  const said = all.filter((line) => line !== '' && !line.startsWith('#')).slice(0, sized(undefined, 2));
  return said.filter(
    (_, at) => values.half === 'all' || name === 'notes.txt' || (at % 2 === 0) === (values.half === 'open'),
  );
}

function bearings(home, cwd, args, input = '') {
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
  return spawnSync(process.execPath, [BINARY, ...args], { cwd, env, input, encoding: 'utf8' }).stdout;
}

function hook(home, cwd, event, more) {
  sessions += 1;
  const out = bearings(home, cwd, ['hook', event], JSON.stringify({ session_id: `s${sessions}`, cwd, ...more }));
  return out === '' ? {} : JSON.parse(out).hookSpecificOutput;
}

/** A home and a repository with a workspace of its own. */
function person(name, clone) {
  const home = join(folder, name);
  const repo = join(home, 'repo');
  mkdirSync(home, { recursive: true });
  if (clone) clone(repo);
  else execFileSync('git', ['init', '-q', repo]);
  bearings(home, repo, ['init']);
  return { home, repo };
}

function confirm({ home, repo }, texts) {
  const variables = { HOME: home, PATH: process.env.PATH };
  return confirmNotes({ home: join(home, '.bearings'), cwd: repo, variables }, texts);
}

function git(repo, ...args) {
  return execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function commits() {
  if (!values.repos) throw new Error('--repos DIR is needed for the part "commits".');
  const found = [];
  for (const name of readdirSync(values.repos).sort()) {
    const source = join(values.repos, name);
    const tasks = tasksOf(source);
    if (tasks.length < COMMITS) continue;
    const { home, repo } = person(`commits-${name}`, (to) => {
      execFileSync('git', ['clone', '-q', '--no-checkout', source, to]);
      git(to, 'checkout', '-q', tasks[0].before);
    });
    bearings(home, repo, ['match', 'anything']);
    const hits = tasks.map(({ subject, files }) => {
      const { additionalContext = '' } = hook(home, repo, 'prompt', { prompt: subject });
      const places = [...additionalContext.matchAll(/^- (.+?)(?::\d+-\d+)?(?: .*)? · /gm)].map(([, path]) => path);
      return {
        hit: files.some((file) => places.includes(file)),
        tokens: countTokens(additionalContext),
        places: places.length,
      };
    });
    found.push(...hits);
    const share = hits.filter(({ hit }) => hit).length;
    console.log(`${name}: ${share} of ${hits.length}, ${mean(hits.map(({ tokens }) => tokens)).toFixed(0)} tokens`);
    rmSync(home, { recursive: true, force: true });
  }
  const share = (100 * found.filter(({ hit }) => hit).length) / found.length;
  const tokens = found.map((each) => each.tokens);
  row(`commits with a changed file among the places (${found.length})`, `${share.toFixed(1)} %`, '75 %', share >= 75);
  row(
    'tokens of a prompt: mean, most',
    `${mean(tokens).toFixed(0)}, ${Math.max(...tokens)}`,
    '1,500',
    Math.max(...tokens) <= 1500,
  );
}

// The newest that change one to ten files of the state before them all; not those that no person would ask for.
function tasksOf(source) {
  const log = git(source, 'log', '--no-merges', '-n', '2000', '--format=%x01%H%x02%s', '--name-status', '--no-renames');
  const all = log
    .split('\x01')
    .slice(1)
    .map((entry) => {
      const [head, ...names] = entry.split('\n');
      const [hash, subject] = head.split('\x02');
      return { hash, subject, files: names.filter((line) => /^M\t/.test(line)).map((line) => line.slice(2)) };
    });
  const isTask = ({ subject, files }) =>
    files.length >= 1 &&
    files.length <= 10 &&
    subject.split(' ').length >= 3 &&
    !/^(?:chore|build|ci|release|merge|revert|bump|update dep|v?\d)|\bdeps?\b|dependabot|pre-commit|changelog|release|version|bump|typo|sponsor|translat|📝|🌐|👥|⬆/i.test(
      subject,
    );
  // A few more: files of some did not exist before them all.
  let found = 0;
  const last = all.findIndex((task) => {
    if (isTask(task)) found += 1;
    return found > COMMITS * 1.5;
  });
  if (last === -1) return [];
  const before = all[last]?.hash;
  const there = new Set(git(source, 'ls-tree', '-r', '--name-only', before).split('\n'));
  return all
    .slice(0, last)
    .filter(isTask)
    .map((task) => ({ ...task, before, files: task.files.filter((file) => there.has(file)) }))
    .filter(({ files }) => files.length > 0)
    .slice(-COMMITS);
}

async function notes() {
  const known = readFileSync(join(DATA, 'notes.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('|'))
    .slice(0, sized(undefined, 2));
  const texts = new Map(known.map((line) => [line.slice(0, line.indexOf('|')), line.slice(line.indexOf('|') + 1)]));
  // Small talk is asked in a project that has an index and 200 notes: there is something to be given.
  const place = person('notes', (to) => execFileSync('git', ['clone', '-q', process.cwd(), to]));
  bearings(place.home, place.repo, ['match', 'anything']);
  await confirm(place, texts.values());
  if (parts.includes('notes')) {
    const prompts = lines('prompts.txt').map((line) => ({
      id: line.slice(0, line.indexOf('|')),
      text: line.slice(line.indexOf('|') + 1),
    }));
    let [right, wrong] = [0, 0];
    for (const { id, text } of prompts) {
      const { additionalContext = '' } = hook(place.home, place.repo, 'prompt', { prompt: text });
      const given = [...texts].filter(([, note]) => additionalContext.includes(`\n${note}\n`)).map(([key]) => key);
      if (given.includes(id)) right += 1;
      wrong += given.filter((key) => key !== id).length;
    }
    const bound = (prompts.length * 80) / 100;
    row(
      `right note among those pushed (${texts.size} notes, ${prompts.length} prompts)`,
      right,
      `${bound}`,
      right >= bound,
    );
    row('wrong notes a prompt', (wrong / prompts.length).toFixed(2), '0.5', wrong / prompts.length <= 0.5);
  }
  if (!parts.includes('talk')) return;
  const talk = lines('small-talk.txt');
  const answered = talk.filter((prompt) => hook(place.home, place.repo, 'prompt', { prompt }).additionalContext);
  for (const prompt of values.half === 'closed' ? [] : answered) console.log(`answered: ${prompt}`);
  row(`small talk that got anything (${talk.length})`, answered.length, '2', answered.length <= 2);
}

async function rules() {
  const place = person('rules');
  await confirm(
    place,
    readFileSync(join(DATA, 'rules.md'), 'utf8')
      .split('\n\n')
      .map((text) => text.trim()),
  );
  const [missed, wrong] = [[], []];
  const all = lines('commands.txt');
  for (const line of all) {
    const command = line.slice(5).replaceAll('\\n', '\n');
    const { permissionDecision } = hook(place.home, place.repo, 'before-tool', {
      tool_name: 'Bash',
      tool_input: { command },
    });
    if (line.startsWith('stop') && !permissionDecision) missed.push(command);
    if (line.startsWith('pass') && permissionDecision) wrong.push(command);
  }
  if (values.half !== 'closed')
    for (const command of [...missed, ...wrong]) console.log(`not as it should be: ${command}`);
  row(
    `command lines that should be stopped and were not (of ${all.length}, half each)`,
    missed.length,
    '2',
    missed.length <= 2,
  );
  row('stopped and should not be', wrong.length, '2', wrong.length <= 2);
}

async function times() {
  const place = person('times');
  for (let at = 0; at < sized(5_000, 20); at += 1) {
    if (at % 100 === 0) mkdirSync(join(place.repo, `src/part${at / 100}`), { recursive: true });
    const name = `handler${at}`;
    const text =
      `// Handles orders of kind ${at}.\nexport function ${name}(order) {\n  return validate(order, ${at}) && send${at % 97}(order);\n}\n`.repeat(
        8,
      );
    writeFileSync(join(place.repo, `src/part${Math.floor(at / 100)}/${name}.ts`), text);
  }
  git(place.repo, 'add', '-A');
  git(place.repo, '-c', 'user.name=b', '-c', 'user.email=b@example.org', 'commit', '-qm', 'Orders');
  await confirm(
    place,
    Array.from(
      { length: sized(1_000, 3) },
      (_, at) =>
        `Orders of kind ${at} go to warehouse ${at % 7}${at % 10 === 0 ? '; never run `deploy-' + at + '`' : ''}.`,
    ),
  );
  bearings(place.home, place.repo, ['match', 'anything']);
  const input = (more) => JSON.stringify({ session_id: `t${sessions++}`, cwd: place.repo, ...more });
  const kinds = {
    'a bare start of node': () => measured(place, ['-e', '0'], ''),
    'prompt hook': (at) =>
      measured(
        place,
        [BINARY, 'hook', 'prompt'],
        input({ prompt: `handler${at * 31} sends orders to the wrong warehouse` }),
      ),
    'tool hook': () =>
      measured(
        place,
        [BINARY, 'hook', 'before-tool'],
        input({ tool_name: 'Bash', tool_input: { command: 'ls -la && pnpm test' } }),
      ),
  };
  const taken = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round < sized(40, 1); round += 1)
    for (const [kind, run] of Object.entries(kinds)) taken[kind].push(run(round));
  const [bare, prompt, tool] = Object.values(taken);
  for (const [kind, runs] of Object.entries(taken))
    console.log(
      `${kind}: wall ${two(runs, 'wall')}, CPU ${two(runs, 'cpu')}, CPU beside a bare start ${ratio(runs, bare)}`,
    );
  const over = (runs, what) => runs.map((run, at) => run[what] - bare[at][what]);
  row(
    'prompt hook, 5,000 files, 1,000 decisions: 95th percentile',
    `${at(over(prompt, 'wall'), 0.95)} ms`,
    '400 ms',
    at(over(prompt, 'wall'), 0.95) <= 400,
  );
  row(
    'tool hook, 1,000 decisions: 95th percentile',
    `${at(over(tool, 'wall'), 0.95)} ms`,
    '60 ms',
    at(over(tool, 'wall'), 0.95) <= 60,
  );
}

// Functions, not constants: the code above runs before a constant here has its value.
function two(runs, what) {
  const all = runs.map((run) => run[what]);
  return `${at(all, 0.5)} ms, ${at(all, 0.95)} ms`;
}

function ratio(runs, bare) {
  const middle = (all) =>
    at(
      all.map(({ cpu }) => cpu),
      0.5,
    );
  return (middle(runs) / middle(bare)).toFixed(1);
}

// The shell says what processor time its child took: on a busy machine the clock alone says little.
function measured({ home, repo }, args, input) {
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
  const start = performance.now();
  const script = '"$@" > /dev/null; times';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...args], {
    cwd: repo,
    env,
    input,
    encoding: 'utf8',
  });
  const wall = performance.now() - start;
  const [, children = ''] = stdout.split('\n');
  const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + (60 * m + Number(s)) * 1_000,
    0,
  );
  return { wall, cpu };
}

function at(times, share) {
  return Math.round([...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]);
}

function mean(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
