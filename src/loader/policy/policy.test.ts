import { describe, expect, it } from 'vitest';
import type { LocatedNode } from '../../settings/tree-reader.ts';
import { readAdapterFile } from './adapter-definitions.ts';
import { extendPolicy, HELPER } from './extend-policy.ts';
import { cortexPolicy } from './policies/cortex.ts';
import { repoPolicy } from './policies/repo.ts';
import { readPolicy } from './policy.ts';

// A value as a parsed file: every key and every item on a line of its own.
function node(value: unknown, line = { at: 0 }): LocatedNode {
  line.at += 1;
  const place = { line: line.at, column: 1 };
  if (Array.isArray(value)) return { ...place, kind: 'list', items: value.map((item) => node(item, line)) };
  if (typeof value !== 'object' || value === null) return { ...place, kind: 'scalar', value };
  const entries = Object.entries(value).map(([key, item]) => ({
    key,
    line: line.at + 1,
    column: 3,
    value: node(item, line),
  }));
  return { ...place, kind: 'map', entries };
}
const problems = (value: unknown) => readPolicy(node(value)).problems.map(({ line, message }) => `${line} ${message}`);
const WHOLE = { control_plane: [{ path: 'A.md' }], intents: [{ key: 'default', include: ['*.md'] }] };
const long = (size: number) => 'x'.repeat(size);
const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);

