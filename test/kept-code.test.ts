import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BINARY, bearings, environment, type Place } from './binary.ts';
import { put, tempFolder } from './temp-folder.ts';

const root = tempFolder();
const LEARNT = 5;
let made = 0;

function place(): Place & { code: string } {
  const home = join(root, `home-${made++}`);
  mkdirSync(home);
  put(home, {
    'project/README.md': 'Prints are ordered by mail.\n',
    'project/src/order.ts': 'export const order = 1;\n',
  });
  const variables = { NODE_DISABLE_COMPILE_CACHE: '' };
  return { home, cwd: join(home, 'project'), code: join(home, '.cache/bearings/code'), variables };
}

// As much code as `load`, whose whole answer may be kept too (kept-output.test.ts).
const WORDS = ['explain', 'README.md', '--task', 'order prints', '--json'];
const run = (at: Place) => bearings(at, ...WORDS);
const codeOf = (at: { code: string }) => join(at.code, readdirSync(at.code)[0] as string);

describe('the code that is kept between runs', () => {
  test('changes nothing of what a command says, from the first run to the last', () => {
    const at = place();
    const plain = { ...at, variables: { NODE_DISABLE_COMPILE_CACHE: '1' } };
    for (const words of [
      ['load', '--task', 'order prints'],
      ['policy', 'show', 'repo'],
      ['--help'],
      ['workspaces', '--json'],
      ['read', '--nope'],
    ]) {
      const expected = bearings(plain, ...words);
      for (let time = 0; time < LEARNT; time += 1) expect(bearings(at, ...words)).toEqual(expected);
    }
  });

  test('is the same file after the runs that learn, and none where it is switched off or the line was wrong', () => {
    const at = place();
    bearings({ ...at, variables: { NODE_DISABLE_COMPILE_CACHE: '1' } }, '--version');
    bearings(at, 'load', '--nope');
    bearings(at, 'lode');
    expect(existsSync(at.code)).toBe(false);
    for (let time = 0; time < LEARNT; time += 1) run(at);
    const bytes = readFileSync(codeOf(at));
    run(at);
    expect(readFileSync(codeOf(at)).equals(bytes)).toBe(true);
    expect(readdirSync(at.code)).toHaveLength(1);
  });

  test('damaged anywhere, cut, emptied or made by someone else, it is not run', () => {
    const at = place();
    const expected = run(at);
    for (let time = 1; time < LEARNT; time += 1) run(at);
    const path = codeOf(at);
    const good = readFileSync(path);
    const damage = fc.oneof(
      fc.nat(good.length - 1).map((n) => (bytes: Buffer) => bytes.fill(bytes.readUInt8(n) ^ 0x55, n, n + 1)),
      fc.nat(good.length - 1).map((n) => (bytes: Buffer) => bytes.subarray(0, n)),
      fc.nat(good.length - 1).map((n) => (bytes: Buffer) => bytes.fill(0, n)),
    );
    fc.assert(
      fc.property(damage, (harm) => {
        writeFileSync(path, harm(Buffer.from(good)), { mode: 0o600 });
        expect(run(at)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
    const evil = Buffer.from(good.toString('latin1').replaceAll('reason', 'raeson'), 'latin1');
    writeFileSync(path, evil);
    expect(run(at)).not.toEqual(expected);
    chmodSync(path, 0o622);
    expect(run(at)).toEqual(expected);
    rmSync(path);
    mkdirSync(path);
    expect(run(at)).toEqual(expected);
  });

  test('of another build it is not run', () => {
    const at = place();
    const bin = join(at.home, 'dist/bin');
    cpSync(dirname(BINARY), bin, { recursive: true });
    const version = () => bearings({ ...at, binary: join(bin, 'main.cjs') }, '--version').stdout.trim();
    for (let time = 0; time < LEARNT; time += 1) expect(version()).not.toBe('9.9.9');
    const program = readFileSync(join(bin, 'program.cjs'), 'utf8');
    writeFileSync(join(bin, 'program.cjs'), program.replaceAll(version(), '9.9.9'));
    utimesSync(join(bin, 'main.cjs'), new Date(), new Date());
    expect(version()).toBe('9.9.9');
  });

  test('many first runs at once all give the answer and leave one good file', async () => {
    const at = place();
    const expected = run({ ...at, variables: { NODE_DISABLE_COMPILE_CACHE: '1' } }).stdout;
    const answers = await Promise.all(Array.from({ length: 8 }, () => output(at)));
    expect(new Set(answers)).toEqual(new Set([expected]));
    for (let time = 0; time < LEARNT; time += 1) expect(run(at).stdout).toBe(expected);
  });
});

function output(at: Place): Promise<string> {
  const child = spawn(process.execPath, [BINARY, ...WORDS], {
    cwd: at.cwd,
    env: environment(at),
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  return new Promise((resolve) => child.on('close', () => resolve(text)));
}
