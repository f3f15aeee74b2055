import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, tempFolder } from '../../test/support/temp-folder.ts';
import { openProject } from '../project/io/open-project.ts';
import { writeYaml } from '../settings/io/yaml-tree.ts';
import { BUILT_IN } from './policy/extend-policy.ts';
import { readPolicyFile } from './policy-files.ts';

const root = tempFolder();
let made = 0;
async function read(text: string) {
  const name = `p${made++}.yaml`;
  put(root, { [name]: text });
  return readPolicyFile(openProject(root), name);
}
const problems = async (text: string) =>
  (await read(text))?.problems.map(({ line, column, message }) => `${line}:${column} ${message}`) ?? [];

describe('policy files', () => {
  it.each(['repo', 'cortex'] as const)('L2 the built-in %s, written as YAML, reads as itself', async (name) => {
    const file = await read(await writeYaml({ version: 1, ...BUILT_IN[name] }));
    expect(file).toEqual({ policy: BUILT_IN[name], problems: [] });
  });

  it('L2 extends: own intents first, one of the same key in its place, the rest inherited', async () => {
    const file = await read(
      [
        'extends: repo',
        'intents:',
        '  - {key: legal, words: [licence], include: [LICENSE]}',
        '  - {key: docs, words: [doc], include: [d/*.md]}',
        'budget: {max_files: 20}',
        'exclude: [tmp]',
      ].join('\n'),
    );
    const keys = file?.policy?.intents.map(({ key }) => key);
    expect(keys?.slice(0, 2)).toEqual(['legal', 'docs']);
    expect(keys?.filter((key) => key === 'docs')).toHaveLength(1);
    expect(keys?.at(-1)).toBe('default');
    expect(file?.policy?.budget).toEqual({ ...BUILT_IN.repo.budget, max_files: 20 });
    expect(file?.policy?.control_plane).toBe(BUILT_IN.repo.control_plane);
    expect(file?.policy?.exclude).toEqual([...BUILT_IN.repo.exclude, 'tmp']);
  });

  it.each([
    ['extends: other', '1:10 must be repo or cortex'],
    ['extends: repo\nbudget:\n  max_files: 0', '3:14 must be a whole number from 1 to 10000000'],
    ['extends: repo\nbudget: {max_files: 1.5}', '2:21 must be a whole number from 1 to 10000000'],
    ['extends: repo\nbugdet: {}', '2:1 there is no "bugdet" here; known: version, name,'],
    ['extends: repo\nadapters:\n  - {name: a, kind: command, path: x}', '3:5 path has no meaning for the kind command'],
    ['extends: repo\nadapters:\n  - {name: a, kind: file}', '3:5 needs name, kind and path'],
    ['extends: repo\nintents:\n  - {key: a, include: [x]}', '2:1 the intent a needs words'],
    ['extends: repo\ncontrol_plane:\n  - required: true', '3:5 needs path, first or newest'],
    ['extends: repo\ncontrol_plane:\n  - path: "*.md"', '3:11 "*.md" must be one path without * or ?'],
    ['name: x', '1:1 needs control_plane'],
    ['- a', '1:1 expected version, name,'],
    ['', '1:1 expected version, name,'],
    ['version: 2\nextends: repo', '1:10 must be 1'],
    ['a: &x [1]\nb: *x', '2:4 aliases are not allowed'],
    ['extends: !js repo', '1:10 '],
    ['extends: repo\nextends: repo', '2:1 '],
    ['extends: "repo', '1:'],
    ['extends: repo\nname: "a\u0007b/../x"', '2:7 "a\ufffdb/../x" must be a plain name'],
  ])('L2 %j has its mistake named with line and column', async (text, expected) => {
    const found = await problems(text);
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).toContain(expected);
  });

  it('L2 hostile YAML is refused with what is wrong: bombs, depth, length, size', async () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghij'.split('').map((name, at) => `${name}: &${name} [*${'abcdefghij'[at]}, *${'abcdefghij'[at]}]`),
    ];
    expect((await problems(bomb.join('\n'))).join()).toContain('aliases');
    expect((await problems(`extends: ${'['.repeat(500)}${']'.repeat(500)}`)).join()).toContain(
      '1:1 the file is nested too deep',
    );
    expect((await problems(`exclude: [${'a,'.repeat(30_000)}a]`)).join()).toContain(
      '1:40003 the file is nested too deep or too long',
    );
    expect((await problems(`about: ${'x'.repeat(2_000_000)}`)).join()).toContain('1 MiB');
    expect(await readPolicyFile(openProject(join(root)), 'none.yaml')).toBeNull();
  });
});
