import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bearings, onTerminal, type Place } from './binary.ts';
import { put, rewriteUnderOldTime, tempFolder } from './temp-folder.ts';

// Files must be older than this before what was made of them is kept.
const SETTLED_MS = 100;
const KEEPING = { NODE_DISABLE_COMPILE_CACHE: '' };
const FILES = {
  'AGENTS.md': 'Prints are ordered by mail.\n',
  'README.md': 'An order of prints.\n',
  'docs/order.md': 'How to order prints.\n',
  'docs/deep/prints.md': 'Sizes of prints.\n',
  'src/order.ts': 'export const order = 1;\n',
};
const WORDS = ['load', '--task', 'order prints'];

const root = tempFolder();
let made = 0;

interface House extends Place {
  cwd: string;
  outputs: string;
}

function house(more: Record<string, string> = {}): House {
  const home = join(root, `house-${made++}`);
  const cwd = join(home, 'project');
  put(cwd, { ...FILES, ...more });
  return { home, cwd, outputs: join(home, '.cache/bearings/outputs'), variables: KEEPING };
}

const worked = (at: House, ...words: string[]) => bearings({ ...at, variables: {} }, ...words);
const kept = (at: House) => (existsSync(at.outputs) ? readdirSync(at.outputs) : []);

// The text at the end of the kept file, in both halves, so that a kept answer can be told from one that was worked out.
function mark(at: House): void {
  const path = join(at.outputs, kept(at)[0] as string);
  const bytes = readFileSync(path);
  for (const end of [bytes.length / 2, bytes.length]) bytes.write('?', end - 2);
  writeFileSync(path, bytes, { mode: 0o600 });
}

// Everything that may change in a project between two loads. The names say what.
const CHANGES: Record<string, (project: string) => void> = {
  'other words of the same size, under the old time': (project) =>
    rewriteUnderOldTime(join(project, 'docs/order.md'), 'How to frame photos.\n'),
  'another file in its place, with the same size and time': (project) => {
    const path = join(project, 'README.md');
    const { atime, mtime } = statSync(path);
    writeFileSync(`${path}.new`, 'A frame for prints.\n');
    utimesSync(`${path}.new`, atime, mtime);
    renameSync(`${path}.new`, path);
  },
  'a new file deep down': (project) => put(project, { 'docs/deep/more.md': 'order prints order prints\n' }),
  'a file less': (project) => rmSync(join(project, 'docs/deep/prints.md')),
  'another name': (project) => renameSync(join(project, 'docs/order.md'), join(project, 'docs/zz.md')),
  'a folder gone': (project) => rmSync(join(project, 'docs'), { recursive: true }),
  'a folder where a file was': (project) => {
    rmSync(join(project, 'README.md'));
    mkdirSync(join(project, 'README.md'));
  },
  'a link where a file was': (project) => {
    rmSync(join(project, 'README.md'));
    symlinkSync('docs/order.md', join(project, 'README.md'));
  },
  'a rule that was not there': (project) => put(project, { 'CLAUDE.md': 'Say little.\n' }),
  'an ignore file': (project) => put(project, { 'docs/.gitignore': '*.md\n' }),
  'a policy': (project) =>
    put(project, { '.bearings/policy.yaml': 'extends: repo\nname: ours\nbudget: {max_files: 2}\n' }),
  'the sign of another layout': (project) => put(project, { '.cortex/manifest_v0.json': '{}' }),
  'a key in a file': (project) => put(project, { 'docs/order.md': `order prints with ghp_${'aB3'.repeat(12)}\n` }),
  'only the time': (project) => utimesSync(join(project, 'README.md'), new Date(1e12), new Date(1e12)),
  nothing: () => {},
};

