import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { lookInJson, missingKeys, putIntoJson, type Slot, takeFromJson } from './json-entry.ts';

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
        expect(lookInJson(text, server)).toEqual({ status: 'absent' });
        const added = putIntoJson(text, server, VALUE);
        const before = meaning(text);
        expect(meaning(added)).toEqual({ ...before, mcpServers: { ...before.mcpServers, bearings: VALUE } });
        expect(lookInJson(added, server)).toEqual({ status: 'present', value: VALUE });
        expect(isSubsequence(text, added)).toBe(true);
        const taken = takeFromJson(added, server, missingKeys(text, server));
        expect(meaning(taken)).toEqual(before);
        expect(taken.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
      { numRuns: 400 },
    );
  });

  it('in an array is found by its look, changed in place and taken out', () => {
    const text = '{\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{ "hooks": [] } // mine\n\t\t]\n\t}\n}\n';
    const added = putIntoJson(text, hook, { own: true });
    expect(added).toBe(
      '{\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{ "hooks": [] }, // mine\n\t\t\t{\n\t\t\t\t"own": true\n\t\t\t}\n\t\t]\n\t}\n}\n',
    );
    const changed = putIntoJson(added, hook, { own: true, more: 1 });
    expect(changed).toBe(added.replace('"own": true\n', '"own": true,\n\t\t\t\t"more": 1\n'));
    expect(takeFromJson(changed, hook, 0)).toBe(text);
  });

  it.each([
    ['{ "mcpServers": {', 'line 1 is no JSON'],
    ['{\n"a": 1\n"b": 2 }', 'line 3 is no JSON'],
    ['[]', 'it holds no JSON object'],
    ['{ "mcpServers": [] }', '"mcpServers" is no object'],
    ['{ "mcpServers": {}, "mcpServers": {} }', 'it holds the key "mcpServers" twice'],
    ['{ "mcpServers": { "bearings": 1, "bearings": 2 } }', 'it holds the key "bearings" twice'],
    ['{} x', 'line 1 is no JSON'],
  ])('is refused where the file is broken: %s', (text, reason) => {
    expect(lookInJson(text, server)).toEqual({ status: 'broken', reason: expect.stringContaining(reason) });
  });
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part[at]) at += 1;
  return at === part.length;
}
