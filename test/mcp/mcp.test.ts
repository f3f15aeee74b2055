import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertContextShape } from '../support/context-shape.ts';
import { agent, BINARY, environment, LEGACY, MODERN, type Place, STARTED } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
let count = 0;
let place: Place;
const at = (name: string) => join(place.home, name);
const rootUri = (name: string) => pathToFileURL(at(name)).href;
const points = (text: string) => [...text].length;

interface Served {
  tastes: { default: string; genres: Record<string, string>; conflicts: unknown[] };
  brief: { raw: string; intent: string; tastes: string[] };
  notes: { summary: string; truncated: boolean };
  recent_log: { op: string; details: Record<string, unknown> }[];
  recent_gaps: Record<string, unknown>[];
}
const served = (value: unknown) => value as Served;

beforeEach(() => {
  count += 1;
  place = { home: join(root, `person${count}`) };
  put(place.home, {
    '.bearings/tastes/_default.md': '- calm\n',
    '.bearings/workspaces/manta/brief.md': 'Tastes: 10, 2\n\nQuiet mood.\n',
    '.bearings/tastes/10.md': '- lift\n',
    '.bearings/tastes/2.md': '- lift\n',
    'repo/.bearings/workspace.json': '{"id":"repo-id"}',
    'repo/.bearings/brief.md': 'of repo',
    'root/.bearings/workspace.json': '{"id":"root-id"}',
    'root/.bearings/brief.md': 'of root',
  });
});

