import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { loadView } from '../../src/cli/views/load-view.ts';
import { renderMarkdown } from '../../src/loader/bundle/render-markdown.ts';
import { renderXml } from '../../src/loader/bundle/render-xml.ts';
import { matchTask } from '../../src/loader/match-task.ts';
import { repoPolicy } from '../../src/loader/policy/policies/repo.ts';
import { openProject } from '../../src/project/io/open-project.ts';
import { openApp } from '../../src/settings/io/open-app.ts';
import { CORTEX_FILES } from '../support/cortex-project.ts';
import { effort } from '../support/effort.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const FILES = {
  'AGENTS.md': 'Palette, contrast and colour: the rules.\n',
  'docs/a-guide.md': 'How to start.\n',
  'docs/b-guide.md': 'How to go on.\n',
  'src/deep/inside/palette.ts': 'export function contrastOf(palette) { return palette.contrast; }\n',
  'src/deep/inside/other.ts': 'export const unrelated = 1;\n',
  'src/deep/palette.test.ts': 'the palette and its contrast\n',
  'ignored/palette.ts': 'palette contrast palette contrast\n',
  '.gitignore': 'ignored/\n',
  '.env': 'PALETTE=contrast\n',
  'server.key': 'palette contrast\n',
};
const TASK = 'fix the contrast of the palette';
let made = 0;

function project(files: Record<string, string> = FILES): {
  dir: string;
  bearings: ReturnType<typeof openRooms>;
  cache: string;
} {
  const dir = join(root, `p${made}`, 'project');
  const cache = join(root, `p${made}`, 'cache');
  made += 1;
  put(dir, files);
  return { dir, cache, bearings: open(cache) };
}

function open(cache: string): ReturnType<typeof openRooms> {
  return openRooms({
    home: join(root, 'home'),
    cwd: root,
    variables: { BEARINGS_CACHE: cache, PATH: process.env.PATH },
  });
}

function git(dir: string, ...words: string[]): string {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: root,
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  };
  return execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words], {
    cwd: dir,
    env,
    encoding: 'utf8',
  });
}