describe('a policy file', () => {
  it('L2 fills in what a control-plane entry leaves out', () => {
    const { written, problems: found } = readPolicy(
      node({
        ...WHOLE,
        control_plane: [
          { path: 'a.json' },
          { path: 'b.md', required: true, json: true, health: ['status'] },
          { first: ['c.md'] },
          { first: ['c.md'], required: true },
          { newest: ['d/*.md'] },
          { newest: ['d/*.md'], count: 1, active: false, inactive_in: 'r.json' },
          { newest: ['d/*.md'], inactive_in: null },
        ],
      }),
    );
    expect(found).toEqual([]);
    expect(written.control_plane).toEqual([
      { path: 'a.json', required: false, json: true, health: [] },
      { path: 'b.md', required: true, json: true, health: ['status'] },
      { first: ['c.md'], required: false },
      { first: ['c.md'], required: true },
      { newest: ['d/*.md'], count: 3, active: true, inactive_in: null },
      { newest: ['d/*.md'], count: 1, active: false, inactive_in: 'r.json' },
      { newest: ['d/*.md'], count: 3, active: true, inactive_in: null },
    ]);
  });

  it('L2 L8 may say every section at its outermost', () => {
    const share = { files: 0, chars: 10_000_000 };
    expect(
      problems({
        ...WHOLE,
        ...{ version: 1, name: 'own', about: long(500), extends: 'cortex', exclude: times(200, '*.tmp'), tactical: [] },
        budget: { max_files: 1, max_chars_per_file: 10_000_000, max_total_chars: 1, max_tokens: null },
        partitions: {
          of: { files: 1, chars: 1 },
          control_plane: { ...share, min_files: 1 },
          tactical: share,
          adapter: share,
        },
        match: { include: times(200, '*.md'), history: 10_000 },
        intents: [
          { key: 'a', about: long(500), words: [long(60), '7', 'é'], include: times(200, '*.md') },
          { key: 'default', words: [], include: [] },
        ],
        control_plane: [
          { newest: times(50, '*.md'), count: 100 },
          { first: times(50, 'a.md') },
          { path: 'x', health: times(20, 'h') },
          ...times(47, { path: 'y' }),
        ],
      }),
    ).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    [
      'no map',
      'text',
      [
        '1 expected version, name, about, extends, control_plane, intents, match, exclude, tactical, adapters, budget, partitions, profiles',
      ],
    ],
    [
      'an unknown key',
      { ...WHOLE, extend: 'repo' },
      [
        '10 there is no "extend" here; known: version, name, about, extends, control_plane, intents, match, exclude, tactical, adapters, budget, partitions, profiles',
      ],
    ],
    [
      'a key of every object',
      { ...WHOLE, toString: 1 },
      [
        '10 there is no "toString" here; known: version, name, about, extends, control_plane, intents, match, exclude, tactical, adapters, budget, partitions, profiles',
      ],
    ],
    ['another version', { ...WHOLE, version: 2 }, ['10 must be 1']],
    ['a version in a list', { ...WHOLE, version: [1] }, ['10 must be 1']],
    [
      'a name with a slash',
      { ...WHOLE, name: 'a/b' },
      ['10 "a/b" must be a plain name of letters, digits, dots and dashes'],
    ],
    [
      'a name that starts with a dash',
      { ...WHOLE, name: '-a' },
      ['10 "-a" must be a plain name of letters, digits, dots and dashes'],
    ],
    [
      'a long name',
      { ...WHOLE, name: long(65) },
      [`10 "${long(65)}" must be a plain name of letters, digits, dots and dashes`],
    ],
    ['a long description', { ...WHOLE, about: long(501) }, [`10 "${long(79)}…" is longer than 500 characters`]],
    ['a description that is a number', { ...WHOLE, about: 5 }, ['10 must be a text']],
    ['an unknown base', { ...WHOLE, extends: 'other' }, ['10 must be repo or cortex']],
    ['a list that is none', { ...WHOLE, exclude: '*.md' }, ['10 must be a list']],
    ['too many exclusions', { ...WHOLE, exclude: times(201, '*') }, ['10 may have at most 200 entries']],
    ['a pattern that leaves', { ...WHOLE, exclude: ['../x'] }, ['11 "../x" must not leave the project with ".."']],
    ['an unknown source', { ...WHOLE, tactical: ['mail'] }, ['11 must be notes or log or gaps']],
    ['a limit of nothing', { ...WHOLE, budget: { max_files: 0 } }, ['11 must be a whole number from 1 to 10000000']],
    [
      'a limit beyond a machine',
      { ...WHOLE, budget: { max_files: 10_000_001 } },
      ['11 must be a whole number from 1 to 10000000'],
    ],
    ['half a file', { ...WHOLE, budget: { max_tokens: 1.5 } }, ['11 must be a whole number from 1 to 10000000']],
    [
      'a limit that is a text',
      { ...WHOLE, budget: { max_tokens: '5' } },
      ['11 must be a whole number from 1 to 10000000'],
    ],
    ['half a share', { ...WHOLE, partitions: { adapter: { files: 1 } } }, ['11 needs files and chars']],
    [
      'a least of a slice that has none',
      { ...WHOLE, partitions: { adapter: { files: 1, chars: 1, min_files: 1 } } },
      ['14 there is no "min_files" here; known: files, chars'],
    ],
    [
      'a least of nothing',
      { ...WHOLE, partitions: { control_plane: { files: 1, chars: 1, min_files: 0 } } },
      ['14 must be a whole number from 1 to 10000000'],
    ],
    ['the other half of a share', { ...WHOLE, partitions: { adapter: { chars: 1 } } }, ['11 needs files and chars']],
    [
      'a whole of no files',
      { ...WHOLE, partitions: { of: { files: 0, chars: 1 } } },
      ['11 needs files and chars from 1'],
    ],
    [
      'a whole of no characters',
      { ...WHOLE, partitions: { of: { files: 1, chars: 0 } } },
      ['11 needs files and chars from 1'],
    ],
    ['a match that is on', { ...WHOLE, match: true }, ['10 must be off, or say include and history']],
    ['a past of nothing', { ...WHOLE, match: { history: 0 } }, ['11 must be a whole number from 1 to 10000']],
    ['too much past', { ...WHOLE, match: { history: 10_001 } }, ['11 must be a whole number from 1 to 10000']],
    ['an entry of no kind', { ...WHOLE, control_plane: [{ required: true }] }, ['3 needs path, first or newest']],
    ['an empty choice', { ...WHOLE, control_plane: [{ first: [] }] }, ['4 must not be empty']],
    ['no newest', { ...WHOLE, control_plane: [{ newest: [] }] }, ['4 must not be empty']],
    ['a star in a path', { ...WHOLE, control_plane: [{ path: '*.md' }] }, ['4 "*.md" must be one path without * or ?']],
    ['required by word', { ...WHOLE, control_plane: [{ path: 'a', required: 'yes' }] }, ['5 must be true or false']],
    [
      'a count of nothing',
      { ...WHOLE, control_plane: [{ newest: ['a'], count: 0 }] },
      ['6 must be a whole number from 1 to 100'],
    ],
    [
      'a count of too many',
      { ...WHOLE, control_plane: [{ newest: ['a'], count: 101 }] },
      ['6 must be a whole number from 1 to 100'],
    ],
    ['an intent without patterns', { ...WHOLE, intents: [{ key: 'default' }] }, ['6 needs key and include']],
    ['an intent without a key', { ...WHOLE, intents: [{ include: [] }] }, ['6 needs key and include']],
    [
      'a word of punctuation',
      { ...WHOLE, intents: [{ key: 'a', words: ['--'], include: [] }] },
      ['9 "--" is not a word'],
    ],
    [
      'a word that is too long',
      { ...WHOLE, intents: [{ key: 'a', words: [long(61)], include: [] }] },
      [`9 "${long(61)}" is not a word`],
    ],
    [
      'hidden characters in what is wrong',
      { ...WHOLE, name: 'a\u202e\u0007' },
      ['10 "a\ufffd\ufffd" must be a plain name of letters, digits, dots and dashes'],
    ],
    [
      'no control plane',
      { intents: WHOLE.intents },
      ['1 needs control_plane, or `extends: repo` to take it from there'],
    ],
    ['a key twice', { ...WHOLE, intents: times(2, WHOLE.intents[0]) }, ['5 the same key appears twice in intents']],
    [
      'no default intent',
      { ...WHOLE, intents: [{ key: 'a', words: ['b'], include: [] }] },
      ['5 intents needs one with the key default'],
    ],
    [
      'a default intent with words',
      { ...WHOLE, intents: [{ key: 'default', words: ['b'], include: [] }] },
      ['5 the default intent has no words'],
    ],
    [
      'an intent without words',
      { ...WHOLE, intents: [...WHOLE.intents, { key: 'b', include: [] }] },
      ['5 the intent b needs words'],
    ],
    [
      'two adapters of one name',
      { ...WHOLE, adapters: times(2, { name: 'a', kind: 'file', path: 'a.json' }) },
      ['10 the same name appears twice in adapters'],
    ],
    [
      'two profiles of one name',
      { ...WHOLE, profiles: times(2, { name: 'a', about: 'short' }) },
      ['10 the same name appears twice in profiles'],
    ],
  ])('L2 %s is refused with its place', (_, value, said) => expect(problems(value)).toEqual(said));

  it.each(['off', false, null])('L7 match %j is off', (off) =>
    expect(readPolicy(node({ ...WHOLE, match: off })).written.match).toBeNull(),
  );

  it('L7 history can be off by itself, and what is not said is taken from the base', () => {
    const match = (value: object) => extendPolicy(readPolicy(node({ extends: 'repo', ...value })).written).match;
    expect(match({ match: { history: 'off' } })).toEqual({ ...repoPolicy.match, history: null });
    expect(match({ match: { include: ['a.md'] } })).toEqual({ ...repoPolicy.match, include: ['a.md'] });
    expect(match({ match: 'off' })).toBeNull();
    expect(match({})).toEqual(repoPolicy.match);
    const own = extendPolicy(readPolicy(node({ ...WHOLE, match: {} })).written);
    expect(own.match).toEqual({ include: [], history: null });
  });

  it('L2 without a base it is called project and has the default budget, tactical sources and no adapters', () => {
    const policy = extendPolicy(readPolicy(node(WHOLE)).written);
    expect(policy).toMatchObject({
      name: 'project',
      about: '',
      match: null,
      exclude: [],
      tactical: ['notes', 'log', 'gaps'],
      adapters: [],
    });
    expect(policy.budget).toEqual({
      max_files: 12,
      max_chars_per_file: 2_500,
      max_total_chars: 30_000,
      max_tokens: null,
    });
    expect(policy.partitions).toEqual({
      of: { files: 12, chars: 30_000 },
      control_plane: { files: 7, chars: 12_000 },
      tactical: { files: 1, chars: 3_000 },
      adapter: { files: 1, chars: 3_000 },
    });
  });

  it('L2 a base gives what is not written; exclusions add up, sections replace', () => {
    const { written } = readPolicy(
      node({
        extends: 'cortex',
        about: 'mine',
        tactical: ['log', 'log'],
        exclude: ['x'],
        budget: { max_files: 3 },
        adapters: [],
      }),
    );
    expect(extendPolicy(written)).toEqual({
      ...cortexPolicy,
      ...{ name: 'project', about: 'mine', tactical: ['log'], exclude: [...cortexPolicy.exclude, 'x'] },
      budget: { ...cortexPolicy.budget, max_files: 3 },
      profiles: [HELPER],
    });
  });
});

