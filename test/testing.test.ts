import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leftBehind, leftInside, machineState } from '../scripts/testing/leftovers.mjs';
import { testsThatNeed } from '../scripts/testing/needs.mjs';
import { sandboxed } from '../scripts/testing/sandbox.mjs';
import { put, tempFolder } from './support/temp-folder.ts';

const root = resolve(import.meta.dirname, '..');

describe('what the tests leave behind', () => {
  it('is nothing of this run: its home is its own', () => {
    expect(homedir()).toBe(process.env.BEARINGS_TEST_SANDBOX);
    expect(tmpdir()).toBe(join(homedir(), '../tmp'));
    for (const name of ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'])
      expect(process.env[name]?.startsWith(homedir())).toBe(true);
  });

  it('depends on nothing that a person has set for their own programs', () => {
    const given = { PATH: '/bin', TZ: 'Asia/Tokyo', SSL_CERT_FILE: 'c', GIT_SSL_CAINFO: 'g', npm_config_registry: 'r' };
    const own = {
      ...{
        XDG_CACHE_HOME: 'x',
        BEARINGS_HOME: 'x',
        GIT_DIR: 'x',
        GIT_CONFIG_COUNT: '1',
        PGHOST: 'x',
        FORCE_COLOR: '1',
      },
      ...{ COLUMNS: '40', LC_ALL: 'tr_TR.UTF-8', EDITOR: 'x', NODE_OPTIONS: '--inspect', OPENAI_API_KEY: 'x' },
      ...{ CLAUDE_CONFIG_DIR: 'x', OTEL_TRACES_EXPORTER: 'x' },
    };
    const found = sandboxed({ folder: '/f', home: '/f/home', temporary: '/f/tmp' }, { ...given, ...own });
    expect(found).toMatchObject(given);
    expect(Object.keys(own).filter((name) => name in found)).toEqual(['XDG_CACHE_HOME']);
    expect(found).toMatchObject({ XDG_CACHE_HOME: '/f/home/.cache', LANG: 'C.UTF-8' });
  });

  const machine = () => {
    const folder = tempFolder();
    const places = { home: join(folder, 'home'), shared: [folder, join(folder, 'tmp')] };
    put(folder, { 'etc/x': '', 'tmp/other/x': '', 'home/.cache/other/x': '', 'home/.bearings/notes.md': 'mine' });
    const before = machineState(places);
    const told = () =>
      leftBehind(before, machineState(places), places)
        .map((line) => line.slice(folder.length + 1))
        .sort();
    return { folder, places, told };
  };

  it('is told by name, wherever it is', () => {
    const { folder, places, told } = machine();
    put(folder, {
      ...{ 'tmp/bearings-test-planted/x': '', 'bearings.md': '', 'home/.cursor/mcp.json': '' },
      ...{ 'home/.cache/bearings/x': '', 'home/.config/bearings/x': '', 'home/.bearings/notes.md': 'changed' },
    });
    expect(told()).toEqual([
      'bearings.md was left behind',
      'home/.bearings/notes.md was changed',
      'home/.cache/bearings was left behind',
      'home/.cache/bearings/x was left behind',
      'home/.config/bearings was left behind',
      'home/.config/bearings/x was left behind',
      'home/.cursor was left behind',
      'tmp/bearings-test-planted was left behind',
    ]);
    expect(leftInside({ home: places.home, temporary: join(folder, 'empty') }).length).toBeGreaterThan(0);
  });

  it('is not what other programs make meanwhile, however many', () => {
    const { folder, told } = machine();
    const names = Array.from({ length: 1000 }, (_, i) => [`tmp/build-${i}.log`, `home/.${i}_history`, `home/.npm${i}`]);
    put(folder, Object.fromEntries(names.flat().map((name) => [name, ''])));
    put(folder, { 'nonexistent/x': '', 'tmp/bt-other/x': '', 'home/.config/editor/x': '', 'home/.cache/node/x': '' });
    expect(told()).toEqual([]);
  });

  it('is told where a test writes to a path of the machine that it names whole', () => {
    const named = dirname('/nonexistent-folder-of-a-test/x');
    const after = new Map([named, `${named}-and-another`].map((path) => [path, 'there']));
    // As root, since nobody owns what is not there.
    const { getuid } = process;
    process.getuid = () => 0;
    const told = leftBehind(new Map(), after);
    process.getuid = getuid;
    expect(told).toEqual([`${named} was left behind`]);
  });

  it('can be known by its name: every temporary folder of ours begins with the product’s', () => {
    const files = ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
    );
    const made = files
      .filter((name) => /\.(?:ts|[cm]js)$/.test(name))
      .flatMap((name) => [...readFileSync(name, 'utf8').matchAll(/mkdtemp\w*\(join\(tmpdir\(\), (.*?)\)\)/g)]);
    expect(made.length).toBeGreaterThan(30);
    expect(made.map(([, name]) => name).filter((name) => !name?.startsWith("'bearings-"))).toEqual([]);
  });
});

