import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/json.ts';
import { CORTEX_FILES } from '../support/cortex-project.ts';
import { BINARY, bearings, environment } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
// Another user must be able to read what the tests make.
chmodSync(root, 0o755);

const NAMES = ['z', 'a', 'Z', 'A', 'ä', 'é', 'İ', 'ı', 'ß', '_', '-', '10', '9', '😀', '\uff21', 'ö x'];
const REPO_FILES: Record<string, string> = {
  'AGENTS.md': 'rules\n',
  'README.md': `${'line of the readme\n'.repeat(300)}`,
  'package.json': '{"name": "sample"}',
  'docs/decisions/0009-nine.md': 'Status: accepted\n',
  'docs/decisions/0010-ten.md': 'Status: accepted\n',
  ...Object.fromEntries(NAMES.map((name) => [`docs/${name}.md`, `page ${name}\n`])),
  '.bearings/policy.yaml': 'extends: repo\nadapters: [{name: beads, kind: file, path: beads.json}]\n',
  '.bearings/notes.md': 'WB runs cool\n',
  '.bearings/log.jsonl': '{"timestamp": "2026-01-01T00:00:00Z", "op": "a"}\n',
  'beads.json': JSON.stringify({
    fetched_at: '2026-11-15T10:00:00+02:00',
    items: [
      { id: 'b', state: 'ready', priority: 1, source_updated_at: '2026-11-14 12:00' },
      { id: 'a', state: 'ready', priority: 1, source_updated_at: '2026-11-14T12:00:01Z' },
    ],
  }),
};
const LOAD = ['load', '--task', 'rewrite the docs', '--tactical', '--adapter', 'beads'];
const ARGS = [...LOAD, '--json'];
// Counting tokens takes longer than all the rest: once is enough where something else is tried.
const COUNTED = [...LOAD, '--max-tokens', '5000', '--json'];

const LATER = `const Real = Date, years = 3 * 365 * 86_400_000;
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [Real.now() + years] : given)); }
  static now() { return Real.now() + years; }
};
`;

function make(
  name: string,
  files: Record<string, string>,
  order: (names: string[]) => string[] = (names) => names,
): string {
  const folder = join(root, name);
  for (const file of order(Object.keys(files))) put(folder, { [file]: files[file] ?? '' });
  return folder;
}

function date(folder: string, when: Date): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(folder, name), when, when);
}

function run(cwd: string, variables: Record<string, string> = {}, args: string[] = ARGS): string {
  const { code, stdout, stderr } = bearings({ home: join(root, 'home'), cwd, variables }, ...args);
  // What nobody signed is told beside the bundle, and is no part of it.
  expect(stderr).toMatch(/^(?:warning: .*unaccounted.*\n)*$/);
  expect(code).toBe(0);
  return stdout;
}