describe('the words of the task select', () => {
  it('L29 L25 of a README its first prose is given, whatever else there is, and looked at for secrets', async () => {
    const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
    const filler = Array.from({ length: 900 }, (_, at) => `Line ${at} tells something else.\n`).join('');
    const readme = `# Lamp\n\n![badge](a.svg)\nThe contrast of the palette is set by \`${token}\`.\n\n${filler}`;
    const { dir, bearings } = project({ ...FILES, 'README.md': readme });
    const entryIn = async () =>
      (await (await bearings.loader()).loadContext({ dir, task: TASK })).files.find((one) => one.path === 'README.md');
    const entry = await entryIn();
    expect(entry).toMatchObject({ source_class: 'control_plane', truncated: true });
    expect(entry?.excerpt).toMatch(/^\[lines 1-3 left out\]\nThe contrast of the palette is set by/);
    expect(entry?.excerpt).not.toContain(token);
    expect(entry?.chars).toBeLessThanOrEqual(700);
    put(dir, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`src/new${at}.ts`, 'palette contrast else\n'])));
    expect(await entryIn()).toEqual(entry);
  });

  it('L29 of a manifest what the task names comes first, and a version there moves no control plane', async () => {
    const others = Array.from({ length: 30 }, (_, at) => `    "other-${at}": "1.0.0",\n`).join('');
    const manifest = (version: string) =>
      `{\n  "scripts": { "test": "vitest run" },\n  "dependencies": {\n${others}    "left-pad": "${version}"\n  }\n}\n`;
    const { dir, bearings } = project({ ...FILES, 'package.json': manifest('1.0.0') });
    const loader = await bearings.loader();
    const before = await loader.loadContext({ dir, task: 'bump left-pad' });
    const entry = before.files.find(({ path }) => path === 'package.json');
    expect(entry).toMatchObject({ source_class: 'control_plane', truncated: true });
    expect(entry?.excerpt).toMatch(/"test": "vitest run"[\s\S]*"left-pad": "1.0.0"/);
    put(dir, { 'package.json': manifest('1.0.1') });
    expect(await loader.driftOf(before, { dir, slice: 'control_plane' })).toMatchObject({ drifted: false });
    expect(await loader.driftOf(before, { dir })).toMatchObject({ drifted: true });
  });

  it('L24 names with a dot compete like all others; the memory of the repository and secrets do not', async () => {
    const { dir, bearings } = project({
      ...FILES,
      '.eslintrc.json': '{ "palette": "contrast" }\n',
      '.husky/palette': 'contrast of the palette\n',
      '.bearings/notes.md': 'The contrast of the palette.\n',
    });
    const { files, dropped } = await (await bearings.loader()).loadContext({ dir, task: TASK });
    const paths = files.map(({ path }) => path);
    const considered = [...paths, ...dropped.map((one) => one.path)];
    expect(considered).toEqual(expect.arrayContaining(['.eslintrc.json', '.husky/palette']));
    for (const path of ['.bearings/notes.md', '.env', 'server.key'])
      expect([...paths, ...dropped.map((one) => one.path)]).not.toContain(path);
  });

  it('L7 L15 repo: the best fitting file first, with its score, its parts and the shared words', async () => {
    const { dir, bearings } = project();
    const bundle = await (await bearings.loader()).loadContext({ dir, task: TASK });
    const task = bundle.files.filter(({ source_class }) => source_class === 'task');
    expect(task[0]).toMatchObject({ path: 'src/deep/inside/palette.ts', selected_by: 'task:default:match' });
    expect(task[0]?.score).toMatchObject({ words: ['contrast', 'palette'], parts: { words: 1 } });
    expect(task[1]).toMatchObject({ path: 'src/deep/palette.test.ts', selected_by: 'task:default:match' });
    // What no word speaks for is no task file (L23): the rest of the room stays empty.
    expect(task).toHaveLength(2);
    expect([...bundle.files, ...bundle.dropped].map(({ path }) => path)).not.toContain('docs/a-guide.md');
    expect(bundle.history).toBeNull();
    expect(bundle.files.filter(({ path }) => path === 'AGENTS.md')).toHaveLength(1);
    const view = loadView(bundle, { columns: 100, paint: (_, text) => text }, []);
    expect(view).toMatch(/task +src\/deep\/inside\/palette\.ts +\d+ +whole/);
  });

  it('L7 ignored, secret and unsafe files never compete; nor does a bundle that is kept in the project', async () => {
    const { dir, bearings } = project();
    const bundle = await (await bearings.loader()).loadContext({ dir, task: TASK });
    const paths = [...bundle.files, ...bundle.dropped].map(({ path }) => path);
    for (const path of ['ignored/palette.ts', '.env', 'server.key']) expect(paths).not.toContain(path);
    put(dir, {
      'kept.md': renderMarkdown(bundle),
      'kept.xml': renderXml(bundle),
    });
    await (await bearings.loader()).saveBundle({ dir, task: TASK }, { path: join(dir, 'kept.json'), as: 'json' });
    const again = await (await bearings.loader()).loadContext({ dir, task: TASK });
    expect(again.files.filter(({ score }) => score)).toEqual(bundle.files.filter(({ score }) => score));
  });

  it('L7 without a task, with `match: off` and in cortex nothing is matched', async () => {
    const { dir, bearings } = project();
    expect((await (await bearings.loader()).loadContext({ dir })).files.some(({ score }) => score)).toBe(false);
    put(dir, { '.bearings/policy.yaml': 'extends: repo\nmatch: off\n' });
    expect((await (await bearings.loader()).loadContext({ dir, task: TASK })).files.some(({ score }) => score)).toBe(
      false,
    );
    const cortex = project({ ...CORTEX_FILES });
    const plain = await (await cortex.bearings.loader()).loadContext({ dir: cortex.dir, task: 'the specs' });
    expect(plain.files.some(({ score }) => score)).toBe(false);
    put(cortex.dir, { '.bearings/policy.yaml': 'extends: cortex\nmatch: {}\n' });
    const bundle = await (await cortex.bearings.loader()).loadContext({ dir: cortex.dir, task: 'the specs' });
    const matched = bundle.files.filter(({ score }) => score);
    expect(matched.length).toBeGreaterThan(0);
    // Only what some intent includes competes.
    for (const { path } of matched) expect(path).toMatch(/^(?:specs|policies|templates|\.cortex\/artifacts)\//);
  });

  it('L7 `match.include` says who competes', async () => {
    const { dir, bearings } = project();
    put(dir, { '.bearings/policy.yaml': 'extends: repo\nmatch: {include: ["src/deep/*.ts"]}\n' });
    const { files } = await (await bearings.loader()).loadContext({ dir, task: TASK });
    expect(files.filter(({ score }) => score).map(({ path }) => path)).toEqual(['src/deep/palette.test.ts']);
  });

  it.each([
    ['match: 7', '1:8'],
    ['match: {history: 0}', '1:18'],
    ['match: {include: ["../x"]}', '1:19'],
    ['match: {depth: 3}', '1:9'],
  ])('L2 a broken match rule is refused with its place: %s', async (line, place) => {
    const { dir, bearings } = project({ 'policy.yaml': `${line}\nextends: repo\n` });
    const { problems } = await (await bearings.loader()).checkPolicy(join(dir, 'policy.yaml'), { dir });
    expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual([place]);
  });

  it('L16 explain shows the score of what is in and of what is left out', async () => {
    const { dir, bearings } = project();
    const inside = await (await bearings.loader()).explainPath('src/deep/inside/palette.ts', { dir, task: TASK });
    expect(inside.reasons.join('\n')).toMatch(
      /fits the words of the task[\s\S]*match \d\.\d\d: contrast, palette\nmade of words 1,/,
    );
    const out = await (await bearings.loader()).explainPath('src/deep/palette.test.ts', {
      dir,
      task: TASK,
      max_files: 2,
    });
    expect(out.verdict).toBe('dropped');
    expect(out.reasons.join('\n')).toMatch(/match \d\.\d\d: contrast, palette/);
  });
});

