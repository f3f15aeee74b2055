import { describe, expect, it } from 'vitest';
import { readModels } from './models.ts';
import type { LocatedNode } from './tree-reader.ts';

const located = (value: unknown, line = 1): LocatedNode => {
  const at = { line, column: 1 };
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', value, ...at };
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  const entries = fields.map(([key, each], index) => {
    const place = { line: line + 1 + index, column: 1 };
    return { key, value: located(each, place.line), ...place };
  });
  return { kind: 'map', entries, ...at };
};
const read = (models: unknown) => readModels(located(models));
const GOOD = { provider: 'openai', model: 'gpt' };
const problemsOf = (fields: Record<string, unknown>, name = 'm') =>
  read({ [name]: { ...GOOD, ...fields } }).problems.map(({ message }) => message);

describe('models of the home', () => {
  it('T21 take their provider’s variable and a patient limit where nothing else is said', () => {
    const rest = { model: 'x', baseUrl: null, timeoutSeconds: 300, limits: {} };
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
        limits: { turns: 3, context: 4_000, output: 500 },
      },
    ]);
    expect(read({ m: { ...GOOD, base_url: 'http://far.de/v1' } }).models[0]?.keyVariable).toBeNull();
    expect(read({ m: { ...GOOD, timeout_seconds: 1 } }).models[0]).toMatchObject({ timeoutSeconds: 1 });
  });

  it.each([
    [{ provider: 'other' }, 'must be anthropic or openai or openai-compatible'],
    [{ provider: undefined }, 'needs a provider: anthropic, openai, openai-compatible'],
    [{ model: undefined }, 'needs a model: the name the provider knows it by'],
    [{ model: ' ' }, '" " is not the name of a model'],
    [{ model: 'x'.repeat(1_001) }, `"${'x'.repeat(79)}…" is not the name of a model`],
    [{ model: 5 }, 'must be a text'],
    [{ provider: 'openai-compatible' }, 'needs a base_url'],
    [{ key_variable: 'sk-live' }, 'key_variable is not the name of a variable; the key goes there'],
    [{ key_variable: 'aKEY' }, 'key_variable is not the name of a variable; the key goes there'],
    [{ key_variable: 'KEYa' }, 'key_variable is not the name of a variable; the key goes there'],
    [
      { colour: 'x' },
      'there is no "colour" here; known: provider, model, base_url, key_variable, timeout_seconds, max_turns, max_context_tokens, max_output_tokens',
    ],
    [{ timeout_seconds: 0 }, 'must be a whole number from 1 to 3600'],
    [{ timeout_seconds: 3_601 }, 'must be a whole number from 1 to 3600'],
    [{ timeout_seconds: 1.5 }, 'must be a whole number from 1 to 3600'],
    [{ max_turns: '5' }, 'must be a whole number from 1 to 1000'],
    [{ max_turns: 1_001 }, 'must be a whole number from 1 to 1000'],
    [{ base_url: 'ftp://x.de' }, '"ftp://x.de" is not a plain http or https address'],
    [{ base_url: 'https://a@x.de' }, '"https://a@x.de" is not a plain http or https address'],
    [{ base_url: 'see https://x.de' }, '"see https://x.de" is not a plain http or https address'],
    [{ base_url: 'http://x.de', key_variable: 'KEY' }, 'would send a key without encryption: use https in base_url'],
    [
      { base_url: 'http://localhost.x.de', key_variable: 'KEY' },
      'would send a key without encryption: use https in base_url',
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
    ['extract', 'the name extract is taken'],
    ['command', 'the name command is taken'],
    ['1a', 'a name is plain letters, digits, dots and dashes'],
    ['a b', 'a name is plain letters, digits, dots and dashes'],
    ['-a', 'a name is plain letters, digits, dots and dashes'],
    ['a'.repeat(61), 'a name is plain letters, digits, dots and dashes'],
  ])('T21 can’t be called %s', (name, message) => expect(problemsOf({}, name)).toEqual([message]));

  it('T21 a wrong one takes no other with it', () => {
    expect(read({ a: { ...GOOD, x: 1 }, b: GOOD }).models.map(({ name }) => name)).toEqual(['b']);
    expect(read('x').problems).toEqual([
      { line: 1, column: 1, message: 'must be names with their settings under them' },
    ]);
    expect(read({ a: 'x' }).problems).toEqual([
      { line: 2, column: 1, message: expect.stringMatching(/^expected provider, model, base_url/) },
    ]);
  });
});