describe('definitions of adapters', () => {
  const read = (...adapters: unknown[]) => {
    const { adapters: found, problems: wrong } = readAdapterFile(node({ adapters }));
    return wrong.length > 0 ? wrong.map(({ message }) => message) : found;
  };
  const FILE = { name: 'a', kind: 'file', path: 'a.json' };
  const COMMAND = { name: 'a', kind: 'command', command: ['git', 'log'] };

  it('L6 L18 what is not written has its default: a week, two seconds, eight megabytes', () => {
    expect(read(FILE)).toEqual([{ ...FILE, stale_after_hours: 168 }]);
    const program = { timeout_ms: 2_000, max_bytes: 8 * 1024 * 1024, stale_after_hours: 168 };
    expect(read(COMMAND)).toEqual([{ ...COMMAND, ...program }]);
    const mcp = { name: 'm', kind: 'mcp', command: ['s'], tool: 't', arguments: { a: [1, { b: null }] } };
    expect(read(mcp)).toEqual([{ ...mcp, ...program }]);
    const resource = { name: 'm', kind: 'mcp', command: ['s'], resource: 'r://x' };
    expect(read(resource)).toEqual([{ ...resource, ...program }]);
  });

  it('L6 what is written is kept, states in small letters', () => {
    const written = { items: 'data.list', map: { id: 'key.name' }, fetched_at: 'at', stale_after_hours: 1_000_000 };
    expect(read({ ...FILE, ...written, states: { ' Open ': 'ready', closed: 'omit' } })).toEqual([
      { ...FILE, ...written, states: { open: 'ready', closed: 'omit' } },
    ]);
    const program = { env: ['A_1', '_b'], timeout_ms: 30_000, max_bytes: 256 * 1024 * 1024, stale_after_hours: 1 };
    expect(read({ ...COMMAND, ...program })).toEqual([{ ...COMMAND, ...program }]);
  });

  it('L6 an empty file has none', () => expect(readAdapterFile(node(null))).toEqual({ adapters: [], problems: [] }));

  it.each<[string, unknown, string]>([
    ['no name', { kind: 'file', path: 'a' }, 'needs name and kind'],
    ['no kind', { name: 'a' }, 'needs name and kind'],
    ['an unknown kind', { name: 'a', kind: 'web' }, 'must be file or command or mcp'],
    ['a file without a path', { name: 'a', kind: 'file' }, 'needs name, kind and path'],
    ['a file with a command', { ...FILE, command: ['x'] }, 'command has no meaning for the kind file'],
    ['a command with a path', { ...COMMAND, path: 'a' }, 'path has no meaning for the kind command'],
    ['a command with a tool', { ...COMMAND, tool: 't' }, 'tool has no meaning for the kind command'],
    ['no program', { name: 'a', kind: 'command' }, 'needs command: the program and its arguments as a list'],
    ['an empty program', { ...COMMAND, command: [''] }, 'needs command: the program and its arguments as a list'],
    ['no words', { ...COMMAND, command: [] }, 'must not be empty'],
    ['too many words', { ...COMMAND, command: times(101, 'a') }, 'may have at most 100 entries'],
    ['a word with NUL', { ...COMMAND, command: ['a\0'] }, '"a\ufffd" must be at most 4000 characters without NUL'],
    [
      'a long word',
      { ...COMMAND, command: [long(4_001)] },
      `"${long(79)}…" must be at most 4000 characters without NUL`,
    ],
    ['neither tool nor resource', { name: 'm', kind: 'mcp', command: ['s'] }, 'needs either tool or resource'],
    [
      'tool and resource',
      { name: 'm', kind: 'mcp', command: ['s'], tool: 't', resource: 'r' },
      'needs either tool or resource',
    ],
    ['no time at all', { ...COMMAND, timeout_ms: 0 }, 'must be a whole number from 1 to 30000'],
    ['too much time', { ...COMMAND, timeout_ms: 30_001 }, 'must be a whole number from 1 to 30000'],
    ['too many bytes', { ...COMMAND, max_bytes: 268_435_457 }, 'must be a whole number from 1 to 268435456'],
    ['a variable with an equals sign', { ...COMMAND, env: ['A=B'] }, '"A=B" is not the name of a variable'],
    ['a variable that starts with a digit', { ...COMMAND, env: ['1A'] }, '"1A" is not the name of a variable'],
    ['an empty step', { ...FILE, items: 'a..b' }, '"a..b" must be a dotted path such as data.issues'],
    [
      'a long path of fields',
      { ...FILE, items: long(201) },
      `"${long(79)}…" must be a dotted path such as data.issues`,
    ],
    [
      'an unknown field',
      { ...FILE, map: { name: 'x' } },
      'there is no "name" here; known: id, title, summary, state, priority, tags, source_updated_at',
    ],
    ['states that are a list', { ...FILE, states: [] }, 'must be a map from their words to ours'],
    [
      'an unknown state',
      { ...FILE, states: { a: 'done' } },
      'must be blocked or ready or priority or stale or unknown or omit',
    ],
    [
      'too many states',
      { ...FILE, states: Object.fromEntries(times(101, 0).map((_, at) => [`s${at}`, 'ready'])) },
      'may have at most 100 entries',
    ],
    [
      'arguments that are a list',
      { name: 'm', kind: 'mcp', command: ['s'], tool: 't', arguments: [] },
      'must be a map',
    ],
    ['no hours', { ...FILE, stale_after_hours: 0 }, 'must be a whole number from 1 to 1000000'],
    ['too many hours', { ...FILE, stale_after_hours: 1_000_001 }, 'must be a whole number from 1 to 1000000'],
  ])('L6 L18 %s is refused', (_, adapter, said) => expect(read(adapter)).toEqual([said]));

  it('L6 at most 20, each name once', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...FILE, name: `a${at}` }));
    expect(read(...many(20))).toHaveLength(20);
    expect(read(...many(21))).toEqual(['may have at most 20 entries']);
    expect(read(FILE, FILE)).toEqual(['the same name appears twice in adapters']);
  });
});
