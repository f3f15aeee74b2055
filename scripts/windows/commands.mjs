// What `npm run test:windows` runs, in this order and in one home, and the kills at its end.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const BINARY = resolve('dist/bin/main.cjs');
const WORKER = resolve('test/crash/confirm-worker.mjs');
const STATE = resolve('scripts/windows/state.mjs');
const TEMPLATE = '<task type="atomic" name="small"><description>Say what the parser does</description></task>\n';
const BLOCK = /^note (\S+) of a process\nwith a second line, so that half of it would show$/;
const START_MS = 120_000;

const bearings = (name, ...args) => ({ name, args: [BINARY, ...args] });
const write = (path, text) => (place, put) => put(join(place.project, path), text);

/** `code`: how it must end, 0 unless said; `shows`: what it must print. */
export const COMMANDS = [
  { ...bearings('--help', '--help'), shows: /Usage: bearings COMMAND/ },
  {
    name: 'node:sqlite opens a database',
    args: ['-e', "new (require('node:sqlite').DatabaseSync)('probe.db').exec('create table t (x)')"],
  },
  { ...bearings('init', 'init', 'reef'), shows: /made reef/ },
  { ...bearings('read', 'read', 'reef', '--json'), shows: /"tastes"/ },
  bearings('propose', 'propose', 'notes', 'reef', '--content', 'The reef is quiet at noon.'),
  { ...bearings('review --list', 'review', '--list'), shows: /The reef is quiet/ },
  {
    ...bearings('load', 'load', '--task', 'mend the parser', '--json'),
    prepare: write(
      'parser.js',
      '// The parser drops the last token.\nexport const parse = (text) => text.split(" ");\n',
    ),
    shows: /parser\.js/,
  },
  { ...bearings('match', 'match', 'parser token'), shows: /parser\.js/ },
  { ...bearings('check', 'check', 'small.xml'), prepare: write('small.xml', TEMPLATE) },
  bearings('run', 'run', 'small.xml'),
  {
    name: 'decide through the library',
    prepare: ({ home }) => mkdirSync(join(home, 'decided/workspaces/w'), { recursive: true }),
    args: ({ home }) => [WORKER, join(home, 'decided'), 'once', '1'],
    shows: /^accepted once\.0$/m,
  },
  {
    name: 'what was decided is read',
    args: ({ home }) => [BINARY, 'show', 'notes', 'w', '--home', join(home, 'decided')],
    shows: /note once\.0 of a process/,
  },
  {
    name: 'verify',
    args: ({ home }) => [BINARY, 'verify', '--home', join(home, 'decided')],
  },
];

/** Processes that propose and decide, each killed at a random instant; after each the same Node reads what is left. */
export async function killedAndRecovered({ home, project, system, run }, kills, start) {
  const census = { accepted: 0, lost: 0, doubled: 0, torn: 0, verified: true, why: '' };
  const own = join(home, 'killed');
  mkdirSync(join(own, 'workspaces/w'), { recursive: true });
  const promised = new Set();
  for (let kill = 0; kill < kills; kill++) {
    const path = join(home, `worker-${kill}`);
    const child = start(system, project, [WORKER, own, `k${kill}`, '100000'], path);
    const ended = new Promise((done) => child.on('close', done));
    // Every third is killed after its first decision, however slow the machine is.
    const word = kill % 3 === 2 ? 'accepted' : 'proposed';
    const said = () => readFileSync(path, 'utf8');
    for (const end = Date.now() + START_MS; !said().includes(word); await after(5))
      if (child.exitCode !== null || Date.now() > end) break;
    await after(Math.random() * 60);
    child.kill('SIGKILL');
    await ended;
    if (!said().includes(word)) return { ...census, verified: false, why: `no "${word}" from a worker: ${said()}` };
    for (const [, name] of said().matchAll(/^accepted (\S+)$/gm)) promised.add(name);
    const { code, text } = run(STATE, own);
    if (code !== 0) return { ...census, verified: false, why: text };
    const { pending, problems, notes } = JSON.parse(text);
    const blocks = notes === '' ? [] : notes.replace(/\n$/, '').split('\n\n');
    const standing = blocks.map((block) => BLOCK.exec(block)?.[1]);
    const waiting = pending.map((content) => BLOCK.exec(content)?.[1]);
    census.accepted = promised.size;
    census.torn += standing.filter((name) => name === undefined).length;
    census.doubled +=
      standing.length - new Set(standing).size + waiting.filter((name) => standing.includes(name)).length;
    census.lost += [...promised].filter((name) => !standing.includes(name)).length;
    if (problems.length > 0) return { ...census, verified: false, why: JSON.stringify(problems) };
  }
  return { ...census, why: 'see the counts' };
}
