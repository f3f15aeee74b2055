import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bearings } from '../binary.ts';
import { put, tempFolder } from '../temp-folder.ts';

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
