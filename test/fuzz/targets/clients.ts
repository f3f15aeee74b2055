import { entryInJson, missingKeys, putIntoJson, type Slot, takeFromJson } from '../../../src/clients/json-entry.ts';
import { entryInToml, putIntoToml, takeFromToml } from '../../../src/clients/toml-entry.ts';
import { type FuzzTarget, hold, holdPlain, same } from '../target.ts';

const ENTRY = { command: 'node', args: ['main.cjs', 'mcp'] };
const SLOTS: readonly Slot[] = [
  { path: ['mcpServers'], name: 'bearings', isOurs: () => false },
  { path: ['hooks', 'SessionStart'], name: null, isOurs: (value) => JSON.stringify(value) === JSON.stringify(ENTRY) },
];

const json: FuzzTarget = {
  name: 'client-json',
  words: [
    ...['{', '}', '[', ']', ',', ':', '"mcpServers": {', '"bearings": {}', '"hooks": {"SessionStart": [', '// note\n'],
    ...['/* note */', '\r\n', '\n  ', '\t', '"a": 1', '"command": "node"', '\ufeff', '"mcpServers": []', 'null'],
  ],
  seeds: [
    '{}',
    '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }, // last\n  },\n}\n',
    '{"a":1,"hooks":{"SessionStart":[{"x":1}]},"mcpServers":{"bearings":{"command":"old"}}}',
  ],
  run(bytes) {
    const text = bytes.toString('utf8');
    for (const slot of SLOTS) {
      const before = entryInJson(text, slot);
      if (before.status === 'broken') {
        holdPlain(before.reason);
        continue;
      }
      const brought = missingKeys(text, slot);
      const put = putIntoJson(text, slot, ENTRY);
      same(entryInJson(put, slot), { status: 'present', value: ENTRY }, 'what was written is there');
      same(putIntoJson(put, slot, ENTRY), put, 'written twice is written once');
      if (before.status === 'present') continue;
      const taken = takeFromJson(put, slot, brought);
      const after = entryInJson(taken, slot);
      hold(after.status === 'absent', 'what was taken away is gone');
      // Nothing of the person's own is lost: comments and values are in the same order as before.
      if (text.trim() !== '' && text.trim() !== '\ufeff')
        same(taken.replace(/[\s,]/g, ''), text.replace(/[\s,]/g, ''), 'undone is as it was');
    }
  },
};

const toml: FuzzTarget = {
  name: 'client-toml',
  words: [
    ...['[mcp_servers.bearings]\n', '[mcp_servers]\n', '[mcp_servers.other]\n', 'command = "x"\n', '# note\n', '"""\n'],
    ...[
      'args = [',
      ']',
      '[[mcp_servers]]\n',
      'bearings = {}',
      '[mcp_servers."bearings"]\n',
      '\r\n',
      "'",
      '= ',
      '.env]\n',
    ],
  ],
  seeds: [
    'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n',
    '[mcp_servers.bearings]\ncommand = "old"\n[mcp_servers.bearings.env]\nA = "1"\n# next\n[z]\na = 1979-05-27T07:32:00Z\n',
    'a = """\n[mcp_servers.bearings]\n"""\n',
  ],
  run(bytes) {
    const text = bytes.toString('utf8');
    const before = entryInToml(text, 'mcp_servers', 'bearings');
    if (before.status === 'broken') return holdPlain(before.reason);
    const put = putIntoToml(text, 'mcp_servers', 'bearings', ENTRY);
    if (put === null) return;
    same(entryInToml(put, 'mcp_servers', 'bearings'), { status: 'present', value: ENTRY }, 'what was written is there');
    const taken = takeFromToml(put, 'mcp_servers', 'bearings');
    hold(taken !== null, 'what we wrote we can take away');
    hold(entryInToml(taken, 'mcp_servers', 'bearings').status === 'absent', 'what was taken away is gone');
    if (before.status === 'absent') same(taken.trimEnd(), text.trimEnd(), 'undone is as it was');
  },
};

export const CLIENT_TARGETS = [json, toml];
