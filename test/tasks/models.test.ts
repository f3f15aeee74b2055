import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { PATIENCE_MS, type Result } from '../support/process/binary.ts';
import { meanwhile } from '../support/process/meanwhile.ts';
import { type Behaviour, type ModelServer, modelServer, type SeenCall } from '../support/tasks/model-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-models-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const KEY = 'sk-ant-1234567890-this-is-the-key-of-the-test-0987654321';
let count = 0;
let place = '';

beforeEach(() => {
  count += 1;
  place = join(folder, String(count));
  mkdirSync(join(place, 'home'), { recursive: true });
  mkdirSync(join(place, 'project'));
});

const PROVIDERS = ['anthropic', 'openai', 'openai-compatible'] as const;
type Provider = (typeof PROVIDERS)[number];

function configure(server: ModelServer, provider: Provider, more = ''): void {
  writeFileSync(
    join(place, 'home/config.yaml'),
    `models:\n  big:\n    provider: ${provider}\n    model: claude-sonnet-4-5\n    base_url: ${server.url}\n    key_variable: TEST_KEY\n${more}`,
  );
}

const ALONE =
  '<context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const put = (name: string, text: string) => writeFileSync(join(place, 'project', name), text);
const ask = (more = '') =>
  put('ask.xml', `<task type="atomic" model="big"><description>Say hello</description>${more}${ALONE}</task>`);

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: place,
  BEARINGS_HOME: join(place, 'home'),
  BEARINGS_CACHE: join(place, 'cache'),
  TEST_KEY: KEY,
  // What the libraries would look at by themselves must change nothing.
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/',
  OPENAI_BASE_URL: 'http://127.0.0.1:9/',
});

const bearings = (args: string[], variables: Record<string, string> = {}): Promise<Result> =>
  meanwhile({ home: place, cwd: join(place, 'project'), variables: { ...environment(), ...variables } }, ...args);

const runJson = async () => {
  const settings = openRooms({ cwd: join(place, 'project'), variables: environment() });
  const { task } = await (await settings.runs()).checkTask('ask.xml');
  if (!task) throw new Error('the template is wrong');
  // As a program gets it: what can't be seen in JSON is not there.
  return JSON.parse(JSON.stringify(await (await settings.runs()).startRun(task, { file: 'ask.xml' })));
};

const NOTED = 'Hello, wörld 🌍.\n<notes>It said hello.</notes>';
const serve = (...behaviours: Behaviour[]) =>
  modelServer((_, at) => behaviours[Math.min(at, behaviours.length) - 1] as Behaviour);

