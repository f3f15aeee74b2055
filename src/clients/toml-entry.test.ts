import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { entryInToml, putIntoToml, switchInToml, takeFromToml } from './toml-entry.ts';

const VALUE = { command: '/usr/bin/node', args: ['it’s "main".cjs', 'mcp', 'a\u007f\\b'] };
const FILES = {
  plain:
    'model = "gpt-5" # the large one\nbig = 9223372036854775807\nwhen = 2026-01-01\n\n[mcp_servers.github]\ncommand = "gh"\n',
  'no line end': '[a]\nb = 1',
  CRLF: '# c\r\n[mcp_servers.x]\r\nargs = [\r\n  "[mcp_servers.bearings]",\r\n]\r\n\r\n',
  'byte order mark': '\ufeffa = 1\n',
  'multi-line text': 'text = """\n[mcp_servers.bearings]\ncommand = 1\n"""\n',
  empty: '',
};

describe('an entry in a TOML file', () => {
  it.each(Object.entries(FILES))('goes to the end, leaves every byte before it, and goes again: %s', (_, text) => {
    const added = putIntoToml(text, 'mcp_servers', 'bearings', VALUE) ?? '';
    expect(added.startsWith(text)).toBe(true);
    expect(parse(added.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' })).toMatchObject({
      mcp_servers: { bearings: VALUE },
    });
    expect(/(?<!\r)\n/.test(added)).toBe(!text.includes('\r\n'));
    expect(added.includes('\r')).toBe(text.includes('\r\n'));
    expect(takeFromToml(added, 'mcp_servers', 'bearings')?.trimEnd()).toBe(text.trimEnd());
    const more = `${added}\n# of the next\n[z]\ny = 2\n`;
    expect(takeFromToml(more, 'mcp_servers', 'bearings')).toContain('# of the next\n[z]\ny = 2\n');
  });

  it.each([
    ['an empty file', '', '[mcp_servers.bearings]\na = [ "b", "\\u007f" ]\nc = "d"\n'],
    ['a mark alone', '\ufeff', '\ufeff[mcp_servers.bearings]\na = [ "b", "\\u007f" ]\nc = "d"\n'],
    ['one line', 'x = 1\n', 'x = 1\n\n[mcp_servers.bearings]\na = [ "b", "\\u007f" ]\nc = "d"\n'],
    ['a line without its end', 'x = 1', 'x = 1\n\n[mcp_servers.bearings]\na = [ "b", "\\u007f" ]\nc = "d"\n'],
  ])('is a table of its own after a blank line: %s', (_, text, after) => {
    expect(putIntoToml(text, 'mcp_servers', 'bearings', { a: ['b', '\u007f'], c: 'd' })).toBe(after);
  });

  it.each([
    ['the last', 'a = 1\n\n[mcp_servers.bearings]\nb = 2\n', 'a = 1\n'],
    ['the last, right after a line', 'a = 1\n[mcp_servers.bearings]\nb = 2\n', 'a = 1\n'],
    ['the only one after a byte order mark', '\ufeff[mcp_servers.bearings]\nb = 2\n', '\ufeff'],
    ['the first', '[mcp_servers.bearings]\nb = 2\n\n[z]\nc = 3\n', '\n[z]\nc = 3\n'],
    ['one between others', '[y]\n\n[mcp_servers.bearings]\nb = 2\n\n[z]\n', '[y]\n\n[z]\n'],
    ['one that touches the next', '[y]\n\n[mcp_servers.bearings]\nb = 2\n[z]\n', '[y]\n\n[z]\n'],
    ['one before a comment of the next', '[mcp_servers.bearings]\nb = 2\n# of z\n[z]\n', '# of z\n[z]\n'],
    ['one with a comment of its own', '[mcp_servers.bearings]\n# of ours\nb = 2\n', ''],
    ['one whose last line is a comment', '[mcp_servers.bearings]\nb = 2\n# of ours\n', ''],
    ['one in quotes, with blanks', "[ mcp_servers . 'bearings' ]\nb = 2\n[z]\n", '[z]\n'],
    ['its tables below', '[mcp_servers.bearings]\nb = 2\n [mcp_servers.bearings.env]\nc = 3\n[z]\n', '[z]\n'],
    [
      'not its neighbour',
      '[mcp_servers.bearings]\n[mcp_servers.bearings2]\nb = 2\n',
      '[mcp_servers.bearings2]\nb = 2\n',
    ],
    [
      'dates and large numbers stay',
      'd = 2026-01-01\nn = 9223372036854775807\n[mcp_servers.bearings]\n',
      'd = 2026-01-01\nn = 9223372036854775807\n',
    ],
    [
      'not what a long text says',
      't = """\n[mcp_servers.bearings]\n"""\n[mcp_servers.bearings]\nb = 2\n',
      't = """\n[mcp_servers.bearings]\n"""\n',
    ],
  ])('goes, with what is its own: %s', (_, text, after) => {
    expect(takeFromToml(text, 'mcp_servers', 'bearings')).toBe(after);
  });

  it.each([
    ['none', 'a = 1\n'],
    ['one that is only spoken of', 't = """\n[mcp_servers.bearings]\n"""\n'],
    ['one in a row', 'mcp_servers = { bearings = { a = 1 } }\n'],
    ['one in two places', '[mcp_servers.bearings]\na = 1\n[z]\n[mcp_servers.bearings.env]\nb = 1\n'],
    ['one in a broken file', '[mcp_servers.bearings]\na = \n'],
  ])('is not taken where its lines can’t be told: %s', (_, text) => {
    expect(takeFromToml(text, 'mcp_servers', 'bearings')).toBeNull();
  });

  it('is seen where it is, and nothing else is', () => {
    const look = (text: string) => entryInToml(text, 'mcp_servers', 'bearings');
    expect(look('')).toEqual({ status: 'absent' });
    expect(look('[mcp_servers.other]\na = 1\n')).toEqual({ status: 'absent' });
    expect(look('\ufeff[mcp_servers]\nbearings.a = 1\n')).toEqual({ status: 'present', value: { a: 1 } });
    expect(look('a = 1\nb = \n')).toEqual({ status: 'broken', reason: 'line 2 is not valid TOML' });
    for (const servers of ['1', '[]', '2026-01-01'])
      expect(look(`mcp_servers = ${servers}\n`)).toEqual({ status: 'broken', reason: '"mcp_servers" is not a table' });
  });

  it('takes the place of an earlier one, with its sub-tables, wherever that is', () => {
    const text =
      'a = 1\n\n[mcp_servers."bearings"]\ncommand = "old"\n[mcp_servers.bearings.env]\nX = "1"\n\n[z]\nb = 2\n';
    const after = putIntoToml(text, 'mcp_servers', 'bearings', VALUE) ?? '';
    expect(after).not.toContain('old');
    expect(parse(after)).toEqual({ a: 1, z: { b: 2 }, mcp_servers: { bearings: VALUE } });
  });

  it('is refused where the file keeps its servers in a form that can’t be added to', () => {
    expect(putIntoToml('mcp_servers = { a = { command = "x" } }\n', 'mcp_servers', 'bearings', VALUE)).toBeNull();
    expect(takeFromToml('mcp_servers.bearings.command = "x"\n', 'mcp_servers', 'bearings')).toBeNull();
  });
});

