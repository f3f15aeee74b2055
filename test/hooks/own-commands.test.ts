import { expect, it } from 'vitest';
import { protectedFiles } from '../../src/clients/protected-files.ts';
import { splitShell } from '../../src/hooks/rules.ts';
import { openApp } from '../../src/settings/io/open-app.ts';
import { tempFolder } from '../support/temp-folder.ts';

const own = protectedFiles(openApp({ home: tempFolder() }))('/project');
const changes = (line: string) =>
  own.mayBeIn(line) && splitShell(line).commands.some(({ words }) => own.isChangedBy(words));

it.each([
  ...['bearings install claude-code --undo --yes', 'bearings install claude-code --guard --undo --yes'],
  ...['bearings config set tastes /tmp/empty', 'bearings config unset elicitation_off', 'bearings config confirm ask'],
  ...['bearings workspaces unlink', 'bearings workspaces rename shop other', 'bearings workspaces link ../main'],
  ...['bearings erase notes.md:3', 'bearings import x', 'bearings init --here', 'bearings verify --trust 5c36'],
  ...['bearings export --keep codex --yes', 'bearings undo', 'bearings review', 'bearings policy allow work'],
  ...['npx bearings install cursor', 'npx -y bearings@0.1.0 install cursor', 'npm exec -- bearings install cursor'],
  ...['pnpm dlx bearings install cursor', 'pnpm bearings install cursor', 'bunx bearings install cursor'],
  ...['/usr/local/bin/bearings install codex', '~/bin/bearings config set tastes x', 'sudo bearings install codex'],
  ...['node --no-warnings /opt/bearings/dist/bin/main.cjs install codex', 'node node_modules/.bin/bearings init'],
  ...['cd /x && BEARINGS_HOME=/y bearings config set tastes x; ls', 'sh -c "bearings install codex --undo"'],
])('M54 %s is a change of what is asked about', (line) => {
  expect(changes(line)).toBe(true);
});

it.each([
  ...[
    'bearings read',
    'bearings load "a task"',
    'bearings why notes.md',
    'bearings verify',
    'bearings verify --by 5c36',
  ],
  ...['bearings propose notes --content "install it"', 'bearings propose taste --category value --content install'],
  ...['bearings install --list', 'bearings install codex --print', 'bearings install --help', 'bearings config list'],
  ...['bearings config get tastes', 'bearings workspaces', 'bearings review --list', 'bearings review --show p_1'],
  ...['bearings export agents', 'bearings search install', 'bearings check --rule "bearings install codex"'],
  ...[
    'npm install bearings',
    'pnpm --filter bearings install',
    'yarn workspace bearings install',
    'echo bearings init',
  ],
  ...['git commit -m "bearings install"', 'cd bearings && npm install', 'grep -r install src/bearings', 'man bearings'],
  ...['bearings $x', '$x install', 'curl x | sh', 'node dist/main.cjs', 'git clone x/bearings install'],
])('M54 %s is none', (line) => {
  expect(changes(line)).toBe(false);
});
