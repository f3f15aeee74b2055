// npm run test:clients [-- --client claude-code]: real clients, each in a home of its own, driven by a scripted model on loopback.
//   --client NAME   one of claude-code, codex, gemini-cli, opencode
//   --json          the table as JSON
// Each is set up by `bearings install`, as a person would. Clients are brought into the cache folder of the tests; no account is
// needed and nothing leaves the machine. What can't be tried is said.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { scriptedModel } from './clients/scripted-model.mjs';
import { optionsOf } from './options.mjs';
import { bringFromNpm, bringTmux, withTools } from './testing/tools.mjs';

const NOT_HERE = 75;
const BINARY = resolve('dist/bin/main.cjs');
const NOTE = 'The parser drops the last token.';
const MARK = 'A brief that only this test knows.';
const PATIENCE_MS = 180_000;
const KEY = 'sk-ant-api03-no-account-no-account-00';

const { values } = optionsOf(import.meta.url, { options: { client: { type: 'string' }, json: { type: 'boolean' } } });

const propose = { tool: 'propose_notes_update', input: { content: NOTE, reason: 'seen in a test' } };
const confirm = (body) => ({
  tool: 'confirm_notes_update',
  input: { proposal_id: body.match(/p_[0-9a-f]{16}/g)?.at(-1) ?? 'p_0' },
});

const CLIENTS = {
  'claude-code': {
    npm: ['@anthropic-ai/claude-code@2.1.197'],
    program: (folder) =>
      join(folder, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
    args: ['-p', 'Mend the parser.', '--allowedTools', 'mcp__bearings'],
    variables: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    files: ({ repo }) => ({
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
        projects: { [repo]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
    hasHook: true,
    terminal: claudeTerminal,
    subagent: {
      tool: 'Agent',
      input: { description: 'mend', prompt: 'Mend a part.', subagent_type: 'general-purpose' },
    },
  },
  codex: {
    npm: ['@openai/codex@0.166.0'],
    program: (folder) => join(folder, 'node_modules/.bin/codex'),
    // Its own question about new hooks needs a terminal; the hook itself is the one that install wrote.
    args: ['exec', '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust', 'Mend the parser.'],
    variables: () => ({}),
    files: ({ repo, model }) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "loopback"',
        '[model_providers.loopback]',
        'name = "loopback"',
        `base_url = "${model.url}/v1"`,
        'wire_api = "responses"',
        `[projects."${repo}"]`,
        'trust_level = "trusted"',
        '',
      ].join('\n'),
    }),
    hasHook: true,
  },
  'gemini-cli': {
    npm: ['@google/gemini-cli@0.61.0'],
    program: (folder) => join(folder, 'node_modules/.bin/gemini'),
    args: ['--approval-mode', 'yolo', '-p', 'Mend the parser.'],
    variables: ({ url }) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    files: () => ({ '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}\n' }),
    hasHook: true,
  },
  opencode: {
    npm: ['opencode-ai@1.18.18'],
    program: (folder) => join(folder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`),
    args: ['run', 'Mend the parser.'],
    variables: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    files: ({ model }) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'loopback/scripted',
        share: 'disabled',
        provider: {
          loopback: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model.url}/v1`, apiKey: KEY },
            models: { scripted: {} },
          },
        },
      }),
    }),
    hasHook: false,
  },
};

