import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { BINARY, bearings, environment, STARTED } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const home = join(root, 'home');
const dir = join(root, 'project');
const EXAMPLES = fileURLToPath(new URL('../../examples/adapters/', import.meta.url));

// An MCP server that goes wrong in one way.
const SERVER = `
const { createInterface } = require('node:readline');
const mode = process.argv[2];
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
if (mode === 'ends') process.exit(0);
if (mode === 'noise') process.stdout.write('no json\\n{}\\n[]\\n\\n');
if (mode === 'bytes') process.stdout.write(Buffer.from([0x7b, 0xff, 0x7d, 0x0a]));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    if (mode === 'silent') return;
    if (mode === 'modern') return say({ id, error: { code: -32601, message: 'no such method' } });
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  }
  if (method === 'server/discover') say({ id, result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' }, resultType: 'complete', ttlMs: 0, cacheScope: 'private' } });
  if (method !== 'tools/call') return;
  const text = (value) => say({ id, result: { resultType: 'complete', content: [{ type: 'text', text: value }] } });
  if (mode === 'dies') { process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"resu'); setTimeout(() => process.exit(1), 20); }
  if (mode === 'late') setTimeout(() => text('[]'), 60000);
  if (mode === 'infinite') process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"structuredContent":{"items":[{"id":1e999}]},"content":[]}}\\n');
  if (mode === 'endless') setInterval(() => process.stdout.write('x'.repeat(1 << 20)), 1);
  if (mode === 'error') say({ id, result: { isError: true, content: [{ type: 'text', text: 'no' }] } });
  if (mode === 'refuses') say({ id, error: { code: -32000, message: 'no' } });
  if (mode === 'empty') say({ id, result: { content: [] } });
  if (mode === 'shape') text('{"items":7}');
  if (mode === 'noise' || mode === 'bytes' || mode === 'fine' || mode === 'modern') text('[{"id":"S-1","state":"ready"}]');
});
`;

const LIMIT = 700;
// What does answer may take so long on a machine that does much else.
const PATIENT = 30_000;
const command = (...words: string[]) => ({ kind: 'command', command: words, timeout_ms: PATIENT });
const shell = (script: string) => command('sh', '-c', script);
const server = (mode: string) => ({
  kind: 'mcp',
  command: [process.execPath, join(root, 'server.cjs'), mode],
  tool: 't',
  timeout_ms: PATIENT,
});
const slow = (adapter: object) => ({ ...adapter, timeout_ms: LIMIT });