describe.each([
  ['2025', LEGACY],
  ['2026', MODERN],
])('an MCP client of %s', (_, client) => {
  it('M5 gets the exact shape, as text and as structure, and warnings beside it', async () => {
    put(place.home, { '.bearings/workspaces/manta/log.jsonl': 'broken\n{"op":"x","__proto__":{"a":1}}\n' });
    const { call } = await agent(place, { client });
    const { isError, texts, value, structured } = await call('read_context', { image_id: 'manta' });
    expect(isError).toBe(false);
    assertContextShape(value);
    assertContextShape(structured);
    expect(structured).toEqual(value);
    expect(texts[0]).toContain('"genres":{"10":"- lift\\n","2":"- lift\\n"}');
    expect(texts[0]).toContain('"details":{"__proto__":{"a":1}}');
    expect(texts).toHaveLength(3);
    expect(texts[1]).toBe(
      [
        'Warnings:',
        '- log.jsonl: 1 line holds no JSON object and is skipped.',
        '- 5 blocks unaccounted (1 in tastes/_default.md, 1 in tastes/10.md, 1 in tastes/2.md, 2 in brief.md): it was written by hand, and the person has not confirmed it. The person decides: bearings review',
      ].join('\n'),
    );
  });

  it('M1 gets a hand edit in the next call', async () => {
    const { call } = await agent(place, { client });
    const first = served((await call('read_context', { image_id: 'manta' })).value);
    put(place.home, { '.bearings/workspaces/manta/brief.md': 'Edited.', '.bearings/tastes/_default.md': 'Other.' });
    const second = served((await call('read_context', { image_id: 'manta' })).value);
    expect([first.brief.intent, second.brief.raw, second.tastes.default]).toEqual(['Quiet mood.', 'Edited.', 'Other.']);
  });

  it('M2 takes the id, then --workspace, then the client’s root, then the nearest .bearings', async () => {
    const repo = { ...place, cwd: at('repo') };
    const roots = [rootUri('root')];
    const rawOf = async (options: Parameters<typeof agent>[1], input = {}) =>
      served((await (await agent(repo, { client, ...options })).call('read_context', input)).value).brief.raw;
    expect(await rawOf({ roots }, { image_id: 'manta' })).toMatch(/Quiet mood/);
    // M39: a server for one workspace knows no other.
    const pinned = await agent(repo, { client, args: ['--workspace', 'repo-id'], roots });
    expect((await pinned.call('read_context', { image_id: 'manta' })).value).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await rawOf({ args: ['--workspace', 'manta'], roots })).toMatch(/Quiet mood/);
    expect(await rawOf({ roots })).toBe('of root');
    expect(await rawOf({ roots: [`${rootUri('root')}/`] })).toBe('of root');
    expect(await rawOf({})).toBe('of repo');
    expect(await rawOf({ roots: [] })).toBe('of repo');
    expect(await rawOf({ roots: ['https://example.org/x', 'file:///%00', 'nonsense'] })).toBe('of repo');
    expect(await rawOf({ roots: [rootUri('none')] })).toBe('of repo');
  });

  it('M2 never takes the home for a workspace', async () => {
    mkdirSync(at('sub'));
    const { call } = await agent({ ...place, cwd: at('sub') }, { client, roots: [rootUri('sub')] });
    const { isError, value } = await call('read_full_notes');
    expect(isError).toBe(true);
    expect(value).toMatchObject({ error: { code: 'not_found', known_ids: ['manta'] } });
    expect((await call('read_context')).texts.at(-1)).toBe('Workspace: none');
  });

  it('M13 M31 answers an unknown or wrong id with code, sentence and way out, and no path', async () => {
    const { call } = await agent(place, { client });
    const unknown = await call('read_context', { image_id: 'nobody' });
    expect(unknown).toMatchObject({
      isError: true,
      value: { error: { code: 'not_found', image_id: 'nobody', known_ids: ['manta'] } },
    });
    expect(unknown.texts[0]).toContain('bearings init nobody');
    for (const image_id of ['../manta', '..', '/etc', 'a\0b', '%2e%2e%2fmanta', '', 'x'.repeat(10_000)]) {
      for (const tool of ['read_context', 'read_full_notes']) {
        const answer = await call(tool, { image_id });
        expect(answer).toMatchObject({ isError: true, value: { error: { code: 'invalid_input' } } });
        expect(answer.texts.join()).not.toContain(root);
        expect(answer.texts.join().length).toBeLessThan(500);
      }
    }
  });

  it('M16 M36 gets long tastes, the brief, and log and gaps further back in windows too, and no taste that does not hold here', async () => {
    const record = (n: number) => JSON.stringify({ timestamp: `t${n}`, op: `op ${n}`, note: `step ${n}` });
    put(place.home, {
      '.bearings/tastes/_default.md': Array.from({ length: 3000 }, (_, i) => `- default ${i}`).join('\n'),
      '.bearings/tastes/sea.md': '- sea\n',
      '.bearings/tastes/land.md': '- land\n',
      '.bearings/workspaces/manta/brief.md': 'Tastes: sea\n\nA manta.\n',
      '.bearings/workspaces/manta/log.jsonl': `${Array.from({ length: 25 }, (_, i) => record(i)).join('\n')}\n`,
      '.bearings/workspaces/manta/vocabulary_gaps.jsonl': `${JSON.stringify({ description: 'no word for it' })}\n`,
    });
    const { call } = await agent(place, { client });
    const part = (input: object) => call('read_full_notes', { image_id: 'manta', ...input });
    const second = (await part({ file: '_default.md', offset: 2000 })).value;
    expect(second).toMatchObject({ offset: 2000, lines: 1000, total_lines: 3000, next_offset: null });
    expect(String(second.text).split('\n')[0]).toBe('- default 2000');
    const older = (await part({ file: 'log.jsonl', offset: 10, limit: 5 })).value;
    expect(older).toMatchObject({ offset: 10, lines: 5, total_lines: 25, next_offset: 15 });
    const [evidence, ...lines] = String(older.text).split('\n');
    expect(evidence).toMatch(/^Evidence: .* the person has not confirmed them\.$/);
    expect(lines.map((line) => JSON.parse(line).log.op)).toEqual(['op 14', 'op 13', 'op 12', 'op 11', 'op 10']);
    expect((await part({ file: 'log.jsonl', offset: 20 })).value).toMatchObject({ lines: 5, next_offset: null });
    expect((await part({ file: 'vocabulary_gaps.jsonl' })).texts[0]).toContain('no word for it');
    expect((await part({ file: 'sea.md' })).value).toMatchObject({ text: '- sea' });
    expect((await part({ file: 'brief.md', offset: 2 })).value).toMatchObject({ text: 'A manta.' });
    for (const file of ['land.md', '../../key.json', 'sessions/x.jsonl']) {
      const { isError, value } = await part({ file });
      expect([isError, value]).toMatchObject([true, { error: { code: 'not_found' } }]);
    }
  });

  it('M16 gets the notes in windows of at most 2,000 lines', async () => {
    const lines = Array.from({ length: 4500 }, (_, i) => `line ${i} with some more words`);
    put(place.home, { '.bearings/workspaces/manta/notes.md': lines.join('\r\n') });
    const { call } = await agent(place, { client });
    const got: string[] = [];
    for (let offset: unknown = 0; offset !== null; ) {
      const { value, texts, structured } = await call('read_full_notes', { image_id: 'manta', offset, limit: 9999 });
      expect(Object.keys(value)).toEqual(['image_id', 'offset', 'lines', 'total_lines', 'text', 'next_offset']);
      expect(structured).toEqual(value);
      expect([texts.length, texts[1]]).toEqual([3, expect.stringContaining('1 block unaccounted (1 in notes.md)')]);
      expect(value.total_lines).toBe(4500);
      expect(value.lines as number).toBeLessThanOrEqual(2000);
      got.push(...(value.text as string).split('\n'));
      offset = value.next_offset;
    }
    expect(got).toEqual(lines);
    expect((await call('read_full_notes', { image_id: 'manta', offset: 4498, limit: 5 })).value).toMatchObject({
      lines: 2,
    });
    expect((await call('read_full_notes', { image_id: 'manta', offset: 9000 })).value).toMatchObject({
      lines: 0,
      text: '',
      next_offset: null,
    });
  });

  it('M31 refuses wrong arguments and unknown tools without a stack', async () => {
    const { client: connected } = await agent(place, { client });
    for (const [name, input] of [
      ['read_full_notes', { offset: -1 }],
      ['read_full_notes', { limit: 0 }],
      ['read_full_notes', { offset: 1.5 }],
      ['read_context', { image_id: 5 }],
      ['write_everything', {}],
    ] as const) {
      const answer = await connected.callTool({ name, arguments: input }).catch((error: Error) => error);
      const text = answer instanceof Error ? answer.message : JSON.stringify(answer);
      expect(answer instanceof Error || answer.isError).toBe(true);
      expect(text).not.toMatch(/ at .*:\d+:\d+|node_modules/);
      expect(text).not.toContain(root);
    }
  });
});

