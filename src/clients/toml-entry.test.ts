import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { lookInToml, putIntoToml, takeFromToml } from './toml-entry.ts';

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
    expect(text.includes('\r\n') && /[^\r]\n/.test(added)).toBe(false);
    const more = `${added}\n# of the next\n[z]\ny = 2\n`;
    expect(takeFromToml(more, 'mcp_servers', 'bearings')).toContain('# of the next\n[z]\ny = 2\n');
  });

  it('takes the place of an earlier one, with its sub-tables, wherever that stands', () => {
    const text =
      'a = 1\n\n[mcp_servers."bearings"]\ncommand = "old"\n[mcp_servers.bearings.env]\nX = "1"\n\n[z]\nb = 2\n';
    const after = putIntoToml(text, 'mcp_servers', 'bearings', VALUE) ?? '';
    expect(after).not.toContain('old');
    expect(parse(after)).toEqual({ a: 1, z: { b: 2 }, mcp_servers: { bearings: VALUE } });
  });

  it('is refused where the file is broken, or keeps its servers in a form that can’t be added to', () => {
    expect(lookInToml('a = \n', 'mcp_servers', 'bearings')).toMatchObject({ status: 'broken' });
    expect(lookInToml('mcp_servers = 1\n', 'mcp_servers', 'bearings')).toMatchObject({ status: 'broken' });
    expect(putIntoToml('mcp_servers = { a = { command = "x" } }\n', 'mcp_servers', 'bearings', VALUE)).toBeNull();
    expect(takeFromToml('mcp_servers.bearings.command = "x"\n', 'mcp_servers', 'bearings')).toBeNull();
  });
});