describe('M56 one switch in a TOML file', () => {
  const { look, put, take } = switchInToml('features', 'memories');
  it.each([
    ['an empty file', '', '[features]\nmemories = false\n'],
    ['no table yet', 'a = 1\r\n', 'a = 1\r\n\r\n[features]\r\nmemories = false\r\n'],
    ['its table', '[features]\nx = true\n[z]\n', '[features]\nmemories = false\nx = true\n[z]\n'],
    ['its table at the end, empty', '[features]', '[features]\nmemories = false\n'],
    ['a dotted table', 'features.x = true\n[z]\n', 'features.memories = false\nfeatures.x = true\n[z]\n'],
  ])('off and back again: %s', (_, before, after) => {
    expect(put(before, false)).toBe(after);
    expect(look(after)).toEqual({ status: 'present', value: false });
    const left = take(after) ?? '';
    expect(look(left)).toEqual({ status: 'absent' });
    if (before !== '[features]') expect(left.trimEnd()).toBe(before.trimEnd());
  });

  it('one that was on is turned, by itself alone, and not what only looks like it', () => {
    const text = 't = """\nmemories = true\n"""\n[other]\nmemories = true # mine\n[features]\nmemories = true # on\n';
    // The first of the lines that look like it is of another table: the parser refuses that way, and no other is found.
    expect(put(text, false) ?? text).not.toContain('[other]\nmemories = false');
    expect(put('[features]\nmemories = true # on\n', false)).toBe('[features]\nmemories = false # on\n');
    expect(put('[features\n', false)).toBeNull();
  });
});