describe('a server that is told a workspace', () => {
  const started = (id: string, input = '') => {
    const args = [...STARTED, BINARY, 'mcp', '--workspace', id];
    return spawnSync(process.execPath, args, { cwd: place.home, env: environment(place), input, encoding: 'utf8' });
  };

  it.each([
    ['that is none of MCP', '{"jsonrpc":"2.0","of":1}\n'],
    ['of 11 MB', `{"of":"${'x'.repeat(11_000_000)}"}\n`],
  ])('M17 a message %s is told to the client’s log', (_, input) => {
    const { status, stdout, stderr } = started('manta', input);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^bearings: a message of the client is none of MCP, or longer than 10 MB: .*\n$/);
  });

  it('M13 says in one line at its start that there is none of that name, and serves all the same', () => {
    expect(started('manta')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const { status, stdout, stderr } = started('no\u202epe');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^bearings: there is no workspace "no[^\u202e]+pe" here: .* bearings workspaces\n$/);
  });
});

describe('what an agent gets', () => {
  it('M2 is there also for a client of 2025 that fails to tell its roots', async () => {
    const { client, call } = await agent({ ...place, cwd: at('repo') }, { client: LEGACY, roots: [] });
    client.setRequestHandler('roots/list', () => {
      throw new Error('no roots today');
    });
    expect(served((await call('read_context')).value).brief.raw).toBe('of repo');
  });

  it('M15 has at most 60,000 characters per text, never half a pair, with a marker and a warning', async () => {
    const long = `${'🐋'.repeat(99)}\n`.repeat(2000);
    put(place.home, {
      '.bearings/tastes/_default.md': long,
      '.bearings/workspaces/manta/brief.md': `Tastes: 10\n${long}`,
      '.bearings/workspaces/manta/notes.md': '🐋'.repeat(200_000),
      '.bearings/tastes/10.md': 'x'.repeat(10_000_000),
    });
    const { call } = await agent(place);
    const { value, texts } = await call('read_context', { image_id: 'manta' });
    assertContextShape(value);
    const { tastes, brief, notes } = served(value);
    for (const text of [tastes.default, tastes.genres['10'] ?? '', brief.raw, brief.intent, notes.summary]) {
      expect(points(text)).toBeLessThanOrEqual(60_000);
      expect(points(text)).toBeGreaterThan(50_000);
      expect(text).toMatch(/\.\.\. \[\d+ characters cut\] \.\.\./);
      expect(text).not.toMatch(/\p{Cs}/u);
    }
    // Of one line, but not the whole of it.
    expect(notes.truncated).toBe(true);
    for (const name of ['_default.md', '10.md', 'brief.md', 'notes.md'])
      expect(texts[1]).toContain(`- ${name} is long`);
  });

  it('M15 has at most 4,000 characters per record, whatever its build', async () => {
    const put4 = (records: unknown[]) => records.map((record) => JSON.stringify(record)).join('\n');
    const records = [
      { op: 'long', text: '🐋'.repeat(3_000_000) },
      { op: 'many', list: Array.from({ length: 50_000 }, (_, i) => i) },
      { op: 'keys', ...Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, i])) },
      { op: 'deep', deep: JSON.parse(`${'[1,'.repeat(150)}1${']'.repeat(150)}`) },
      { op: 'o'.repeat(9000), timestamp: 't'.repeat(9000) },
    ];
    const list = Array.from({ length: 9000 }, (_, i) => `word ${i}`);
    put(place.home, {
      '.bearings/workspaces/manta/log.jsonl': put4(records),
      '.bearings/workspaces/manta/vocabulary_gaps.jsonl': put4([
        {
          description: 'd'.repeat(9000),
          operations_involved: list,
          vocabulary_used: list,
          workaround: 'w',
          notes: 'kept',
        },
      ]),
    });
    const { call } = await agent(place);
    const { value, texts, isError } = await call('read_context', { image_id: 'manta' });
    expect(isError).toBe(false);
    assertContextShape(value);
    const { recent_log, recent_gaps } = served(value);
    for (const record of [...recent_log, ...recent_gaps])
      expect(points(JSON.stringify(record))).toBeLessThanOrEqual(4_000);
    expect(recent_log.map(({ op }) => op).slice(1)).toEqual(['deep', 'keys', 'many', 'long']);
    expect(recent_gaps[0]).toMatchObject({ notes: 'kept', workaround: 'w' });
    expect(texts[1]).toMatch(/a record of vocabulary_gaps\.jsonl is long/);
  });

  it('M15 never floods, also from thousands of genres, names and warnings', async () => {
    const names = Array.from({ length: 400 }, (_, i) => `genre${i}`);
    const missing = Array.from({ length: 3000 }, (_, i) => `missing${i}`);
    put(
      join(place.home, '.bearings/tastes'),
      Object.fromEntries(names.map((name) => [`${name}.md`, `- same\n${'x '.repeat(9000)}`])),
    );
    put(place.home, { '.bearings/workspaces/manta/brief.md': `Tastes: ${[...names, ...missing].join(', ')}` });
    const { call } = await agent(place);
    const { texts, value, isError } = await call('read_context', { image_id: 'manta' });
    expect(isError).toBe(false);
    assertContextShape(value);
    expect(texts[0]?.length).toBeLessThan(400_000);
    expect(texts[1]?.length).toBeLessThan(5_000);
    expect(texts[1]).toMatch(/and \d+ more$/);
  });

  it('M15 M16 cuts a line of 10 MB with a warning and goes on after it', async () => {
    put(place.home, { '.bearings/workspaces/manta/notes.md': `first\n${'🐋'.repeat(2_500_000)}\nlast\n` });
    const { call } = await agent(place);
    const first = await call('read_full_notes', { image_id: 'manta' });
    expect(first.value).toMatchObject({ text: 'first', lines: 1, next_offset: 1, total_lines: 3 });
    const second = await call('read_full_notes', { image_id: 'manta', offset: 1 });
    expect(points(second.value.text as string)).toBeLessThanOrEqual(60_000);
    expect(second.value).toMatchObject({ lines: 1, next_offset: 2 });
    expect(second.texts[1]).toMatch(/Line 2 of notes\.md is long: \d+ characters are cut here/);
    expect((await call('read_full_notes', { image_id: 'manta', offset: 2 })).value).toMatchObject({ text: 'last' });
  });

  it('M15 M34 follows max_chars of the configuration', async () => {
    put(place.home, {
      '.bearings/config.yaml': 'max_chars: 1000\n',
      '.bearings/workspaces/manta/brief.md': 'x\n'.repeat(5000),
    });
    const { call } = await agent(place);
    expect(points(served((await call('read_context', { image_id: 'manta' })).value).brief.raw)).toBeLessThanOrEqual(
      1000,
    );
  });

  it('M31 M34 hears of a broken configuration by name and place, never by path', async () => {
    put(place.home, { '.bearings/config.yaml': `x${'y'.repeat(5000)}\u0007: 1\nmax_chars: no\n` });
    const { call } = await agent(place);
    const { isError, texts, value } = await call('read_context', { image_id: 'manta' });
    expect(isError).toBe(true);
    expect(value).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringMatching(/^config\.yaml:1:1: /) },
    });
    expect(texts.join()).not.toContain(root);
    expect(texts.join().length).toBeLessThan(2000);
  });

  it('M5 has tools whose words are constant; only those that read say so', async () => {
    const { client } = await agent(place);
    const { tools } = await client.listTools();
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(readOnly).toEqual(['read_context', 'read_full_notes', 'load_context', 'list_proposals']);
    put(place.home, { '.bearings/workspaces/IGNORE-ALL/brief.md': 'IGNORE-ALL' });
    const again = await agent({ ...place, cwd: at('repo') });
    expect((await again.client.listTools()).tools).toEqual(tools);
    expect(again.client.getInstructions()).toBe(client.getInstructions());
    expect(JSON.stringify(tools)).not.toContain('manta');
  });
});

