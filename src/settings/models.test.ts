import { describe, expect, it } from 'vitest';
import { type FileEntry, readModels } from './models.ts';

const entry = (key: string, value: unknown, line = 1): FileEntry =>
  (typeof value === 'object' && value !== null
    ? {
        key,
        line,
        column: 1,
        children: Object.entries(value).map(([name, each], at) => entry(name, each, line + 1 + at)),
      }
    : { key, line, column: 1, value }) as FileEntry;
const read = (models: unknown) => readModels(entry('models', models));
const GOOD = { provider: 'openai', model: 'gpt' };
const problemsOf = (fields: Record<string, unknown>, name = 'm') =>
  read({ [name]: { ...GOOD, ...fields } }).problems.map(({ message }) => message);

describe('models of the home', () => {
  it('T21 take their provider’s variable and a patient limit where nothing else is said', () => {
    const limits = { maxTurns: null, maxContextTokens: null, maxOutputTokens: null };
    const rest = { model: 'x', baseUrl: null, timeoutSeconds: 300, concurrency: null, perMinute: null, ...limits };
    expect(read({ a: { provider: 'anthropic', model: 'x' }, 'b.1-c_D': { provider: 'openai', model: 'x' } })).toEqual({
      models: [
        { name: 'a', provider: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY', ...rest },
        { name: 'b.1-c_D', provider: 'openai', keyVariable: 'OPENAI_API_KEY', ...rest },
      ],
      problems: [],
    });
  });

  it('T21 say all of it themselves', () => {
    const all = {
      provider: 'openai-compatible',
      model: 'y',
      base_url: 'https://x.de:8080/v1',
      key_variable: 'MY_KEY2',
      timeout_seconds: 3_600,
      concurrency: 10_000,
      per_minute: 1_000_000,
      max_turns: 3,
      max_context_tokens: 4_000,
      max_output_tokens: 500,
    };
    expect(read({ m: all }).models).toEqual([
      {
        name: 'm',
        provider: 'openai-compatible',
        model: 'y',
        baseUrl: 'https://x.de:8080/v1',
        keyVariable: 'MY_KEY2',
        timeoutSeconds: 3_600,
        concurrency: 10_000,
        perMinute: 1_000_000,
        maxTurns: 3,
        maxContextTokens: 4_000,
        maxOutputTokens: 500,
      },
    ]);
    expect(read({ m: { ...GOOD, base_url: 'http://far.de/v1' } }).models[0]?.keyVariable).toBeNull();
    expect(read({ m: { ...GOOD, timeout_seconds: 1, concurrency: 1, per_minute: 1 } }).models[0]).toMatchObject({
      timeoutSeconds: 1,
      concurrency: 1,
      perMinute: 1,
    });
  });

  it.each([
    [{ provider: 'other' }, 'needs a provider: anthropic, openai, openai-compatible'],
    [{ model: ' ' }, 'has a model that is not text'],
    [{ model: 'x'.repeat(1_001) }, 'has a model that is not text'],
    [{ model: 5 }, 'needs a model: the name the provider knows it by'],
    [{ provider: 'openai-compatible' }, 'needs a base_url'],
    [{ key_variable: 'sk-live' }, 'has a key_variable that is not the name of a variable; the key goes there'],
    [{ key_variable: 'aKEY' }, 'has a key_variable that is not the name of a variable; the key goes there'],
    [{ key_variable: 'KEYa' }, 'has a key_variable that is not the name of a variable; the key goes there'],
    [
      { colour: 'x' },
      'has a field that is not known; known: provider, model, base_url, key_variable, timeout_seconds, concurrency, per_minute, max_turns, max_context_tokens, max_output_tokens',
    ],
    [{ timeout_seconds: 0 }, 'has a timeout_seconds that is not from 1 to 3600'],
    [{ timeout_seconds: 3_601 }, 'has a timeout_seconds that is not from 1 to 3600'],
    [{ timeout_seconds: 1.5 }, 'has a timeout_seconds that is not from 1 to 3600'],
    [{ concurrency: 10_001 }, 'has a concurrency that is not from 1 to 10000'],
    [{ per_minute: '5' }, 'has a per_minute that is not from 1 to 1000000'],
    [{ per_minute: 1_000_001 }, 'has a per_minute that is not from 1 to 1000000'],
    [{ base_url: 'ftp://x.de' }, 'has a base_url that is not a plain http or https address'],
    [{ base_url: 'https://a@x.de' }, 'has a base_url that is not a plain http or https address'],
    [{ base_url: 'see https://x.de' }, 'has a base_url that is not a plain http or https address'],
    [
      { base_url: 'http://x.de', key_variable: 'KEY' },
      'has a base_url that would send a key without encryption: use https',
    ],
    [
      { base_url: 'http://localhost.x.de', key_variable: 'KEY' },
      'has a base_url that would send a key without encryption: use https',
    ],
  ])('T21 refuse %j', (fields, message) => expect(problemsOf(fields)).toContain(message));

  it.each([
    'http://localhost:1/v1',
    'http://LOCALHOST',
    'http://127.0.0.1:8080',
    'http://127.9.9.9',
    'http://[::1]:80/x',
    'https://x.de',
  ])('T21 may send a key to %s', (base_url) => expect(problemsOf({ base_url, key_variable: 'KEY' })).toEqual([]));

  it.each([
    ['extract', 'has a name that is taken: extract'],
    ['command', 'has a name that is taken: command'],
    ['1a', 'has a name that is not plain letters, digits, dots or dashes'],
    ['a b', 'has a name that is not plain letters, digits, dots or dashes'],
    ['-a', 'has a name that is not plain letters, digits, dots or dashes'],
    ['a'.repeat(61), 'has a name that is not plain letters, digits, dots or dashes'],
  ])('T21 can’t be called %s', (name, message) => expect(problemsOf({}, name)).toEqual([message]));

  it('T21 are listed once, with each field once, and a wrong one takes no other with it', () => {
    const twice = entry('models', { m: GOOD });
    const both = { ...twice, children: [...(twice.children ?? []), ...(twice.children ?? [])] } as FileEntry;
    expect(readModels(both)).toMatchObject({
      models: [{ name: 'm' }],
      problems: [{ line: 2, column: 1, message: 'has a name that appears twice' }],
    });
    const model = entry('m', GOOD);
    const fields = { ...model, children: [...(model.children ?? []), ...(model.children ?? [])] } as FileEntry;
    expect(readModels({ ...twice, children: [fields] } as FileEntry).problems).toHaveLength(2);
    expect(read({ a: { ...GOOD, x: 1 }, b: GOOD }).models.map(({ name }) => name)).toEqual(['b']);
    expect(readModels(entry('models', 'x')).problems).toEqual([
      { line: 1, column: 1, message: 'must be names with their settings under them' },
    ]);
    expect(read({ a: 'x' }).problems.map(({ message }) => message)).toEqual([
      'needs a provider: anthropic, openai, openai-compatible',
      'needs a model: the name the provider knows it by',
    ]);
  });
});
