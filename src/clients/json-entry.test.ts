import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { entryInJson, missingKeys, putIntoJson, type Slot, takeFromJson } from './json-entry.ts';

const VALUE = { command: '/usr/bin/node', args: ['main.cjs', 'mcp', '--workspace', 'manta'] };
const server: Slot = { path: ['mcpServers'], name: 'bearings', isOurs: () => false };
const hook: Slot = {
  path: ['hooks', 'SessionStart'],
  name: null,
  isOurs: (value) => (value as { own?: true }).own === true,
};

// A file as people and programs leave it: any blanks, comments, line ends and trailing commas between the tokens.
const blank = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\n    ',
  '\r\n\t\t',
  ' /* , } */ ',
  ' // "a": {\n',
  '\n  // x\n  ',
);
const scalar = fc.constantFrom(
  '1',
  '"x"',
  'null',
  'true',
  '"}"',
  '"// no comment"',
  '[]',
  '{}',
  '[1, 2]',
  '{"k":[{}]}',
);

function objectText(members: string[], gaps: string[], trailing: boolean): string {
  const gap = (index: number) => gaps[index % gaps.length] ?? '';
  const body = members.map((member, index) => `${gap(index)}${member}${gap(index + 3)}`).join(',');
  return `{${body}${trailing && members.length > 0 ? ',' : ''}${gap(1)}}`;
}

const file = fc
  .record({
    others: fc.uniqueArray(fc.constantFrom('a', 'theme', 'x y', 'inputs'), { maxLength: 3 }),
    values: fc.array(scalar, { minLength: 4, maxLength: 4 }),
    servers: fc.option(fc.uniqueArray(fc.constantFrom('github', 'bear', 'fs'), { maxLength: 3 }), { nil: null }),
    at: fc.nat(3),
    gaps: fc.array(blank, { minLength: 7, maxLength: 7 }),
    trailing: fc.boolean(),
    mark: fc.boolean(),
  })
  .map(({ others, values, servers, at, gaps, trailing, mark }) => {
    const members = others.map((key, index) => `${JSON.stringify(key)}:${gaps[index] ?? ''}${values[index] ?? '1'}`);
    const inner = (servers ?? []).map((key, index) => `"${key}" : ${values[index] ?? '1'}`);
    if (servers) members.splice(at, 0, `"mcpServers": ${objectText(inner, gaps.slice(2), trailing)}`);
    return `${mark ? '\ufeff' : ''}${gaps[5]}${objectText(members, gaps, trailing)}${gaps[6]}`;
  });

const meaning = (text: string) => parse(text.replace(/^\ufeff/, '')) as { mcpServers?: Record<string, unknown> };