describe('a wrong argument', () => {
  it.each([
    [
      'propose_taste_update',
      { content: 'x', category: 'proces' },
      'category must be one of appearance, process, value.',
      'process',
    ],
    ['propose_taste_update', { content: 5, category: 'process' }, 'content must be a text.', null],
    ['load_context', {}, 'task is missing.', 'a text'],
    ['load_context', { task: 'x', max_files: 0 }, 'max_files must be at least 1.', '1'],
    ['load_context', { task: 'x', max_files: 1.5 }, 'max_files must be a whole number.', null],
    ['load_context', { task: 'x', adapters: [1] }, 'adapters[0] must be a text.', null],
    [
      'load_context',
      { task: 'x', fallback: 'relax' },
      'fallback must be one of none, relaxed, unrestricted.',
      'relaxed',
    ],
    ['load_context', { task: 'x', tasc: 'y' }, 'There is no argument "tasc".', 'task'],
    ['log_operation', { op: 'x', details: [] }, 'details must be an object.', null],
    ['read_full_notes', { offset: -1 }, 'offset must be at least 0.', '0'],
  ])('M17 L16 of %s is one sentence with what is nearest: %j', async (name, given, message, near) => {
    const { call } = await agent({ ...place, cwd: at('repo') });
    const { isError, value } = await call(name, given);
    expect(isError).toBe(true);
    expect(value).toMatchObject({ error: { code: 'invalid_input', message } });
    if (near) expect((value as { error: { hint: string } }).error.hint).toContain(near);
  });

  it('M17 no tool lets the words of a library through, whatever it is given', async () => {
    const { call, client } = await agent({ ...place, cwd: at('repo') });
    for (const { name, inputSchema } of (await client.listTools()).tools)
      for (const argument of Object.keys(inputSchema.properties ?? {})) {
        const { isError, texts } = await call(name, { [argument]: { wrong: [] } });
        expect({ name, argument, isError }).toEqual({ name, argument, isError: argument !== 'details' || isError });
        expect(texts.join(), `${name} ${argument}`).not.toMatch(/Invalid|expected|received|validation/);
      }
  });
});