describe('the past', () => {
  const POLICY = { '.bearings/policy.yaml': 'extends: repo\nmatch: {history: 100}\n' };
  function repository(): ReturnType<typeof project> {
    const one = project({ ...FILES, ...POLICY });
    git(one.dir, 'init', '-q', '-b', 'main');
    git(one.dir, 'add', '-A');
    git(one.dir, 'commit', '-qm', 'first');
    put(one.dir, { 'src/deep/inside/other.ts': 'export const unrelated = 2;\n' });
    git(one.dir, 'commit', '-qam', 'fix the contrast of the palette');
    return one;
  }

  it('L7 the bundle names head and depth; clones with the same past give the same bytes', async () => {
    const { dir, bearings } = repository();
    const bundle = await (await bearings.loader()).loadContext({ dir, task: TASK });
    expect(bundle.history).toEqual({ head: git(dir, 'rev-parse', 'HEAD').trim(), depth: 2 });
    for (const name of ['one', 'two']) {
      git(root, 'clone', '-q', dir, join(dir, '..', name));
      const clone = open(join(dir, '..', `cache-${name}`));
      for (const _ of ['cold', 'warm'])
        expect(await (await clone.loader()).loadContext({ dir: join(dir, '..', name), task: TASK })).toEqual(bundle);
    }
  });

  it('L7 L16 drift says when a shallow clone or another head explains the change', async () => {
    const { dir, bearings } = repository();
    const bundle = await (await bearings.loader()).loadContext({ dir, task: TASK });
    const shallow = join(dir, '..', 'shallow');
    git(root, 'clone', '-q', '--depth', '1', `file://${dir}`, shallow);
    const { drifted, diff } = await (await bearings.loader()).driftOf(bundle, { dir: shallow });
    expect(drifted).toBe(true);
    expect(diff.changes).toContainEqual(
      expect.objectContaining({ part: 'history', name: 'depth', detail: expect.stringContaining('shallow clone') }),
    );
    // The same head with all of its past again: nothing shallow was kept.
    git(shallow, 'fetch', '-q', '--unshallow');
    expect((await (await bearings.loader()).driftOf(bundle, { dir: shallow })).drifted).toBe(false);
    git(dir, 'commit', '-q', '--allow-empty', '-m', 'another');
    const moved = await (await bearings.loader()).driftOf(bundle, { dir });
    expect(moved.diff.changes).toContainEqual(expect.objectContaining({ part: 'history', name: 'head' }));
  });

  it('L7 without git, without a commit, or where no commit counts for a file, the bundle says that there is no history', async () => {
    const { dir, bearings } = project({ ...FILES, ...POLICY });
    expect(await (await bearings.loader()).loadContext({ dir, task: TASK })).toMatchObject({ history: null });
    git(dir, 'init', '-q');
    expect(await (await bearings.loader()).loadContext({ dir, task: TASK })).toMatchObject({ history: null });
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'first');
    expect(await (await bearings.loader()).loadContext({ dir, task: TASK })).toMatchObject({ history: null });
    put(dir, { 'src/deep/inside/other.ts': 'export const unrelated = 2;\n' });
    git(dir, 'commit', '-qam', 'the palette');
    expect(await (await bearings.loader()).loadContext({ dir, task: TASK })).toMatchObject({ history: { depth: 2 } });
  });
});

