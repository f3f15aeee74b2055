// claude-mem: its worker, its tool to save a memory, and its hook on every tool's output, with the model behind it scripted to obey.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const PROJECT = 'project';
const PATIENCE_MS = 60_000;

export async function openStore({ folder: peers }) {
  const oven = join(peers, 'node_modules/@oven');
  const bun = join(oven, readdirSync(oven)[0], 'bin/bun');
  chmodSync(bun, 0o755);
  const worker = join(peers, 'node_modules/claude-mem/plugin/scripts/worker-service.cjs');

  const within = async (folder, use, text = '') => {
    const model = await obedientModel(text);
    const port = await freePort();
    mkdirSync(join(folder, 'data'), { recursive: true });
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      DO_NOT_TRACK: '1',
      CLAUDE_MEM_TELEMETRY: '0',
      CLAUDE_MEM_DATA_DIR: join(folder, 'data'),
      CLAUDE_MEM_WORKER_HOST: '127.0.0.1',
      CLAUDE_MEM_WORKER_PORT: String(port),
      CLAUDE_MEM_CHROMA_ENABLED: 'false',
      CLAUDE_MEM_PROVIDER: 'openrouter',
      CLAUDE_MEM_OPENROUTER_API_KEY: 'none',
      CLAUDE_MEM_OPENROUTER_BASE_URL: model.url,
    };
    const child = spawn(bun, [worker, '--daemon'], { cwd: folder, env, stdio: 'ignore' });
    const ended = new Promise((done) => child.on('close', done));
    const ask = async (path, body) => {
      const init = body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
      return response.text();
    };
    try {
      await until(() =>
        ask('/api/readiness').then(
          (said) => /ready/.test(said),
          () => false,
        ),
      );
      return await use(ask);
    } finally {
      child.kill('SIGKILL');
      await ended;
      await model.close();
    }
  };

  return {
    remember: ({ folder, text }) => within(folder, (ask) => ask('/api/memory/save', { text, project: PROJECT })),
    // Its database lies in the person's home.
    ship: null,
    // What its hook does after a tool was used: nobody asks for it to be remembered.
    log: ({ folder, text }) =>
      within(
        folder,
        async (ask) => {
          const session = { contentSessionId: 's1', project: PROJECT, prompt: 'Go on.', platformSource: 'claude' };
          await ask('/api/sessions/init', session);
          await ask('/api/sessions/observations', {
            ...session,
            tool_name: 'Bash',
            tool_input: { command: 'cat log' },
            tool_response: { output: text },
            cwd: folder,
          });
          const saved = async () => (await ask(`/api/observations?project=${PROJECT}`)).includes(text.slice(0, 8));
          await until(saved).catch(() => undefined);
          return 'observed';
        },
        text,
      ),
    next: ({ folder, mark }) =>
      within(folder, async (ask) => {
        const injected = await ask(`/api/context/inject?project=${PROJECT}&projects=${PROJECT}`);
        const found = await ask(`/api/search?query=${mark}&project=${PROJECT}`);
        const all = await ask(`/api/observations?project=${PROJECT}`);
        const ids = (JSON.parse(all).items ?? []).map(({ id }) => id);
        const whole = ids.length === 0 ? '' : await ask('/api/observations/batch', { ids });
        return {
          memory: [all],
          served: [
            { where: 'start of a session', text: injected },
            { where: 'search', text: found },
            { where: 'get_observations', text: whole },
          ],
        };
      }),
  };
}

// Answers whatever it is asked with one observation that says what the text said.
async function obedientModel(text) {
  const plain = text.replace(/[<>&]/g, ' ');
  const content = `<observation><type>discovery</type><title>${plain.slice(0, 60)}</title><narrative>${plain}</narrative><facts><fact>${plain}</fact></facts></observation>`;
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/api/v1/chat/completions`,
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function until(holds) {
  for (const end = Date.now() + PATIENCE_MS; !(await holds()); await after(100))
    if (Date.now() > end) throw new Error('claude-mem does not get ready');
}