describe('an entry in a JSON file', () => {
  it('is added to any file by inserting alone, means what it should, and goes again without a trace', () => {
    fc.assert(
      fc.property(file, (text) => {
        expect(entryInJson(text, server)).toEqual({ status: 'absent' });
        const added = putIntoJson(text, server, VALUE);
        const before = meaning(text);
        expect(meaning(added)).toEqual({ ...before, mcpServers: { ...before.mcpServers, bearings: VALUE } });
        expect(entryInJson(added, server)).toEqual({ status: 'present', value: VALUE });
        expect(isSubsequence(text, added)).toBe(true);
        const taken = takeFromJson(added, server, missingKeys(text, server));
        expect(meaning(taken)).toEqual(before);
        expect(taken.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
      { numRuns: 400 },
    );
  });

  it('in a file as programs write it looks as if the same program had written it, and goes again byte for byte', () => {
    const layout = fc.record({
      unit: fc.constantFrom('  ', '    ', '\t', ' '),
      eol: fc.constantFrom('\n', '\r\n'),
      prefix: fc.constantFrom('', '', '\t', '    '),
      start: fc.constantFrom('', '\ufeff'),
      end: fc.boolean(),
    });
    const other = fc.constantFrom<unknown>(1, 'x', [], {}, ['-y', 'fs'], { command: 'fs', env: { A: 'b' } });
    const others = fc.dictionary(fc.constantFrom('a', 'theme', 'x y'), other, { minKeys: 1, maxKeys: 3 });
    const servers = fc.option(fc.dictionary(fc.constantFrom('github', 'bear', 'fs'), other), { nil: undefined });
    const hooks = fc.constantFrom<unknown>(
      undefined,
      {},
      { SessionStart: [] },
      { Stop: [], SessionStart: [{ a: [] }] },
    );
    fc.assert(
      fc.property(others, servers, hooks, layout, (rest, mcpServers, hooks, { unit, eol, prefix, start, end }) => {
        const written = (value: unknown) =>
          start +
          prefix +
          JSON.stringify(value, null, unit)
            .split('\n')
            .join(eol + prefix) +
          (end ? eol : '');
        const before = { ...(mcpServers ? { mcpServers } : {}), ...(hooks ? { hooks } : {}), ...rest };
        const text = written(before);
        // A key that was not there comes first.
        const withServer = (value: unknown) => {
          const servers = { bearings: value, ...mcpServers };
          return written(mcpServers ? { ...before, mcpServers: servers } : { mcpServers: servers, ...before });
        };
        const added = putIntoJson(text, server, VALUE);
        expect(added).toBe(withServer(VALUE));
        const other = { command: 'x', args: [] };
        expect(putIntoJson(added, server, other)).toBe(withServer(other));
        expect(takeFromJson(added, server, missingKeys(text, server))).toBe(text);
        const hooked = putIntoJson(text, hook, { own: true });
        const there = hooks as { SessionStart?: [] } | undefined;
        const SessionStart = [{ own: true }, ...(there?.SessionStart ?? [])];
        const events = there?.SessionStart ? { ...there, SessionStart } : { SessionStart, ...there };
        expect(hooked).toBe(written(hooks ? { ...before, hooks: events } : { hooks: events, ...before }));
        expect(takeFromJson(hooked, hook, missingKeys(text, hook))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['an empty file', '', '{\n  "mcpServers": {\n    "bearings": {\n      "a": 1\n    }\n  }\n}\n'],
    [
      'blanks of CRLF',
      '\r\n',
      '\r\n{\r\n  "mcpServers": {\r\n    "bearings": {\r\n      "a": 1\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      'blanks before the end',
      '\ufeff\n ',
      '\ufeff\n {\n   "mcpServers": {\n     "bearings": {\n       "a": 1\n     }\n   }\n }\n',
    ],
    ['one line', '{"x":1}\n', '{"mcpServers": {"bearings":{"a":1}}, "x":1}\n'],
    ['nothing in one line', '{}', '{"mcpServers": {"bearings":{"a":1}}}'],
    [
      'one line with its last comma',
      '{ "mcpServers": { "fs": 1, } }',
      '{ "mcpServers": { "bearings": {"a":1}, "fs": 1, } }',
    ],
    ['no indentation', '{\n"x": 1\n}', '{\n"mcpServers": {\n  "bearings": {\n    "a": 1\n  }\n},\n"x": 1\n}'],
    ['lines that end in CR', '{\r"x": 1\r}', '{\n"mcpServers": {\n  "bearings": {\n    "a": 1\n  }\n},\r"x": 1\r}'],
    [
      'a row inside of lines',
      '{\n  "mcpServers": { "fs": 1 }\n}',
      '{\n  "mcpServers": { "bearings": {"a":1}, "fs": 1 }\n}',
    ],
    [
      'an empty row inside of lines',
      '{\n "x": 1, "mcpServers": {}\n}',
      '{\n "x": 1, "mcpServers": {\n  "bearings": {\n   "a": 1\n  }\n }\n}',
    ],
    [
      'a comment in the empty place',
      '{\n  "mcpServers": {\n    // none\n  }\n}',
      '{\n  "mcpServers": {\n    "bearings": {\n      "a": 1\n    }\n    // none\n  }\n}',
    ],
    [
      'a comment after the last',
      '{\n  "mcpServers": {\n    "fs": 1 /* a */ // b\n  }\n}',
      '{\n  "mcpServers": {\n    "bearings": {\n      "a": 1\n    },\n    "fs": 1 /* a */ // b\n  }\n}',
    ],
    [
      'a comment before the first',
      '{\n  "mcpServers": { // a\n    // b\n    "fs": 1,\n  }\n}',
      '{\n  "mcpServers": {\n    "bearings": {\n      "a": 1\n    }, // a\n    // b\n    "fs": 1,\n  }\n}',
    ],
    [
      'an entry of ours in one line',
      '{\n  "mcpServers": { "bearings": {} }\n}',
      '{\n  "mcpServers": { "bearings": {"a":1} }\n}',
    ],
  ])('fits into what is there: %s', (_, text, after) => {
    expect(putIntoJson(text, server, { a: 1 })).toBe(after);
  });

  it.each([
    ['the first of a row', '{ "mcpServers": { "bearings": 1, "fs": 1 } }', '{ "mcpServers": { "fs": 1 } }'],
    ['the last of a row', '{ "mcpServers": { "fs": 1, "bearings": 1 } }', '{ "mcpServers": { "fs": 1 } }'],
    ['the first of lines', '{"mcpServers": {\n  "bearings": 1,\n  "fs": 1\n}}', '{"mcpServers": {\n  "fs": 1\n}}'],
    [
      'the first of lines that end in CRLF',
      '{"mcpServers": {\r\n  "bearings": 1,\r\n  "fs": 1\r\n}}',
      '{"mcpServers": {\r\n  "fs": 1\r\n}}',
    ],
    [
      'the last after a comment',
      '{"mcpServers": {\n  "fs": 1, // mine\n  "bearings": 1\n}}',
      '{"mcpServers": {\n  "fs": 1 // mine\n}}',
    ],
    ['the only one', '{"mcpServers": {\n  "bearings": 1\n}}', '{"mcpServers": {}}'],
    ['the only one, with its comma', '{"mcpServers": {\n  "bearings": 1,\n}}', '{"mcpServers": {\n}}'],
    [
      'the only one beside a comment before',
      '{"mcpServers": {\n  // mine\n  "bearings": 1\n}}',
      '{"mcpServers": {\n  // mine\n}}',
    ],
    [
      'the only one with a comment after it',
      '{"mcpServers": { "bearings": 1 /* mine */ }}',
      '{"mcpServers": {  /* mine */ }}',
    ],
    ['none', '{"mcpServers": {"fs": 1}}', '{"mcpServers": {"fs": 1}}'],
    ['none in a broken file', '{"mcpServers": {"bearings": 1', '{"mcpServers": {"bearings": 1'],
  ])('goes and leaves what is not ours: %s', (_, text, after) => {
    expect(takeFromJson(text, server, 0)).toBe(after);
  });

  it('takes the keys it brought with it only while nothing else is in them', () => {
    const added = putIntoJson('{"x":1}', hook, { own: true });
    expect(missingKeys('{"x":1}', hook)).toBe(2);
    expect(takeFromJson(added, hook, 2)).toBe('{"x":1}');
    expect(takeFromJson(added, hook, 1)).toBe('{"hooks": {}, "x":1}');
    expect(takeFromJson(added, hook, 0)).toBe('{"hooks": {"SessionStart":[]}, "x":1}');
    const since = '{"x":1, "hooks": {"Stop":[1],"SessionStart":[{"own":true}]}}';
    expect(takeFromJson(since, hook, 2)).toBe('{"x":1, "hooks": {"Stop":[1]}}');
    expect(takeFromJson(since.replace('true}', 'true},2'), hook, 2)).toBe(
      '{"x":1, "hooks": {"Stop":[1],"SessionStart":[2]}}',
    );
    expect(
      ['', '{}', '{"hooks":{}}', '{"hooks":{"SessionStart":[]}}', '{'].map((text) => missingKeys(text, hook)),
    ).toEqual([2, 2, 1, 0, 0]);
  });

  it('in an array is found by its look, changed in place and taken out', () => {
    const text = '{\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{ "hooks": [] } // mine\n\t\t]\n\t}\n}\n';
    const added = putIntoJson(text, hook, { own: true });
    expect(added).toBe(
      '{\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{\n\t\t\t\t"own": true\n\t\t\t},\n\t\t\t{ "hooks": [] } // mine\n\t\t]\n\t}\n}\n',
    );
    const changed = putIntoJson(added, hook, { own: true, more: 1 });
    expect(changed).toBe(added.replace('"own": true\n', '"own": true,\n\t\t\t\t"more": 1\n'));
    expect(takeFromJson(changed, hook, 0)).toBe(text);
  });

  it.each([
    ['{ "mcpServers": {', 'line 1 is not valid JSON'],
    ['\n{\n"a": 1\n"b": 2 }', 'line 4 is not valid JSON'],
    ['{\n"a": 1\n"b": 2 }', 'line 3 is not valid JSON'],
    ['[]', 'it holds no JSON object'],
    ['{ "mcpServers": [] }', '"mcpServers" is not an object'],
    ['{ "mcpServers": {}, "mcpServers": {} }', 'it holds the key "mcpServers" twice'],
    ['{ "mcpServers": { "bearings": 1, "bearings": 2 } }', 'it holds the key "bearings" twice'],
    ['{} x', 'line 1 is not valid JSON'],
  ])('is refused where the file is broken: %s', (text, reason) => {
    expect(entryInJson(text, server)).toEqual({ status: 'broken', reason: expect.stringContaining(reason) });
    expect(putIntoJson(text, server, VALUE)).toBe(text);
  });

  it.each([
    ['{ "hooks": [] }', '"hooks" is not an object'],
    ['{ "hooks": { "SessionStart": {} } }', '"SessionStart" is not an array'],
    ['{ "hooks": { "SessionStart": [], "SessionStart": [] } }', 'it holds the key "SessionStart" twice'],
  ])('of a list is refused where the file has none: %s', (text, reason) => {
    expect(entryInJson(text, hook)).toEqual({ status: 'broken', reason });
  });
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part[at]) at += 1;
  return at === part.length;
}
