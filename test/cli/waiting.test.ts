import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearings, onTerminal } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const home = tempFolder();
const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const variables = { BEARINGS_CACHE: join(home, 'cache'), PATH: `${join(home, 'bin')}:${process.env.PATH}` };
const place = { home, cwd: join(home, 'project'), variables };

// However fast the machine is: git alone takes longer than a person should wait without a word.
beforeAll(() => {
  put(home, { 'project/README.md': 'x\n', 'bin/git': `#!/bin/sh\nsleep 1.1\nexec '${git}' "$@"\n` });
  chmodSync(join(home, 'bin/git'), 0o755);
  execFileSync(git, ['init', '-q'], { cwd: place.cwd });
});

describe('what takes more than a second', () => {
  it('shows how far the first index of a project is, and takes it away', async () => {
    const { code, stdout } = await onTerminal(place, ['doctor', 'index', 'rebuild']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/reading the project █*░* [\d,.’ ]+ of [\d,.’ ]+/);
    // Each word about the wait is erased before anything else is written.
    expect(stdout.slice(stdout.lastIndexOf('reading the project'))).toMatch(/^[^\n]*\u001b\[2K/);
    expect(stdout).toMatch(/1 file in the index\n$/);
  });

  it('is silent into a pipe and for a program, on a terminal too', async () => {
    expect(bearings(place, 'doctor', 'index', 'rebuild')).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await onTerminal(place, ['doctor', 'index', 'rebuild', '--json']);
    expect(stdout).not.toMatch(/reading the project/);
    expect(stdout).toContain('"documents"');
  });
});
