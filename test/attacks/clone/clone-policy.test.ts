import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearings } from '../../support/process/binary.ts';
import { put, tempFolder } from '../../support/temp-folder.ts';

const SECRET = 'correct-horse-battery-9417';
const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n';

// A clone whose own policy names, as authoritative, what was made to hold secrets.
function clone(): { home: string; cwd: string } {
  const home = tempFolder();
  const cwd = join(home, 'clone');
  put(cwd, {
    '.env': `PLAIN=${SECRET}\n`,
    'deploy/.env.production': `PLAIN=${SECRET}\n`,
    id_ed25519: KEY,
    'certs/server.key': KEY,
    'src/app.ts': 'export const app = 1;\n',
    '.bearings/policy.yaml': [
      'extends: repo',
      'control_plane:',
      '  - path: .env',
      '  - path: deploy/.env.production',
      '  - path: id_ed25519',
      '  - path: certs/server.key',
      'match:',
      '  include: ["**/*", ".env", "**/.env.*", "id_ed25519"]',
      '',
    ].join('\n'),
  });
  symlinkSync('.env', join(cwd, 'AGENTS.md'));
  symlinkSync('../id_ed25519', join(cwd, 'src/notes.md'));
  return { home, cwd };
}

describe('P row 11: what a clone says of its own secrets', () => {
  it.each([
    ['load', '--json'],
    ['load', '--markdown'],
    ['load', '--xml'],
    ['match', '--json'],
  ])('L24 L25 no secret file comes in by a policy or under another name: %s %s', (command, format) => {
    const task = 'deploy the app with its environment and keys';
    const place = clone();
    const words = command === 'load' ? ['load', '--task', task, format] : ['match', task, format];
    const { stdout, stderr } = bearings(place, ...words);
    for (const text of [SECRET, 'b3BlbnNzaC1rZXktdjEAAAAA']) expect(stdout + stderr).not.toContain(text);
    if (command === 'load' && format === '--json') {
      expect(stdout).toContain('a file for secrets');
      expect(stdout).toContain('src/app.ts');
    }
  });
});

const LOCAL = 'Quill-9417';
// What the product stores, and what git ignores: named by a policy, a template, a link and the lines of a rule file.
function stored(): { home: string; cwd: string; variables: Record<string, string> } {
  const home = tempFolder();
  const cwd = join(home, 'clone');
  const paths = [
    '.bearings/sessions/s1/transcript.jsonl',
    '.bearings/sessions/s1/pending-1.json',
    '.bearings/log.jsonl',
    'packages/api/.bearings/log.jsonl',
    'state/home/workspaces/w/log.jsonl',
    'state/cache/x.json',
    'state/work/w/log.jsonl',
    'state/tastes/mine.md',
    'private/ignored.md',
    'sub/private/ignored.md',
    '.git/description',
  ];
  const named = ['.bearings/log.jsonl', '.bearings/sessions/s1/pending-1.json', 'private/ignored.md'];
  put(cwd, {
    ...Object.fromEntries(paths.map((path) => [path, `{"harbour": "${LOCAL}"}\n`])),
    '.gitignore': 'private/\n',
    '.bearings/workspace.json': '{"id":"clone"}',
    'src/app.ts': 'export const harbour = 1;\n',
    'CLAUDE.md': `Rules.\n${paths.map((path) => `@${path}`).join('\n')}\n@linked.md\n@.env\n@plain.md\n@keys.md\n`,
    'plain.md': 'Plain words on the harbour.\n',
    'keys.md': `The key is ghp_${'a1B2c3D4'.repeat(4)}1234.\nBehind the key.\n`,
    '.env': `harbour=${LOCAL}\n`,
    '.bearings/policy.yaml': [
      'extends: repo',
      'control_plane:',
      ...[...paths.filter((path) => !path.startsWith('.git/')), 'linked.md'].map((path) => `  - path: ${path}`),
      'intents:',
      '  - key: all',
      '    words: [harbour]',
      '    include: [".bearings/sessions/*/*", ".bearings/*", "state/*/*", "state/*/*/*/*", "private/*", "**/*"]',
      'adapters:',
      '  - {name: log, kind: file, path: .bearings/log.jsonl}',
      'match:',
      '  include: ["**/*", ".bearings/**/*", "private/*"]',
      '',
    ].join('\n'),
    ...Object.fromEntries(
      named.map((path, at) => [
        `named${at}.xml`,
        `<task type="atomic" model="extract"><description>harbour</description><file_paths><path>${path}</path></file_paths></task>`,
      ]),
    ),
    'each.xml':
      '<task type="reduce" over="files"><description>all</description><inputs><input name="files"/></inputs><inner_task><description>each {{item}}</description></inner_task><reduction_task><description>join</description></reduction_task></task>',
  });
  symlinkSync('.bearings/log.jsonl', join(cwd, 'linked.md'));
  const variables = {
    BEARINGS_HOME: join(cwd, 'state/home'),
    BEARINGS_CACHE: join(cwd, 'state/cache'),
    BEARINGS_WORKSPACES: join(cwd, 'state/work'),
    BEARINGS_TASTES_DIR: join(cwd, 'state/tastes'),
  };
  return { home, cwd, variables };
}

describe('what the product stores and what git ignores', () => {
  it.each([
    [['load', '--task', 'the harbour', '--json']],
    [['load', '--task', 'the harbour', '--adapter', 'log', '--fallback', 'unrestricted', '--json']],
    [['match', 'the harbour', '--json']],
    [['explain', '.bearings/log.jsonl', '--task', 'the harbour']],
    [['run', 'named0.xml']],
    [['run', 'named1.xml']],
    [['run', 'named2.xml']],
    [['run', 'each.xml', '--inputs', 'files=**/*.md']],
    [['run', 'each.xml', '--inputs', 'files=.bearings/**']],
    [['run', 'each.xml', '--inputs', 'files=state/**']],
    [['run', 'each.xml', '--inputs', 'files=private/*']],
    [['run', 'each.xml', '--inputs', 'files=.bearings/log.jsonl']],
    [['learn', '--from', 'claude']],
  ])('L5 L24 is in no corpus: %j', (words) => {
    const place = stored();
    const { code, stdout, stderr } = bearings(place, ...words);
    expect(stdout + stderr).not.toContain(LOCAL);
    // Where something is given at all, it is the rest.
    if (words[0] === 'load' || words[0] === 'match') expect(stdout).toContain('src/app.ts');
    if (words.includes('files=**/*.md')) expect([code, stderr]).toEqual([0, expect.stringMatching(/^run /)]);
    if (words[0] === 'learn') expect(stdout).toContain('Plain words on the harbour.');
  });
});