describe('the index behind it', () => {
  const names = ['src/a.ts', 'src/b.ts', 'lib/c.ts', 'docs/d.md', 'x/y/z.py', 'e.md', 'f/ü.ts'];
  const text = fc.string({ unit: fc.constantFrom('palette ', 'contrast ', 'other ', 'fooBar ', '\n'), maxLength: 12 });
  const edits = fc.array(fc.record({ name: fc.constantFrom(...names), text: fc.option(text, { nil: null }) }), {
    minLength: 1,
    maxLength: 6,
  });

  it('L7 L14 brought up to date edit by edit, it answers as one built at once', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 4 }), async (rounds) => {
        const { dir, cache, bearings } = project({ 'src/a.ts': 'palette', 'base.md': 'contrast' });
        for (const round of rounds) {
          for (const { name, text } of round)
            if (text === null) rmSync(join(dir, name), { force: true });
            else put(dir, { [name]: text });
          const warm = await (await bearings.loader()).loadContext({ dir, task: TASK });
          const cold = await (await open(join(cache, `cold-${run++}`)).loader()).loadContext({ dir, task: TASK });
          expect(warm).toEqual(cold);
        }
        rmSync(join(dir, '..'), { recursive: true });
      }),
      { numRuns: effort(40) },
    );
  });

  it('L7 a changed file, though its size and its time are the same, is read again', async () => {
    const { dir, cache, bearings } = project();
    const file = join(dir, 'src/deep/inside/palette.ts');
    const first = await (await bearings.loader()).loadContext({ dir, task: TASK });
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('palette', 'printer'));
    utimesSync(file, atime, mtime);
    const then = await (await bearings.loader()).loadContext({ dir, task: TASK });
    expect(then).toEqual(await (await open(join(cache, 'cold')).loader()).loadContext({ dir, task: TASK }));
    expect(then).not.toEqual(first);
  });

  it('T20 lost, broken, cut or of another kind, it is made again; without a place to keep it, in memory', async () => {
    const { dir, cache, bearings } = project();
    const bundle = await (await bearings.loader()).loadContext({ dir, task: TASK });
    const home = join(cache, 'index', readdirSync(join(cache, 'index'))[0] as string);
    const kept = readdirSync(home)
      .filter((name) => !name.endsWith('.lock'))
      .map((name) => join(home, name));
    expect(kept.map((name) => basename(name).replace(/-.*/, '')).sort()).toEqual(['current', 'segment']);
    for (const bytes of ['', 'not an index', '{"answers":[1]}', Buffer.alloc(4096, 7), Buffer.from('BPK1'.repeat(9))]) {
      for (const file of kept) writeFileSync(file, bytes);
      expect(await (await open(cache).loader()).loadContext({ dir, task: TASK })).toEqual(bundle);
    }
    for (const file of kept) rmSync(file, { force: true });
    expect(await (await open(cache).loader()).loadContext({ dir, task: TASK })).toEqual(bundle);
    expect(await (await open('/dev/null/none').loader()).loadContext({ dir, task: TASK })).toEqual(bundle);
  });

  it('L7 it is the index of `match`, and says the same of the files that the policy names', async () => {
    const { dir, cache, bearings } = project();
    await (await bearings.matching()).rankedMatches(TASK, { project: dir });
    const first = await (await bearings.loader()).loadContext({ dir, task: TASK });
    expect(readdirSync(join(cache, 'index'))).toHaveLength(1);
    expect(first).toEqual(await (await open(join(cache, 'cold')).loader()).loadContext({ dir, task: TASK }));
  });

  it('L7 a project of too many files is left out and says so', async () => {
    const { dir, cache } = project();
    const work = {
      ...{ task: TASK, policy: repoPolicy, project: openProject(dir) },
      app: openApp({
        home: join(root, 'home'),
        cwd: root,
        variables: { BEARINGS_CACHE: cache, PATH: process.env.PATH },
      }),
    };
    expect((await matchTask(work)).matched?.files[0]?.path).toBe('src/deep/inside/palette.ts');
    expect(await matchTask(work, 2)).toEqual({
      matched: null,
      warnings: [expect.stringContaining('matching is left out')],
    });
  });
});