describe('the answer of a load that is kept', () => {
  const houses = new Map(Object.keys(CHANGES).map((name) => [name, house()]));
  const [used, asked, foreign] = [house(), house(), house()];
  const withIgnore = house({ '.gitignore': 'docs/deep\n' });
  const withSecret = house({ 'README.md': `order prints with ghp_${'aB3'.repeat(12)}\n` });
  const followed = house();
  renameSync(join(followed.cwd, 'README.md'), join(followed.cwd, 'docs/readme.md'));
  symlinkSync('docs/readme.md', join(followed.cwd, 'README.md'));
  beforeAll(() => wait(SETTLED_MS));

  test.each(Object.entries(CHANGES))('L14 after a change it is worked out anew: %s', (name, change) => {
    const at = houses.get(name) as House;
    expect(bearings(at, ...WORDS)).toEqual(worked(at, ...WORDS));
    expect(kept(at)).toHaveLength(1);
    change(at.cwd);
    expect(bearings(at, ...WORDS)).toEqual(worked(at, ...WORDS));
  });

  test('L14 an ignore file that changes', () => {
    bearings(withIgnore, ...WORDS);
    expect(kept(withIgnore)).toHaveLength(1);
    writeFileSync(join(withIgnore.cwd, '.gitignore'), 'docs/none\n');
    expect(bearings(withIgnore, ...WORDS)).toEqual(worked(withIgnore, ...WORDS));
  });

  test('is what a second run says, in every rendering and to a file; never on a terminal', async () => {
    for (const more of [[], ['--markdown'], ['--xml'], ['--table'], ['--max-tokens', '500']]) {
      const expected = worked(used, ...WORDS, ...more);
      for (let time = 0; time < 3; time += 1) expect(bearings(used, ...WORDS, ...more)).toEqual(expected);
    }
    rmSync(used.outputs, { recursive: true });
    bearings(used, ...WORDS);
    mark(used);
    expect(bearings(used, ...WORDS).stdout).toMatch(/\?\n$/);
    expect((await onTerminal(used, WORDS)).stdout).not.toContain('?');
    expect(statSync(used.outputs).mode & 0o777).toBe(0o700);
  });

  test('damaged, cut or writable by others, it is worked out anew', () => {
    const expected = bearings(foreign, ...WORDS);
    const path = join(foreign.outputs, kept(foreign)[0] as string);
    const good = readFileSync(path);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.boolean(), (at, cut) => {
        const bytes = Buffer.from(good);
        writeFileSync(path, cut ? bytes.subarray(0, at) : bytes.fill(bytes.readUInt8(at) ^ 0x55, at, at + 1));
        expect(bearings(foreign, ...WORDS)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
    writeFileSync(path, good);
    mark(foreign);
    chmodSync(path, 0o622);
    expect(bearings(foreign, ...WORDS)).toEqual(expected);
  });

  test('other words, another folder, other settings and what reads more than the project have no part in it', () => {
    bearings(asked, ...WORDS);
    mark(asked);
    const others: [House, string[]][] = [
      [asked, ['load', '--task', 'order']],
      [asked, [...WORDS, '--tactical']],
      [{ ...asked, cwd: join(asked.cwd, 'docs') }, WORDS],
      [{ ...asked, variables: { ...KEEPING, BEARINGS_HOME: join(asked.home, 'other') } }, WORDS],
    ];
    for (const [at, words] of others) expect(bearings(at, ...words)).toEqual(worked(at, ...words));
    const before = kept(asked).length;
    bearings(asked, ...WORDS, '--tactical', '--json');
    expect(kept(asked)).toHaveLength(before);
  });

  test('L25 what is kept of a bundle has no secret in it', () => {
    expect(bearings(withSecret, ...WORDS).stdout).toContain('README.md');
    expect(kept(withSecret)).toHaveLength(1);
    expect(readFileSync(join(withSecret.outputs, kept(withSecret)[0] as string), 'utf8')).not.toContain('ghp_');
  });

  test('L14 where a link is followed it is worked out every time', () => {
    expect(bearings(followed, ...WORDS).stdout).toContain('An order');
    expect(kept(followed)).toEqual([]);
  });

  test('at most 64 are kept, the newest', () => {
    const at = houses.get('nothing') as House;
    for (let n = 0; n < 70; n += 1) put(at.outputs, { [`old-${n}.bin`]: 'x' });
    bearings(at, 'load', '--task', 'something new');
    expect(kept(at)).toHaveLength(64);
    expect(bearings(at, ...WORDS)).toEqual(worked(at, ...WORDS));
  });
});