it('what a machine lacks leaves out just the tests that come to it, also through a helper', () => {
  const [terminal, browser, postgres] = ['process/tmux', 'page/page-browser', 'tasks/postgres-server'].map((name) =>
    testsThatNeed(`test/support/${name}.ts`),
  );
  expect(terminal).toEqual(expect.arrayContaining(['test/cli/review.test.ts', 'test/attacks/levels.test.ts']));
  expect(browser).toEqual(expect.arrayContaining(['test/web/page.test.ts', 'test/web/list.test.ts']));
  expect(postgres).toContain('test/tasks/engine-postgres.test.ts');
  for (const found of [terminal, browser, postgres]) expect(found).not.toContain('test/cli/command-line.test.ts');
});

// vitest itself, with a test that was planted for it.
function planted(name: string, body: string) {
  const folder = join(root, 'test-output', `planted-${name}`);
  const file = join(folder, 'planted.test.ts');
  mkdirSync(folder, { recursive: true });
  const sandbox = tempFolder();
  const config = `import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';
export default defineConfig({ ...shared, test: { ...shared.test, root: ${JSON.stringify(root)}, include: ['test-output/planted-${name}/*.test.ts'] } });`;
  writeFileSync(join(folder, 'vitest.config.ts'), config);
  writeFileSync(
    file,
    `import { writeFileSync, existsSync } from 'node:fs';\nimport { expect, it } from 'vitest';\n${body}`,
  );
  const { BEARINGS_TEST_SANDBOX: _, ...env } = process.env;
  const ran = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', '--config', join(folder, 'vitest.config.ts')], {
    cwd: root,
    env: { ...env, HOME: sandbox, TMPDIR: sandbox },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  return ran;
}

describe('a long run', () => {
  it('is asked for by one variable, BEARINGS_TEST_LONG', () => {
    const files = [...readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })];
    const numbers = files
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .flatMap((name) => [...readFileSync(join(root, 'test', name), 'utf8').matchAll(/Number\(process\.env\.(\w+)/g)])
      .map(([, variable]) => variable);
    // A time that goes on is no repetition: `npm run test:http -- --minutes 60`.
    expect(numbers).toEqual(['HTTP_MINUTES']);
  });
});

describe('a planted test', () => {
  it('that leaves a file in its home and one in its temporary folder makes the run fail, and both are named', () => {
    const body = `for (const name of ['HOME', 'TMPDIR'])
      it('leaves a file', () => writeFileSync(process.env[name] + '/planted', ''));`;
    const { status, stdout, stderr } = planted('left', body);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('~/planted was left in the home');
    expect(stdout + stderr).toContain('planted was left in the temporary folder');
  });

  it('that would pass if it were run again makes the run fail', () => {
    const mark = join(tempFolder(), 'mark');
    const body = `it('is unsteady', () => {
      const isSecond = existsSync('${mark}');
      writeFileSync('${mark}', '');
      expect(isSecond).toBe(true);
    });`;
    expect(planted('unsteady', body).status).toBe(1);
    expect(existsSync(mark)).toBe(true);
  });

  it('is never run again: no test and no setting asks for it', () => {
    const files = [
      ...readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).map((name) => join('test', name)),
      ...readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((name) => join('src', name)),
    ].filter((name) => name.endsWith('.test.ts') && name !== join('test', 'testing.test.ts'));
    const settings = ['vitest.config.ts', 'scripts/test.mjs', 'package.json'];
    expect(files.length).toBeGreaterThan(100);
    for (const name of [...files, ...settings]) {
      if (!existsSync(join(root, name))) continue;
      expect(readFileSync(join(root, name), 'utf8'), name).not.toMatch(/\bretry\s*:|--retry|\.retry\(/);
    }
  });
});
