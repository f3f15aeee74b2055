// npm run bench:stale -- GITDIR…: notes that cite code are made at one commit of a real repository and read again at later
// ones. What is told is held against git's renames and the definitions that the parsers of TypeScript and Python see.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPerson } from '../dist/person.js';
import { writePage } from './benchmarks-page.mjs';
import { confirmNotes } from './decisions.mjs';
import { exitCode, isQuick, keepResult, ms, sized } from './results.mjs';
import { definitionsOf, git, isCode, renames } from './stale-truth.mjs';
import { startServer } from './stdio-server.mjs';

const BINARY = fileURLToPath(new URL('../dist/bin/main.cjs', import.meta.url));
const COMMITS = Number(process.env.STALE_COMMITS ?? 1_000);
const CHECKS = Number(process.env.STALE_CHECKS ?? sized(20, 1));
const NOTES = sized({ line: 60, name: 40, path: 40 }, { line: 1, name: 1, path: 1 });
const [WARM_UP, CALLS] = sized([100, 400], [1, 10]);
const repositories = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (repositories.length === 0) throw new Error('Which repositories? npm run bench:stale -- GITDIR…');
const folder = mkdtempSync(join(tmpdir(), 'bearings-stale-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const rows = [];
const all = tally();
for (const repository of repositories) {
  const name = basename(dirname(repository)).split('+').at(-1) || basename(repository);
  const { counts, time } = await replay(repository, name);
  for (const key of Object.keys(all)) all[key] += counts[key];
  rows.push(rowOf(name, counts, time));
}
rows.push(rowOf('all', all, null));
keepResult('stale', {
  command: 'npm run bench:stale',
  about: `Notes that cite code (a line, a name, a path) made at one commit and read at ${CHECKS} of the next ${COMMITS}. Moved, renamed or deleted by \`git log -M90%\` and by the parsers of TypeScript and Python; the time is the processor's for one read_context over MCP, beside the same number of notes that cite nothing.`,
  head: ['repository', 'notes', 'gone or moved', 'told', 'unchanged', 'told', 'changed', 'told', 'where right', 'time'],
  rows,
});
if (!isQuick) writePage();
const isOk = all.staleTold >= 0.99 * all.stale && all.sameTold <= 0.01 * all.same;
console.log(isOk ? 'ok' : 'FAIL: at least 99 % of what moved or is gone, at most 1 % of what is unchanged');
process.exitCode = exitCode(isOk);

function tally() {
  return { notes: 0, stale: 0, staleTold: 0, same: 0, sameTold: 0, changed: 0, changedTold: 0, went: 0, wentRight: 0 };
}

function rowOf(name, counts, time) {
  const share = (told, of) => `${told} (${of === 0 ? '–' : `${((100 * told) / of).toFixed(2)} %`})`;
  const { notes, stale, staleTold, same, sameTold, changed, changedTold, went, wentRight } = counts;
  return [
    ...[name, notes, stale, share(staleTold, stale), same, share(sameTold, same), changed, share(changedTold, changed)],
    share(wentRight, went),
    time === null ? '' : time,
  ];
}

async function replay(repository, name) {
  const commits = git(repository, 'rev-list', '--first-parent', '--reverse', 'HEAD')
    .trim()
    .split('\n')
    .slice(-COMMITS - 1);
  const [first = ''] = commits;
  const last = commits.at(-1);
  const { home, root } = checkout(repository, `${name}-cited`, first);
  const seed = random(name);
  const cited = citations(root, seed);
  const person = openPerson(optionsFor({ home, root }));
  await person.createWorkspace({ id: name, here: true });
  await confirmNotes(
    optionsFor({ home, root }),
    cited.map(({ text }) => text),
    name,
  );
  const counts = { ...tally(), notes: cited.length };
  const wanted = new Set(
    Array.from({ length: CHECKS }, (_, at) => commits[Math.round(((at + 1) * (commits.length - 1)) / CHECKS)]),
  );
  for (const { commit, now } of renames(repository, first, last)) {
    if (!wanted.has(commit)) continue;
    git(root, 'checkout', '-q', '-f', commit);
    const due = new Map((await person.dueBlocks({ workspace: name })).map(({ block, code }) => [block.text, code]));
    const there = definitionsOf(
      root,
      [...new Set(cited.map(({ path }) => path))].filter((path) => existsSync(join(root, path)) && isCode(path)),
    );
    for (const citation of cited) judge({ citation, due: due.get(citation.text), root, there, now, counts });
  }
  return { counts, time: await timeOf({ repository, name, root, home, cited }) };
}

function judge({ citation, due, root, there, now, counts }) {
  const { text, path, definition } = citation;
  const isThere = existsSync(join(root, path));
  const told = due !== undefined;
  const same = definition && (there.get(path) ?? []).filter(({ name }) => name === definition.name);
  // A file that its own parser can't read says nothing.
  if (definition && isThere && there.get(path) === null) return;
  const truth = !isThere
    ? 'stale'
    : !definition
      ? 'same'
      : same.length === 0
        ? 'stale'
        : same.some((each) => each.text === definition.text)
          ? 'same'
          : 'changed';
  counts[truth] += 1;
  if (told) counts[`${truth}Told`] += 1;
  if (process.env.STALE_SHOW && ((truth === 'stale' && !told) || (truth === 'same' && told)))
    console.log(truth, told, text, JSON.stringify(due), definition?.name);
  const went = isThere ? null : now.get(path);
  if (!went || definition) return;
  counts.went += 1;
  if (due?.[0]?.to === went) counts.wentRight += 1;
}

function checkout(repository, name, commit) {
  const person = join(folder, name);
  const root = join(person, 'project');
  mkdirSync(person, { recursive: true });
  git(person, 'clone', '-q', '--shared', '--no-checkout', repository, root);
  git(root, 'checkout', '-q', '-f', commit);
  return { home: join(person, '.bearings'), root };
}

// By the parsers alone: what ours sees has no say in what is cited.
function citations(root, next) {
  const files = git(root, 'ls-files').trim().split('\n');
  const code = files.filter(isCode);
  const known = definitionsOf(root, code);
  const every = code.flatMap((path) => (known.get(path) ?? []).map((definition) => ({ path, definition })));
  const simple = ({ definition }) => definition.name.split('.').at(-1);
  const often = new Map();
  for (const each of every) often.set(simple(each), (often.get(simple(each)) ?? 0) + 1);
  const isTest = (path) => /(?:^|[/._-])(?:tests?|specs?|__tests__|deno_dist|node_modules)(?:[/._-]|$)/i.test(path);
  const own = every.filter(({ path }) => !isTest(path));
  const lines = pick(
    own.filter(({ definition }) => definition.end > definition.start),
    NOTES.line,
    next,
  ).flatMap(({ path, definition }) => {
    const line = definition.start + Math.floor(next() * (definition.end - definition.start + 1));
    const inner =
      known
        .get(path)
        .filter(({ start, end }) => start <= line && line <= end)
        .at(-1) ?? definition;
    return [{ path, definition: inner, cited: `${path}:${line}` }];
  });
  const names = pick(
    own.filter((each) => often.get(simple(each)) === 1 && simple(each).length > 3),
    NOTES.name,
    next,
  ).map((each) => ({ ...each, cited: `\`${simple(each)}\`` }));
  const paths = pick(
    files.filter((path) => !isTest(path) && /^[\w./-]+\.\w+$/.test(path)),
    NOTES.path,
    next,
  ).map((path) => ({ path, definition: null, cited: path }));
  return [...lines, ...names, ...paths].map((each, at) => ({
    ...each,
    text: `Note ${at}: what ${each.cited} does was seen in the field.`,
  }));
}

function optionsFor({ home, root }) {
  return { home, cwd: root, variables: { HOME: dirname(home), BEARINGS_CACHE: join(home, 'cache') } };
}

// The same notes without what they cite, in a clone of the same commit: the two take turns.
async function timeOf({ repository, name, root, home, cited }) {
  const plain = checkout(repository, `${name}-plain`, git(root, 'rev-parse', 'HEAD').trim());
  await openPerson(optionsFor(plain)).createWorkspace({ id: name, here: true });
  await confirmNotes(
    optionsFor(plain),
    cited.map((_, at) => `Note ${at}: what that one does was seen in the field.`),
    name,
  );
  const servers = await Promise.all(
    [{ home, root }, plain].map((place) =>
      startServer([BINARY, 'mcp', '--workspace', name], {
        cwd: place.root,
        env: { PATH: process.env.PATH, HOME: dirname(place.home), BEARINGS_CACHE: join(place.home, 'cache') },
      }),
    ),
  );
  const reads = async (server, calls) => {
    for (let call = 0; call < calls; call += 1) await server.call('read_context', {});
  };
  for (const server of servers) await reads(server, WARM_UP);
  const before = servers.map(cpuOf);
  for (let round = 0; round < CALLS / 10; round += 1) for (const server of servers) await reads(server, 10);
  const [citing, plainly] = servers.map((server, at) => (cpuOf(server) - before[at]) / CALLS);
  await Promise.all(servers.map((server) => server.end()));
  return `${ms(citing)} beside ${ms(plainly)}`;
}

// Milliseconds of the processor, by Linux's own count: how busy the machine is has no say.
function cpuOf({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function pick(list, count, next) {
  const left = [...list];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(next() * left.length), 1)[0],
  );
}

// The same choice at each run.
function random(seed) {
  let state = [...seed].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
