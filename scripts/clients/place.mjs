// A home, a clone with a workspace, a brief and a `bearings` of its own, and a scripted model for one client, set up by `bearings install`.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { withTools } from '../testing/tools.mjs';
import { scriptedModel } from './scripted-model.mjs';

const BINARY = resolve('dist/bin/main.cjs');
export const PATIENCE_MS = 180_000;
/** Only the context can hold it: no script and no prompt does. */
export const MARK = 'A brief that only this test knows.';

export async function withPlace(name, client, script, use, scope = 'user') {
  const home = mkdtempSync(join(tmpdir(), 'bearings-client-'));
  const repo = join(home, 'repo');
  const model = await scriptedModel(script, { isMain: client.isMain });
  const env = { PATH: `${join(home, 'bin')}:${withTools().PATH}`, HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
  const bearings = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], {
      cwd: repo,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`bearings ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  try {
    mkdirSync(repo);
    execFileSync('git', ['init', '-q', repo]);
    bearings('init');
    writeFileSync(join(repo, '.bearings/brief.md'), `${MARK}\n`);
    for (const [path, text] of Object.entries(client.files({ repo, model }))) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    mkdirSync(join(home, 'bin'));
    symlinkSync(BINARY, join(home, 'bin/bearings'));
    plantPackage(home, repo);
    bearings('install', name, '--scope', scope, '--yes');
    // What the clone brought has run, by its own word.
    const ran = () => existsSync(join(home, 'ran'));
    const confirm = (notes) => confirmed({ home, repo }, notes);
    // A remote that tells whether anything was pushed to it.
    execFileSync('git', ['init', '-q', '--bare', join(home, 'remote')]);
    execFileSync('git', ['-C', repo, 'remote', 'add', 'origin', join(home, 'remote')]);
    mkdirSync(join(repo, 'src'));
    writeFileSync(join(repo, 'src/lexer.js'), 'exports.lex = (text) => text.split(/ /);\n');
    const pushed = () =>
      existsSync(join(home, 'remote/refs/heads/main')) || existsSync(join(home, 'remote/refs/heads/master'));
    const withoutStart = () => {
      const path = join(home, client.hookFile);
      // A plugin is a program: it takes every session for one that was told already.
      if (path.endsWith('.js'))
        return writeFileSync(path, readFileSync(path, 'utf8').replace("source.get(sessionID) !== 'given'", 'false'));
      const value = JSON.parse(readFileSync(path, 'utf8'));
      for (const event of ['SessionStart', 'sessionStart']) delete value.hooks[event];
      writeFileSync(path, JSON.stringify(value, null, 2));
    };
    await use({
      home,
      repo,
      model,
      bearings,
      ran,
      confirm,
      pushed,
      withoutStart,
      env: { ...env, ...client.variables(model) },
    });
  } finally {
    await model.close();
    await endPrograms(home);
    await removed(home);
  }
}

// What `npx bearings` would run in this folder.
function plantPackage(home, repo) {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const own = join(repo, 'node_modules', name);
  mkdirSync(own, { recursive: true });
  mkdirSync(join(repo, 'node_modules/.bin'));
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name, version, bin: { [name]: 'evil.js' } }));
  const evil = `#!/usr/bin/env node\nrequire('node:fs').writeFileSync(${JSON.stringify(join(home, 'ran'))}, '')\n`;
  writeFileSync(join(own, 'evil.js'), evil, { mode: 0o755 });
  symlinkSync(`../${name}/evil.js`, join(repo, 'node_modules/.bin', name));
  writeFileSync(
    join(repo, '.npmrc'),
    'registry=http://127.0.0.1:9/\nnode-options=--require ./node_modules/bearings/evil.js\n',
  );
}

// Codex leaves a server of its own behind, and a program that starts it again: whatever has this home is ended, until nothing has.
// Only Linux tells the variables of a process.
async function endPrograms(home) {
  const isOurs = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  };
  const left = () =>
    existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name)) : [];
  for (let pids = left(); pids.length > 0; pids = left()) {
    for (const pid of pids)
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    await new Promise((done) => setTimeout(done, 100));
  }
}

// A client that was ended may still write for a moment.
async function removed(folder) {
  for (const end = Date.now() + 20_000; ; await new Promise((done) => setTimeout(done, 250)))
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > end) throw error;
    }
}

/** The program and its first words: what npm made is a script for Node. */
export function commandOf(program) {
  return program.includes('/.bin/') ? [process.execPath, program] : [program];
}

/** Without a terminal, to its end; all that it said. */
export async function run(program, args, { repo, env }) {
  const [command, ...words] = [...commandOf(program), ...args];
  const child = spawn(command, words, { cwd: repo, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await new Promise((done) => child.on('close', done));
  clearTimeout(timer);
  return said;
}

// Proposed and accepted, as a person does it.
async function confirmed({ home, repo }, notes) {
  const { openBearings } = await import('../../dist/index.js');
  const { openPerson } = await import('../../dist/person.js');
  const options = { home: join(home, '.bearings'), cwd: repo, variables: { HOME: home, PATH: process.env.PATH } };
  const { gate } = openBearings(options);
  const person = openPerson(options);
  const session = await gate.openSession({ client: 'test' });
  for (const note of notes) {
    const wish = typeof note === 'string' ? { content: note } : note;
    const { proposal_id } = await gate.propose(session, { kind: 'notes', ...wish });
    const shown = await person.showProposal(proposal_id);
    await person.decide(shown, { decision: 'accept', via: 'review', client: null });
  }
}