describe.each(PROVIDERS)('T21 %s over its own protocol', (provider) => {
  it('T10 streams an answer and takes the notes out of it', async () => {
    const server = await serve({ kind: 'answer', text: NOTED });
    configure(server, provider);
    ask();
    const { result } = await runJson();
    expect(result).toEqual({
      status: 'COMPLETE',
      content: 'Hello, wörld 🌍.',
      notes: { summary: 'It said hello.', model: 'big' },
    });
    expect(server.calls.length).toBe(1);
    const [call] = server.calls as [SeenCall];
    expect(call.body.stream).toBe(true);
    expect(call.body.model).toBe('claude-sonnet-4-5');
    expect(JSON.stringify(call.body)).toContain('Say hello');
    expect(call.headers[provider === 'anthropic' ? 'x-api-key' : 'authorization']).toContain(KEY);
    expect(call.headers['idempotency-key']).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}\/1#1$/);
    expect(call.body.max_tokens ?? call.body.max_output_tokens).toBe(8_000);
  });

  it('T2 JSON is asked for with its schema, and has notes too', async () => {
    const server = await serve({ kind: 'answer', text: '{"answer":["a","b"],"notes":"two of them"}' });
    configure(server, provider);
    ask('<output_format type="json" schema="string[]"/>');
    const { result } = await runJson();
    expect(result).toMatchObject({ status: 'COMPLETE', parsedContent: ['a', 'b'], notes: { summary: 'two of them' } });
    expect(JSON.stringify(server.calls[0]?.body)).toContain('"items":{"type":"string"}');
  });

  it('T15 an answer that is not valid JSON, or another one, is output_format_failure', async () => {
    for (const text of ['{"answer": [1', '{"answer":{"a":1},"notes":"n"}', 'sorry']) {
      const server = await serve({ kind: 'answer', text });
      configure(server, provider);
      ask('<output_format type="json" schema="string[]"/>');
      expect((await runJson()).result.notes.error.reason).toBe('output_format_failure');
      expect(server.calls.length).toBe(1);
    }
  });

  it('T14 an answer that the provider cuts at the limit is RESOURCE_EXHAUSTION', async () => {
    const server = await serve({ kind: 'answer', text: 'too long', finish: 'length' });
    configure(server, provider);
    ask();
    expect((await runJson()).result.notes.error).toMatchObject({
      type: 'RESOURCE_EXHAUSTION',
      resource: 'output',
      used: 11,
      limit: 8_000,
    });
  });

  it('T21 429 is waited for as long as retry-after says, then asked again', async () => {
    const server = await serve(
      { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
      { kind: 'answer', text: NOTED },
    );
    configure(server, provider);
    ask();
    expect((await runJson()).result.status).toBe('COMPLETE');
    const [first, second] = server.calls as [SeenCall, SeenCall];
    expect(second.at - first.at).toBeGreaterThanOrEqual(990);
    expect(second.headers['idempotency-key']).toBe(first.headers['idempotency-key']);
  });

  it('T21 a line that breaks, a stream that just ends and one that cannot be read are asked again', async () => {
    const server = await serve(
      { kind: 'cut', after: 'Half an ans' },
      { kind: 'ends early', after: 'Half an answ' },
      { kind: 'malformed' },
      { kind: 'answer', text: NOTED },
    );
    configure(server, provider);
    ask();
    const { result } = await runJson();
    expect(result).toMatchObject({ status: 'COMPLETE', content: 'Hello, wörld 🌍.' });
    expect(server.calls.length).toBe(4);
  });

  it('T21 T30 gives up on a bad key at once, on a failing server after five attempts, with what the provider said', async () => {
    const refused = await serve({ kind: 'status', status: 401, body: `{"error":{"message":"bad key ${KEY}"}}` });
    configure(refused, provider);
    ask();
    const { result } = await runJson();
    expect(result.notes.error).toMatchObject({
      reason: 'unexpected_error',
      message: 'The provider of "big" refused the key. It said: bad key [key]',
    });
    expect(refused.calls.length).toBe(1);
    expect(JSON.stringify(result)).not.toContain(KEY);
    // Whatever it says: one short line, without secrets.
    const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
    const message = `max_tokens is too large\n\u001b[2Jfor ${token} ${'and '.repeat(200)}`;
    const strict = await serve({ kind: 'status', status: 400, body: JSON.stringify({ error: { message } }) });
    configure(strict, provider);
    const told = (await runJson()).result.notes.error.message;
    expect(told).toMatch(/^The provider of "big" answered with an error \(400\)\. It said: max_tokens is too large /);
    expect(told).not.toContain(token);
    expect(told.length).toBeLessThan(500);
    const failing = await serve({ kind: 'status', status: 503, headers: { 'retry-after': '0.005' } });
    configure(failing, provider);
    expect((await runJson()).result.notes.error.message).toBe(
      'The provider of "big" answered with an error (503). It said: no',
    );
    expect(failing.calls.length).toBe(5);
  });

  it('T15 silence is execution_timeout', async () => {
    const server = await serve({ kind: 'silence' });
    configure(server, provider, '    timeout_seconds: 1\n');
    ask();
    const running = runJson();
    await vi.waitFor(() => expect(server.calls).toHaveLength(1), PATIENCE_MS);
    // Node 20's fetch then forgets its signal, and would wait for five minutes.
    for (let times = 0; times < 8; times += 1) {
      collectGarbage();
      await sleep(50);
    }
    const tooLong = sleep(PATIENCE_MS, 'never ended', { ref: false });
    expect(await Promise.race([running, tooLong])).toMatchObject({
      result: { notes: { error: { reason: 'execution_timeout' } } },
    });
  });
});