describe('the same state and the same words give the same bytes', () => {
  for (const [kind, files, args] of [
    ['repo', REPO_FILES, ARGS],
    ['cortex', CORTEX_FILES, ['load', '--task', 'the specs', '--json']],
  ] as const) {
    it(`L14 ${kind}: places, times, creation order, locale, zone, user, umask, process, git`, () => {
      const first = make(`${kind}/one`, { ...files });
      const expected = run(first, {}, [...args]);
      let variations = 0;
      const same = (cwd: string, variables: Record<string, string> = {}) => {
        expect(run(cwd, variables, [...args])).toBe(expected);
        variations += 1;
      };
      // Two places, one deep and with an odd name; other creation orders; other file times.
      same(make(`${kind}/zwei/mit leer & ünï "quotes" [x] {y}`, { ...files }, (names) => names.reverse()));
      same(make(`${kind}/back\\slash`, { ...files }, (names) => names.sort()));
      const dated = make(`${kind}/dated`, { ...files }, (names) => names.sort((a, b) => a.length - b.length));
      for (const when of ['1980-01-01', '2026-11-15', '2038-02-01']) {
        date(dated, new Date(when));
        same(dated);
      }
      for (const locale of ['C', 'POSIX', 'C.UTF-8', 'de_DE.UTF-8', 'tr_TR.UTF-8', 'sv_SE.UTF-8', 'ja_JP.SJIS', 'xx'])
        same(first, { LANG: locale, LC_ALL: locale });
      for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati', 'Etc/GMT+12'])
        same(first, { TZ: zone });
      // No home, and a file where the cache should be: nothing can be made in it.
      same(first, { HOME: join(root, 'no home'), XDG_CACHE_HOME: join(first, 'README.md') });
      same(first, { NO_COLOR: '1', TERM: 'dumb', COLUMNS: '20', CI: 'true', TINYGLOBBY_DEBUG: '1' });
      // Through a link to the project, from inside and from outside of it.
      const link = join(root, `${kind}-link`);
      symlinkSync(first, link);
      same(link);
      for (const folder of [first, link]) {
        expect(run(root, {}, [args[0], folder, ...args.slice(1)])).toBe(expected);
        variations += 1;
      }
      for (const mask of ['000', '027', '077']) {
        const line = `umask ${mask}; exec "$0" "$@"`;
        const options = { cwd: first, encoding: 'utf8', env: environment({ home: join(root, 'home') }) } as const;
        const out = spawnSync('sh', ['-c', line, process.execPath, BINARY, ...args], options);
        expect(out.stdout).toBe(expected);
        variations += 1;
      }
      // History: a repository, first with one commit, then with two.
      for (const message of ['one', 'two']) {
        const git = (...words: string[]) =>
          execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: dated });
        git('init', '-q');
        git('add', '-A');
        git('commit', '-qm', message, '--allow-empty');
        same(dated);
      }
      expect(variations).toBeGreaterThanOrEqual(25);
    });
  }

  it('L14 tokens are counted the same in another place, locale and zone', () => {
    const expected = run(make('tokens/one', REPO_FILES), {}, COUNTED);
    expect(JSON.parse(expected).budget.max_tokens).toBe(5000);
    const other = make('tokens/two', REPO_FILES, (names) => names.reverse());
    expect(run(other, { LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' }, COUNTED)).toBe(expected);
  });

  it.runIf(process.getuid?.() === 0)('L14 another user sees the same', () => {
    const folder = make('user', REPO_FILES);
    const expected = run(folder);
    const out = spawnSync(process.execPath, [BINARY, ...ARGS], {
      cwd: folder,
      encoding: 'utf8',
      uid: 65534,
      gid: 65534,
      env: { PATH: process.env.PATH ?? '', HOME: join(root, 'nobody') },
    });
    expect(out.stdout).toBe(expected);
  });

  it('L14 no clock, no absolute path, keys in order, final newline', () => {
    const folder = make('plain', REPO_FILES);
    const out = run(folder);
    expect(out.endsWith('}\n')).toBe(true);
    expect(out).not.toContain(root);
    // Years later by the clock of the process, the same bytes.
    put(root, { 'later.cjs': LATER });
    const later = bearings(
      {
        home: join(root, 'home'),
        cwd: folder,
        variables: { NODE_OPTIONS: `--require=${JSON.stringify(join(root, 'later.cjs'))}` },
      },
      ...ARGS,
    );
    expect(later).toMatchObject({ code: 0, stdout: out });
    expect(out).toBe(canonicalJson(JSON.parse(out)));
    expect(JSON.parse(out).bundle_sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('drift', () => {
  const place = { home: join(root, 'home') };
  const CHANGES: [string, (folder: string) => void, string][] = [
    ['a changed file', (folder) => appendFileSync(join(folder, 'AGENTS.md'), 'more\n'), 'AGENTS.md'],
    ['a change beyond the excerpt', (folder) => appendFileSync(join(folder, 'README.md'), 'more\n'), 'README.md'],
    ['a new file', (folder) => put(folder, { 'docs/0.md': 'new' }), 'docs/0.md'],
    ['a new decision', (folder) => put(folder, { 'docs/decisions/0011-x.md': 'x' }), 'docs/decisions/0011-x.md'],
    ['another policy', (folder) => appendFileSync(join(folder, '.bearings/policy.yaml'), 'about: other\n'), 'sha256'],
    ['a new note', (folder) => appendFileSync(join(folder, '.bearings/notes.md'), 'more\n'), 'tactical/memory'],
    ['another payload', (folder) => put(folder, { 'beads.json': '[{"id": "c"}]' }), 'adapter/beads'],
    ['a file that can’t be read', (folder) => put(folder, { 'beads.json': '{' }), 'beads'],
  ];
  const whole = join(root, 'whole');
  beforeAll(() => {
    make('whole', REPO_FILES);
    run(whole, {}, [...COUNTED.slice(0, -1), '--out', join(whole, 'bundle.json')]);
  });

  it('L16 nothing changed is no drift', () => {
    expect(run(whole, {}, ['drift', 'bundle.json'])).toMatch(/^no drift/);
  });

  it.each(CHANGES)('L16 names %s and ends with 1', (what, change, name) => {
    const folder = join(root, `drift-${what.replaceAll(/\W/g, '')}`);
    cpSync(whole, folder, { recursive: true });
    change(folder);
    const { code, stdout } = bearings({ ...place, cwd: folder }, 'drift', 'bundle.json');
    expect(code).toBe(1);
    expect(stdout).toContain(name);
  });

  it('L16 names a bundle that was edited by hand', () => {
    const folder = make('edited', REPO_FILES);
    bearings({ ...place, cwd: folder }, 'load', '--out', 'bundle.json');
    const path = join(folder, 'bundle.json');
    const bundle = JSON.parse(bearings({ ...place, cwd: folder }, 'load', '--json').stdout);
    writeFileSync(path, JSON.stringify({ ...bundle, task_key: 'other' }));
    const { code, stdout } = bearings({ ...place, cwd: folder }, 'drift', 'bundle.json');
    expect(code).toBe(1);
    expect(stdout).toContain('was edited');
    // What nobody built is not accepted as it is.
    expect(stdout).toContain('the bundle itself was edited: take the one you had');
  });

  it('L16 a moved project does not drift', () => {
    const folder = make('moved/from', REPO_FILES);
    bearings({ ...place, cwd: folder }, ...LOAD, '--out', join(root, 'moved/bundle.json'));
    mkdirSync(join(root, 'moved/deeper/to'), { recursive: true });
    cpSync(folder, join(root, 'moved/deeper/to'), { recursive: true });
    const { code } = bearings({ ...place, cwd: join(root, 'moved') }, 'drift', 'bundle.json', '--project', 'deeper/to');
    expect(code).toBe(0);
  });
});