const DEGRADED: Record<string, [object, RegExp]> = {
  stalls: [slow(shell('sleep 4711')), /did not answer within 700 ms/],
  'stalls-with-children': [slow(shell('sleep 4711 & sleep 4711 & wait')), /did not answer/],
  'stalls-in-new-session': [slow(shell('setsid sleep 4711; sleep 4711')), /did not answer/],
  'waits-for-a-fifo': [slow(command('cat', join(root, 'fifo'))), /did not answer/],
  'ignores-signals': [slow(shell('trap "" TERM INT HUP; while :; do sleep 4711; done')), /did not answer/],
  gigabyte: [shell('yes 4711 | head -c 1000000000'), /more than 8388608 bytes/],
  'a-little-too-much': [{ ...shell('head -c 1001 /dev/zero'), max_bytes: 1000 }, /more than 1000 bytes/],
  'bad-utf8': [shell(String.raw`printf '[{"id":"\377"}]'`), /not UTF-8/],
  infinite: [shell(`echo '[{"id":"a","priority":1e999}]'`), /a number that is too large/],
  nan: [shell(`echo '[{"id":"a","priority":NaN}]'`), /no JSON/],
  'half-json': [shell(`printf '[{"id":'`), /no JSON/],
  nothing: [shell('true'), /returned nothing/],
  'fails-late': [shell(`echo '[]'; exit 3`), /code 3/],
  'killed-itself': [shell('kill -9 $$'), /by a signal/],
  'not-there': [command(join(root, 'none/program')), /is not there/],
  'no-list': [shell(`echo '{"a":1}'`), /no list of items/],
  deep: [
    command(process.execPath, '-e', `process.stdout.write('['.repeat(1e5)+']'.repeat(1e5))`),
    /nested deeper|no JSON/,
  ],
  'server-dies': [server('dies'), /ended before it answered/],
  'server-late': [{ ...server('late'), timeout_ms: 2500 }, /did not answer/],
  'server-silent': [slow(server('silent')), /did not answer/],
  'server-ends': [server('ends'), /ended before it answered/],
  'server-infinite': [
    { ...server('infinite'), timeout_ms: 2500 },
    /a number that is too large|valid answer|did not answer/,
  ],
  'server-endless': [{ ...server('endless'), timeout_ms: 2500 }, /more than 8388608 bytes|did not answer/],
  'server-error': [server('error'), /reported an error/],
  'server-refuses': [server('refuses'), /no valid answer/],
  'server-empty': [server('empty'), /returned nothing/],
  'server-shape': [server('shape'), /no list of items/],
  'server-not-there': [{ ...server('x'), command: [join(root, 'none/server')] }, /is not there/],
};
const LOADED: Record<string, object> = {
  fine: shell(`echo '[{"id":1,"title":"t","state":"ready"}]'`),
  // What it leaves behind neither holds up the answer nor lives on.
  'leaves-child': shell(`sleep 4711 & setsid sleep 4711 & echo '[{"id":2}]'`),
  'reads-input': shell(`cat; echo '[{"id":3}]'`),
  'server-fine': server('fine'),
  'server-modern': server('modern'),
  'server-noise': server('noise'),
  'server-bytes': server('bytes'),
};

const all = { ...Object.fromEntries(Object.entries(DEGRADED).map(([name, [config]]) => [name, config])), ...LOADED };
// A hand-kept file may hold 20; the limit is per file, so each group has a home of its own.
function homeWith(adapters: Record<string, object>): string {
  const folder = join(home, Object.keys(adapters).join('-').slice(0, 60));
  const list = Object.entries(adapters).map(([name, config]) => ({ name, anywhere: true, ...config }));
  put(folder, { '.bearings/adapters.yaml': JSON.stringify({ adapters: list }) });
  return folder;
}
put(root, { 'server.cjs': SERVER });
put(dir, { 'AGENTS.md': 'rules' });
spawnSync('mkfifo', [join(root, 'fifo')]);

/** What was killed may take a moment to be gone; what was not stays for longer than anyone waits here. */
async function nothingLeft(): Promise<void> {
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 20_000, interval: 20 });
}