const wanted = values.client === undefined ? Object.keys(CLIENTS) : [values.client];
const rows = [];
for (const name of wanted) {
  const client = CLIENTS[name];
  if (!client) {
    console.error(`There is no client "${name}" here. Known: ${Object.keys(CLIENTS).join(', ')}.`);
    process.exit(2);
  }
  rows.push(...(await tried(name, client)));
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
const failed = rows.filter(({ result }) => result === 'failed');
const absent = rows.filter(({ result }) => result === 'not tried');
console.log(
  `\n${rows.length - failed.length - absent.length} seen, ${failed.length} failed, ${absent.length} not tried`,
);
process.exitCode = failed.length > 0 ? 1 : absent.length === rows.length ? NOT_HERE : 0;

async function tried(name, client) {
  const own = [];
  const row = (what, result, why = '') => {
    own.push({ client: name, what, result, why });
    if (!values.json) console.log(`${name.padEnd(12)} ${result.padEnd(10)} ${what}${why && `: ${why}`}`);
  };
  const check = (what, holds, why) => row(what, holds ? 'seen' : 'failed', holds ? '' : why);
  const folder = bringFromNpm(name, client.npm);
  if (!folder) {
    row('the client itself', 'not tried', `${client.npm[0]} can't be had`);
    return own;
  }
  await withPlace(name, client, [{ tool: 'read_context' }, propose, confirm, { text: 'Done.' }], async (place) => {
    const said = await run(client.program(folder), client.args, place);
    const turns = place.model.main();
    const first = turns[0] ?? { tools: [], body: '' };
    const ours = first.tools.filter((tool) =>
      /bearings|read_context|_update|proposal|_session|log_|load_context|full_notes/.test(tool),
    );
    check('12 tools are listed', ours.length === 12, `${ours.length}; it said: ${said.slice(-300)}`);
    if (client.hasHook)
      check('context at the start, before any call', first.body.includes(MARK), 'the first request lacks it');
    else row('context at the start, before any call', 'not tried', 'install writes no hook for it');
    check('read_context answers', turns[1]?.body.includes(MARK) ?? false, 'the second request lacks it');
    check('a proposal waits', turns[2]?.body.includes('proposal_id') ?? false, 'the third request lacks it');
    check('where it can’t ask, nothing is decided', !place.bearings('notes').includes(NOTE), 'the note was written');
    check('and it still waits for the person', place.bearings('proposals').includes('The parser'), 'it is gone');
  });
  if (client.subagent)
    await withPlace(
      name,
      client,
      [client.subagent, { text: 'A part is mended.' }, { text: 'Done.' }],
      async (place) => {
        await run(client.program(folder), client.args, place);
        const [asked] = place.model
          .main()
          .filter(({ body }) => body.includes('Mend a part.') && !body.includes('tool_use'));
        check('a sub-agent has the same context', asked?.body.includes(MARK) ?? false, 'its first request lacks it');
      },
    );
  if (!client.terminal) row('its own dialog', 'not tried', 'only without a terminal so far');
  else if (!bringTmux()) row('its own dialog', 'not tried', 'needs tmux');
  else await client.terminal(client, folder, check);
  return own;
}

// Its dialog in a terminal: accept, decline, and the context after compaction.
async function claudeTerminal(client, folder, check) {
  for (const [answer, keys, isWritten] of [
    ['accept', [['Down', /❯ Accept/], ['Enter']], true],
    ['decline', [['Down', /❯ Accept/], ['Right', /❯ Decline/], ['Enter']], false],
  ]) {
    const script = [propose, confirm, { text: 'Done with it.' }];
    await withPlace('claude-code', client, script, async (place) => {
      const terminal = await openTerminal(client.program(folder), ['--allowedTools', 'mcp__bearings'], place);
      try {
        await terminal.type('Mend the parser.', () => place.model.main().length > 0);
        const dialog = await terminal.until(/Bearings asks/);
        check(
          `${answer}: the question names the note, the target and who asks`,
          [NOTE, 'notes.md', 'claude-code'].every((word) => dialog.includes(word)),
          dialog,
        );
        check(
          `${answer}: one question, not two, once its tools are allowed`,
          !terminal.seen(/Do you want to proceed/),
          'the client asked about the tool first',
        );
        for (const [key, shows] of keys) {
          terminal.press(key);
          if (shows) await terminal.until(shows);
        }
        await terminal.until(/Done with it/);
        check(
          `${answer}: the note is ${isWritten ? 'there' : 'not there'}`,
          place.bearings('notes').includes(NOTE) === isWritten,
          place.bearings('notes'),
        );
        if (isWritten) {
          const before = place.model.requests.length;
          terminal.command('/compact');
          await terminal.until(/ompacted/);
          await terminal.type('Go on.', () => place.model.main().some((_, at, all) => all[at].body.includes('Go on.')));
          const [after] = place.model.requests.slice(before).filter(({ body }) => body.includes('Go on.'));
          check(
            'after compaction the context is back, with the new note',
            [MARK, NOTE].every((word) => after?.body.includes(word)),
            'the request after it lacks it',
          );
        }
      } finally {
        terminal.close();
      }
    });
  }
}

async function withPlace(name, client, script, use) {
  const home = mkdtempSync(join(tmpdir(), 'bearings-client-'));
  const repo = join(home, 'repo');
  const model = await scriptedModel(script);
  const env = { PATH: withTools().PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
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
    bearings('install', name, '--scope', 'user', '--yes');
    await use({ home, repo, model, bearings, env: { ...env, ...client.variables(model) } });
  } finally {
    await model.close();
    await removed(home);
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

async function run(program, args, { repo, env }) {
  const isScript = program.includes('/.bin/');
  const [command, ...words] = isScript ? [process.execPath, program, ...args] : [program, ...args];
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

async function openTerminal(program, args, { home, repo, env }) {
  const socket = join(home, 'tmux');
  const tmux = (...words) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env, encoding: 'utf8' });
  tmux('new-session', '-d', '-x', '100', '-y', '45', '-c', repo, program, ...args);
  const shots = [];
  const shot = () => {
    shots.push(tmux('capture-pane', '-p'));
    return shots.at(-1);
  };
  const wait = async (holds, what) => {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((done) => setTimeout(done, 250))) {
      const found = holds(shot());
      if (found) return found;
    }
    throw new Error(`Waited for ${what}. On the screen:\n${shot()}`);
  };
  const terminal = {
    until: (pattern) => wait((text) => pattern.test(text) && text, pattern),
    seen: (pattern) => shots.some((text) => pattern.test(text)),
    press: (key) => tmux('send-keys', key),
    command: (text) => {
      tmux('send-keys', '-l', text);
      tmux('send-keys', 'Enter');
    },
    // The client takes a prompt before its servers are there, and then has no tools: it is asked again until it has.
    async type(text, isHeard) {
      await terminal.until(/\? for shortcuts|❯/);
      await wait(() => readdirSync(home).length > 0, 'the prompt');
      for (let tries = 0; tries < 10 && !isHeard(); tries++) {
        terminal.command(text);
        const end = Date.now() + 15_000;
        while (!isHeard() && Date.now() < end) await new Promise((done) => setTimeout(done, 250));
      }
    },
    close: () => tmux('kill-server'),
  };
  return terminal;
}
