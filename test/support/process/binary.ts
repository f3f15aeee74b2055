import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEachTest } from '../after-tests.ts';
import { canShare, runShared } from './command-runner.ts';
import { sharedStdio } from './server-runner.ts';

export const BINARY = fileURLToPath(new URL('../../../dist/bin/main.cjs', import.meta.url));
export const LIBRARY = fileURLToPath(new URL('../../../dist/index.js', import.meta.url));

const ONCE = fileURLToPath(new URL('crypto-once.cjs', import.meta.url));
const { BEARINGS_TEST_COMPILED: COMPILED } = process.env;
/** For Node, before the binary: with what other starts of this run have compiled, and no key made twice. */
export const STARTED = [...(COMPILED ? [COMPILED] : []), ONCE].flatMap((path) => ['--require', path]);

// Only what hangs waits so long: on a busy machine a command may take many seconds.
export const PATIENCE_MS = 120_000;

export interface Place {
  /** Stands for the person's `~`. */
  home: string;
  cwd?: string;
  /** What it reads from its standard input. */
  input?: string;
  variables?: Record<string, string>;
  /** Another build than the one under test. */
  binary?: string;
  /** On a terminal: as a person starts it, without what tests bring to each start. */
  asInstalled?: boolean;
}

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

// A bare environment: nothing of the machine that runs the tests gets in.
export function environment({ home, variables }: Place): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...variables };
}

/** As after `npm link`: the binary by its name, in a folder of the person's that is on the PATH. */
export function linked(place: Place): Place {
  const folder = join(place.home, 'bin');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'bearings'))) symlinkSync(BINARY, join(folder, 'bearings'));
  const PATH = [folder, place.variables?.PATH ?? process.env.PATH].join(delimiter);
  return { ...place, variables: { ...place.variables, PATH } };
}

/** One command line, to its end. Those of a test file share a process where nothing tells them apart from one of their own. */
export function bearings(place: Place, ...args: string[]): Result {
  const { binary = BINARY, input = '', cwd = place.home } = place;
  const env = environment(place);
  const shared = binary === BINARY ? runShared(BINARY, PATIENCE_MS, { args, cwd, env, input }) : null;
  if (shared) return shared;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...STARTED, binary, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    input,
    timeout: PATIENCE_MS,
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: status, stdout, stderr };
}

/** A line as a person types it, with `bearings` on the path: by bash, unless it holds nothing that a shell would read. */
export function typed(place: Place, line: string): Result {
  const [program, ...words] = line.split(' ');
  if (program === 'bearings' && /^[\w ./:=-]+$/.test(line)) return bearings(place, ...words.filter(Boolean));
  const path = `bearings() { ${[process.execPath, ...STARTED, BINARY].map((word) => `"${word}"`).join(' ')} "$@"; }`;
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', `${path}\n${line}`], {
    cwd: place.cwd ?? place.home,
    env: environment(place),
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  return { code: status, stdout, stderr };
}

// Under way, so that a test can end it or look at it meanwhile.
export function startBinary(args: readonly string[], options: { cwd: string; env: Record<string, string> }) {
  const child = spawn(process.execPath, [...STARTED, BINARY, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const ended = new Promise<Result>((done) => child.on('close', (code) => done({ code, stdout, stderr })));
  return { child, ended };
}

// On a terminal of its own (util-linux `script`), with a person who answers each question in turn.
export function onTerminal(
  place: Place,
  args: string[],
  answers: { after: string; type: string }[] = [],
): Promise<Result> {
  const line = [process.execPath, ...(place.asInstalled ? [] : STARTED), BINARY, ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: place.cwd ?? place.home,
    env: { ...environment(place), TERM: 'xterm', SHELL: '/bin/sh' },
  });
  const left = [...answers];
  let stdout = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    stdout += data;
    for (let [next] = left; next; [next] = left) {
      const at = stdout.indexOf(next.after, seen);
      if (at === -1) return;
      seen = at + next.after.length;
      left.shift();
      child.stdin.write(next.type);
    }
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout: stdout.replaceAll('\r\n', '\n'), stderr: '' });
    });
  });
}

// What stays on the screen: a line that was taken away again, as the one that says what is waited for, is not there.
export function onScreen(output: string): string {
  return output
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r\u001b[2K') + 1).replace('\u001b[2K', ''))
    .join('\n');
}

export const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
export const LEGACY: ClientOptions = {};

export interface Answer {
  isError: boolean;
  texts: string[];
  /** The answer as structure; of an error its first block, which is JSON. */
  value: Record<string, unknown>;
  structured: unknown;
}

export interface Agent {
  client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>;
}

/** `bearings mcp` for one client, in a process that ran other servers before it where nothing tells it from one of its own. */
export function stdioServer(place: Place, args: string[] = []): Transport {
  const env = environment(place);
  return canShare(env)
    ? sharedStdio(BINARY, { args: ['mcp', ...args], cwd: place.cwd ?? place.home, env })
    : ownStdioServer(place, args);
}

export function ownStdioServer(place: Place, args: string[] = []): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [...STARTED, BINARY, 'mcp', ...args],
    env: environment(place),
    cwd: place.cwd ?? place.home,
    stderr: 'ignore',
  });
}

const open: Client[] = [];
afterEachTest(async () => {
  for (const client of open.splice(0)) await client.close();
});

export async function agent(
  place: Place,
  options: { args?: string[]; client?: ClientOptions; roots?: string[] } = {},
): Promise<Agent> {
  const { args = [], roots } = options;
  const client = new Client(
    { name: 'test', version: '1' },
    { ...options.client, ...(roots ? { capabilities: { roots: {} } } : {}) },
  );
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }));
  await client.connect(stdioServer(place, args));
  open.push(client);
  return {
    client,
    async call(tool, input = {}) {
      const result = await client.callTool({ name: tool, arguments: input }, { timeout: PATIENCE_MS });
      const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''));
      return {
        isError: result.isError === true,
        texts,
        value: (result.structuredContent as Record<string, unknown> | undefined) ?? parsed(texts[0] ?? ''),
        structured: result.structuredContent,
      };
    },
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