// Ours alone: each test process has a folder of its own, and every program above names it or runs below one that does.
function left(): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}`);
        return isOurs && !line.includes('dist/bin/main.cjs') ? [line] : [];
      } catch {
        return [];
      }
    });
}
const linux = existsSync('/proc/self/environ');

describe('adapters that go wrong', () => {
  const degraded = Object.keys(DEGRADED);
  it.each(degraded)('L18 %s: exit 0, degraded with a reason, a warning, the other slices', async (name) => {
    const [config, reason] = DEGRADED[name] as [object, RegExp];
    const { code, stdout, stderr } = bearings(
      { home: homeWith({ [name]: config }), cwd: dir },
      'load',
      '--adapter',
      name,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const bundle = JSON.parse(stdout);
    expect(bundle.adapters).toMatchObject([{ id: name, status: 'degraded', reason: expect.stringMatching(reason) }]);
    expect(bundle.fallback.degraded).toEqual([{ adapter: name, reason: bundle.adapters[0].reason }]);
    expect(bundle.warnings.join()).toContain(`adapter ${name} is left out`);
    expect(bundle.files.map(({ path }: { path: string }) => path)).toEqual(['AGENTS.md']);
    expect(stdout).not.toContain(root);
    if (linux) await nothingLeft();
  });

  it.each(Object.keys(LOADED))('L18 %s: loaded, and nothing is left behind', async (name) => {
    const place = { home: homeWith({ [name]: LOADED[name] as object }), cwd: dir };
    const { code, stdout } = bearings(place, 'load', '--adapter', name);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).adapters).toMatchObject([{ id: name, status: 'loaded', items: 1, selected: 1 }]);
    if (linux) await nothingLeft();
  });

  it('L18 side by side: one that stalls holds up no other', async () => {
    const mark = join(root, 'stalls.pid');
    const meeting = {
      ...all,
      stalls: { ...shell(`echo $$ > '${mark}'; sleep 4711`), timeout_ms: 5_000 },
      // Answers only where the other one stalls at the same time.
      fine: {
        ...shell(`until [ -s '${mark}' ]; do sleep 0.05; done; kill -0 $(cat '${mark}') && echo '[{"id":1}]'`),
        timeout_ms: 30_000,
      },
    } as Record<string, object>;
    const names = ['stalls', 'stalls-with-children', 'waits-for-a-fifo', 'gigabyte', 'fine', 'bad-utf8'];
    const folder = homeWith(Object.fromEntries(names.map((name) => [name, meeting[name] as object])));
    const library = openRooms({
      cwd: dir,
      variables: { ...environment({ home: folder }), BEARINGS_CACHE: join(root, 'c') },
    });
    const bundle = await (await library.loader()).loadContext({ adapters: names });
    expect(bundle.adapters.map(({ id, status }) => [id, status])).toEqual(
      [...names].sort().map((name) => [name, name === 'fine' ? 'loaded' : 'degraded']),
    );
    if (linux) await nothingLeft();
  });

  it.runIf(linux)('L18 told to end in the middle, it takes everything with it', async () => {
    const folder = homeWith({ stall: { ...shell('setsid sleep 4711 & sleep 4711'), timeout_ms: 30_000 } });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const child = spawn(process.execPath, [...STARTED, BINARY, 'load', '--adapter', 'stall'], {
        ...{ cwd: dir, env: environment({ home: folder }), stdio: 'ignore' },
      });
      while (left().length < 2) await sleep(50);
      child.kill(signal);
      expect(await new Promise((resolve) => child.on('exit', (_, by) => resolve(by)))).toBe(signal);
      await nothingLeft();
    }
  });

  it.runIf(linux)('L18 a signal that comes while a program is being started takes it with us too', async () => {
    const folder = homeWith({ first: { ...shell('kill -TERM $PPID; sleep 4711'), timeout_ms: 30_000 } });
    for (let n = 0; n < 5; n += 1) {
      const child = spawn(process.execPath, [...STARTED, BINARY, 'load', '--adapter', 'first'], {
        ...{ cwd: dir, env: environment({ home: folder }), stdio: 'ignore' },
      });
      expect(await new Promise((resolve) => child.on('exit', (_, by) => resolve(by)))).toBe('SIGTERM');
      await nothingLeft();
    }
  });

  it('L21 a program sees the usual variables and those it is named, and no program of the project by its bare name', () => {
    put(dir, { 'bin/tool': '#!/bin/sh\necho "[{\\"id\\":\\"hijacked\\"}]"\n' });
    spawnSync('chmod', ['+x', join(dir, 'bin/tool')]);
    const folder = homeWith({
      env: { ...shell(`printf '[{"id":"x","title":"%s/%s"}]' "$GIVEN" "$SECRET_ONE"`), env: ['GIVEN'] },
      tool: command('tool'),
    });
    const variables = { GIVEN: 'given', SECRET_ONE: 'hidden', PATH: `${dir}/bin::.:bin:${process.env.PATH}` };
    const { stdout } = bearings({ home: folder, cwd: dir, variables }, 'load', '--adapter', 'env', '--adapter', 'tool');
    expect(stdout).toContain('title: given/');
    expect(stdout).not.toContain('hidden');
    expect(JSON.parse(stdout).adapters).toMatchObject([{ id: 'env' }, { id: 'tool', status: 'degraded' }]);
  });

  it('L2 the home’s file is checked with line and column, and a broken one stops only who asks for an adapter', () => {
    const folder = join(home, 'broken');
    put(folder, { '.bearings/adapters.yaml': 'adapters:\n  - name: a\n    kind: command\n    comand: [x]\n' });
    const place = { home: folder, cwd: dir };
    expect(bearings(place, 'load').code).toBe(0);
    expect(bearings(place, 'load', '--adapter', 'a')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('adapters.yaml:4:5: there is no "comand" here'),
    });
    expect(bearings(place, 'config', 'check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('adapters.yaml:4:5'),
    });
  });
});

describe('the worked examples', () => {
  const load = async (adapter: object) => {
    const folder = homeWith({ work: { ...adapter, timeout_ms: 20_000 } });
    const library = openRooms({
      cwd: dir,
      variables: { ...environment({ home: folder }), BEARINGS_CACHE: join(root, 'c') },
    });
    const bundle = await (await library.loader()).loadContext({
      adapters: ['work'],
      now: '2026-11-15T12:00:00Z',
      max_files: 24,
    });
    const entries = bundle.files.filter(({ source_class }) => source_class === 'adapter');
    const items = entries.flatMap(({ provenance }) => (provenance.origin === 'adapter' ? provenance.items : []));
    return { report: bundle.adapters[0], entries, items };
  };

  it('L6 issues of a code host', async () => {
    const { report, entries, items } = await load({
      ...command('cat', join(EXAMPLES, 'code-host.json')),
      map: { id: 'number', summary: 'body', tags: 'labels.name', source_updated_at: 'updatedAt' },
      states: { open: 'ready', closed: 'omit' },
    });
    expect(report).toMatchObject({ items: 2, stale: false });
    expect(entries.map(({ path }) => path)).toEqual(['adapter/work']);
    expect(items.map(({ id }) => id)).toEqual(['7', '12']);
    expect(entries[0]?.excerpt).toContain('tag: build');
    expect(items[0]).toMatchObject({ age_seconds: 12_600, stale: false });
  });

  it('L6 L15 a work graph, with its own time', async () => {
    const { report, entries, items } = await load({
      ...command('cat', join(EXAMPLES, 'work-graph.json')),
      ...{ items: 'graph.nodes', fetched_at: 'generated', stale_after_hours: 2 },
      map: {
        id: 'key',
        title: 'name',
        summary: 'notes',
        state: 'status',
        tags: 'labels',
        source_updated_at: 'changed',
      },
      states: { open: 'ready', closed: 'omit' },
    });
    expect(report).toMatchObject({ items: 2, fetched_at: '2026-11-15T09:00:00Z', stale: true });
    expect(entries.map(({ selected_by }) => selected_by)).toEqual(['adapter:work:blocked']);
    expect(items.map(({ id, state }) => [id, state])).toEqual([
      ['bd-4', 'blocked'],
      ['bd-2', 'ready'],
    ]);
  });

  it.each([{ tool: 'list_work' }, { resource: 'work://open' }])('L6 an MCP server: %j', async (what) => {
    const { items } = await load({
      ...{ kind: 'mcp', command: [process.execPath, join(EXAMPLES, 'mcp-server.mjs')], ...what },
      ...{ items: 'work', map: { id: 'key', title: 'name' } },
    });
    expect(items.map(({ id }) => id)).toEqual(['B-1', 'B-2']);
  });

  it('L21 the file for the home is right', () => {
    const folder = join(home, 'example');
    put(folder, { '.bearings/adapters.yaml': readFileSync(join(EXAMPLES, 'adapters.yaml'), 'utf8') });
    expect(bearings({ home: folder, cwd: dir }, 'config', 'check').code).toBe(0);
  });
});
