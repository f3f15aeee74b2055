import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEarlyLook } from './early-look.ts';
import { takeTrackedLook } from './tracked-look.ts';

const { BEARINGS_CACHE } = process.env;
let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-early-')));
  root = join(folder, 'project');
  process.env.BEARINGS_CACHE = join(folder, 'cache');
  for (const place of [join(root, 'docs'), join(folder, 'cache', 'index')]) mkdirSync(place, { recursive: true });
  for (const name of ['one.md', 'docs/two.md']) writeFileSync(join(root, name), name);
  execFileSync('git', ['-C', root, 'init', '--quiet']);
  execFileSync('git', ['-C', root, 'add', '--all']);
  writeFileSync(join(root, 'docs/two.md'), 'other words');
});

afterEach(() => {
  if (BEARINGS_CACHE === undefined) delete process.env.BEARINGS_CACHE;
  else process.env.BEARINGS_CACHE = BEARINGS_CACHE;
  rmSync(folder, { recursive: true, force: true });
});

const changed = async (place: string): Promise<string | undefined> =>
  (await takeTrackedLook(place)?.changed())?.toString();

describe('a look that begins before the program', () => {
  it('T20 is for the folder that the line names, and is taken once', async () => {
    startEarlyLook(['words', root, '--top', '3']);
    expect(await changed(root)).toBe('docs/two.md\0');
    expect(takeTrackedLook(root)).toBeNull();
    symlinkSync(root, join(folder, 'link'));
    startEarlyLook(['words', join(folder, 'link', 'docs')]);
    expect(await changed(join(root, 'docs'))).toBe('two.md\0');
    expect(readdirSync(join(folder, 'cache', 'index'))).toEqual([]);
  });

  it('T20 of another folder is no answer', async () => {
    startEarlyLook(['words', root]);
    expect(takeTrackedLook(join(root, 'docs'))).toBeNull();
    expect(takeTrackedLook(root)).toBeNull();
  });

  it.each([[['--top', '3', 'words']], [['words', 'a', 'b']], [[]], [['words', '/nowhere/at/all']]])(
    'T20 is not made for a line like %j',
    (args) => {
      startEarlyLook(args);
      expect(takeTrackedLook(root)).toBeNull();
    },
  );

  it('T20 runs nothing that a repository names in its settings', async () => {
    const ran = join(folder, 'ran');
    writeFileSync(join(root, '.gitattributes'), '*.md filter=own\n');
    execFileSync('git', ['-C', root, 'config', 'filter.own.clean', `touch ${ran}; cat`]);
    startEarlyLook(['words', root]);
    expect(takeTrackedLook(root)).toBeNull();
    expect(existsSync(ran)).toBe(false);
  });

  it('T20 does without a place for what git prints', async () => {
    rmSync(join(folder, 'cache'), { recursive: true });
    startEarlyLook(['words', root]);
    expect(await changed(root)).toBe('docs/two.md\0');
  });
});