describe('T21 the key', () => {
  it('T21 is in no file, no output and no error, whatever the server says', async () => {
    const servers: Behaviour[] = [
      { kind: 'answer', text: `You sent ${KEY} to me. <notes>${KEY}</notes>` },
      { kind: 'status', status: 400, body: `{"error":{"message":"${KEY}"}}` },
      { kind: 'status', status: 401, body: KEY, headers: { 'x-key': KEY } },
      { kind: 'not a stream', body: `{"error": "${KEY}"}` },
      { kind: 'redirect', to: `http://127.0.0.1:1/${KEY}` },
    ];
    let said = '';
    for (const provider of PROVIDERS)
      for (const behaviour of servers) {
        const server = await modelServer((_, at) =>
          at === 1 ? behaviour : { kind: 'status', status: 400, body: KEY },
        );
        configure(server, provider);
        ask();
        const shape = [['--json'], ['--events'], []][said.length % 3] as string[];
        const { stdout, stderr } = await bearings(['run', 'ask.xml', ...shape], { BEARINGS_DEBUG: '1' });
        said += stdout + stderr;
      }
    expect(said).toContain('[key]');
    expect(said).not.toContain(KEY);
    const { stdout } = await bearings(['runs', 'show', 'last', '--json']);
    expect(stdout).not.toContain(KEY);
    const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(30);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(KEY), name).toBe(false);
  });

  it('T21 a server that is not there is said so by its address', async () => {
    configure({ url: 'http://127.0.0.1:9/v1' } as ModelServer, 'openai-compatible');
    ask();
    expect((await runJson()).result.notes.error).toMatchObject({
      message: 'The provider of "big" can\'t be reached at http://127.0.0.1:9/v1.',
    });
  });

  it('T21 follows no redirect: the key goes to the named address alone', async () => {
    const other = await serve({ kind: 'answer', text: NOTED });
    const server = await serve({ kind: 'redirect', to: `${other.url}/messages` });
    configure(server, 'anthropic', '    timeout_seconds: 20\n');
    ask();
    expect((await runJson()).result.status).toBe('FAILED');
    expect(other.calls).toEqual([]);
  });

  it('T21 a variable that is not set is said by its name, and nothing is sent', async () => {
    const server = await serve({ kind: 'answer', text: NOTED });
    configure(server, 'openai');
    ask();
    const { code, stderr } = await bearings(['run', 'ask.xml'], { TEST_KEY: '' });
    expect([code, server.calls.length]).toEqual([1, 0]);
    expect(stderr).toContain('needs its key in the variable TEST_KEY');
  });
});

describe('L21 M34 where models are', () => {
  it('L21 no project can name a model, an address or a key', async () => {
    const server = await serve({ kind: 'answer', text: NOTED });
    ask();
    mkdirSync(join(place, 'project/.bearings'));
    writeFileSync(
      join(place, 'project/.bearings/config.yaml'),
      `models:\n  big:\n    provider: openai-compatible\n    model: m\n    base_url: ${server.url}\n    key_variable: TEST_KEY\n`,
    );
    const { code, stderr } = await bearings(['run', 'ask.xml']);
    // The file is ignored as a whole, so the model does not exist.
    expect([code, server.calls.length]).toEqual([1, 0]);
    expect(stderr).toContain(`"models" may only be set in the home's config.yaml`);
  });

  it('M34 a mistake is named with its place; a key in the file is never repeated', async () => {
    ask();
    writeFileSync(
      join(place, 'home/config.yaml'),
      `models:\n  big:\n    provider: openai\n    model: m\n    key_variable: ${KEY}\n`,
    );
    const { code, stderr } = await bearings(['run', 'ask.xml']);
    expect(code).toBe(2);
    expect(stderr).toContain('config.yaml:5:19: models: key_variable is not the name of a variable');
    expect(stderr).not.toContain(KEY);
  });

  it('T14 an endless answer is ended', async () => {
    const server = await serve({ kind: 'endless' });
    configure(server, 'openai-compatible');
    ask();
    expect((await runJson()).result.notes.error).toMatchObject({ type: 'RESOURCE_EXHAUSTION', resource: 'output' });
  });

  it('T21 a server without a key is asked without one', async () => {
    const server = await serve({ kind: 'answer', text: NOTED });
    writeFileSync(
      join(place, 'home/config.yaml'),
      `models:\n  big: { provider: openai-compatible, model: llama3, base_url: "${server.url}" }\n`,
    );
    ask();
    expect((await runJson()).result.status).toBe('COMPLETE');
    expect(server.calls[0]?.headers.authorization).toBeUndefined();
  });
});
