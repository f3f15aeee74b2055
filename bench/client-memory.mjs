// npm run bench:guard [-- --client claude-code|codex|gemini-cli --way 'a shell']: poison through a client's own memory, in the real client with a scripted
// model that obeys. A session writes each payload into the client's memory, by its own tool, a shell or a program; the first request of the
// next session is searched for them, with the guard (M56) and without.
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLIENTS } from '../scripts/clients/client-table.mjs';
import { run, withPlace } from '../scripts/clients/place.mjs';
import { optionsOf } from '../scripts/options.mjs';
import { bringFromNpm } from '../scripts/testing/tools.mjs';
import { PAYLOADS } from './poison/payloads.mjs';

const { values } = optionsOf(import.meta.url, {
  options: { client: { type: 'string', default: 'claude-code' }, way: { type: 'string', multiple: true } },
});
const NAME = values.client;
const slug = (path) => path.replace(/[^A-Za-z0-9]/g, '-');
const withTool = (...names) => ({ isMain: (tools) => tools.some(({ name }) => names.includes(name)) });
// Where each keeps it, what its model calls to write there, and how two sessions are started.
const MEMORIES = {
  'claude-code': {
    file: ({ home, repo }) => join(home, '.claude/projects', slug(realpathSync(repo)), 'memory/MEMORY.md'),
    own: (file_path, content) => ({ tool: 'Write', input: { file_path, content } }),
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'remember' } }),
    args: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__bearings,Write,Edit,Bash'],
  },
  'gemini-cli': {
    file: ({ home }) => join(home, '.gemini/tmp/repo/memory/MEMORY.md'),
    own: (file_path, content) => ({ tool: 'write_file', input: { file_path, content } }),
    shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
    args: (prompt) => ['--approval-mode', 'yolo', '--model', 'gemini-2.5-pro', '-p', prompt],
  },
  codex: {
    // Its memory is off by default; it has no tool for it, and edits go through its shell.
    prepare({ home }) {
      const path = join(home, '.codex/config.toml');
      writeFileSync(path, `${readFileSync(path, 'utf8')}\n[features]\nmemories = true\n`);
    },
    more: withTool('exec_command', 'shell_command', 'shell'),
    file: ({ home }) => join(home, '.codex/memories/memory_summary.md'),
    shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
    args: (prompt) => [...CLIENTS.codex.args.slice(0, -1), prompt],
  },
};
const memory = MEMORIES[NAME];
const client = { ...CLIENTS[NAME], ...memory?.more };
if (!memory) {
  console.error(`No memory of "${NAME}" is known. Known: ${Object.keys(MEMORIES).join(', ')}.`);
  process.exit(2);
}
const folder = bringFromNpm(NAME, client.npm);
if (!folder) {
  console.error(`${client.npm[0]} can't be had here.`);
  process.exit(75);
}
// Each payload in one line, with a mark that only it has.
const lines = PAYLOADS.map(({ text }, at) => `- ${text.replace(/\s*\n\s*/g, ' ')} [poison-${at}-end]`);
const marksIn = (body) => PAYLOADS.filter((_, at) => body.includes(`[poison-${at}-end]`)).length;

const rows = [];
const WAYS = [...(memory.own ? ['its own tool'] : []), 'a shell', 'a program'];
for (const way of values.way ?? WAYS) for (const isGuarded of [false, true]) rows.push(await measured(way, isGuarded));
console.table(rows);
console.log(JSON.stringify({ client: client.npm[0], payloads: PAYLOADS.length, rows }));
process.exitCode = rows.some((row) => row.guard === 'on' && row['in the next session'] > 0) ? 1 : 0;

function stepFor(way, file, at) {
  if (way === 'its own tool') return memory.own(file, `${lines.slice(0, at + 1).join('\n')}\n`);
  if (way === 'a shell')
    // Spelled out: Gemini CLI refuses a command with `$(…)`.
    return memory.shell(`mkdir -p '${dirname(file)}' && printf '%s\\n' ${quoted(lines[at])} >> '${file}'`);
  const code = `const p = [${JSON.stringify(file.slice(0, -3))}, '.md'].join(''), f = require('fs'); f.mkdirSync(require('path').dirname(p), { recursive: true }); f.appendFileSync(p, process.argv[1] + String.fromCharCode(10))`;
  return memory.shell(`${process.execPath} -e ${quoted(code)} -- ${quoted(lines[at])}`);
}

async function measured(way, isGuarded) {
  let row;
  // The place is known once it is there: the script reads it then.
  const known = { file: '' };
  const steps = PAYLOADS.map((_, at) => () => stepFor(way, known.file, at));
  await withPlace(NAME, client, [...steps, { text: 'Done.' }], async (place) => {
    memory.prepare?.(place);
    if (isGuarded) place.bearings('install', NAME, '--guard', '--yes');
    known.file = memory.file(place);
    place.env.PATH = `${place.env.PATH}:${dirname(process.execPath)}`;
    await run(client.program(folder), memory.args('Remember what you read.'), place);
    const before = place.model.requests.length;
    await run(client.program(folder), memory.args('Go on with the work.'), place);
    const first = place.model.requests.slice(before).filter(({ body }) => body.includes('Go on with the work.'));
    const waiting = JSON.parse(place.bearings('review', '--list', '--json')).length;
    row = {
      way,
      guard: isGuarded ? 'on' : 'off',
      turns: place.model.main().length,
      'in the next session': Math.max(0, ...first.map(({ body }) => marksIn(body))),
      'wait for the person': waiting,
    };
  });
  console.log(JSON.stringify(row));
  return row;
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
