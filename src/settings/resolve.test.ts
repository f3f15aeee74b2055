import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BearingsError } from '../errors.ts';
import { parseYamlTree } from './io/yaml-tree.ts';
import { assertNoProblems, CONFIG_KEYS, type ConfigFile, problemsOf, resolveConfig } from './resolve.ts';

function entryOf(key: string, value: unknown, at: { line: number; column: number }) {
  return { key, value: { kind: 'scalar', value, ...at } as const, ...at };
}

function fileOf(owner: ConfigFile['owner'], values: Record<string, unknown>): ConfigFile {
  const entries = Object.entries(values).map(([key, value], index) =>
    entryOf(key, value, { line: index + 1, column: 1 }),
  );
  return { label: owner === 'home' ? 'config.yaml' : '.bearings/config.yaml', owner, entries, problems: [] };
}

const nothing = { options: {}, variables: {}, project: null, home: null };
const settingOf = (key: string, sources: Partial<Parameters<typeof resolveConfig>[0]>) =>
  resolveConfig({ ...nothing, ...sources }).find((setting) => setting.key === key);

describe('configuration', () => {
  it('M34 takes option, variable, project, home, default, in this order', () => {
    const home = fileOf('home', { max_chars: 1, tastes: 'home' });
    const project = fileOf('project', { max_chars: 2 });
    const variables = { BEARINGS_TASTES_DIR: 'variable' };
    expect(settingOf('tastes', { options: { tastes: 'option' }, variables, home })?.value).toBe('option');
    expect(settingOf('tastes', { variables, home })).toEqual({
      key: 'tastes',
      value: 'variable',
      origin: 'BEARINGS_TASTES_DIR',
    });
    expect(settingOf('tastes', { home })).toEqual({ key: 'tastes', value: 'home', origin: 'config.yaml:2' });
    expect(settingOf('tastes', {})).toEqual({ key: 'tastes', value: null, origin: 'default' });
    expect(settingOf('max_chars', { project, home })?.origin).toBe('.bearings/config.yaml:1');
    expect(settingOf('max_chars', { home })?.value).toBe(1);
    expect(settingOf('max_chars', {})?.value).toBe(60_000);
    expect(settingOf('max_record_chars', {})?.value).toBe(4_000);
  });

  it('M3 asks BEARINGS_TASTES_DIR before CHEMIGRAM_TASTES_DIR, and takes an empty one for unset', () => {
    const both = { BEARINGS_TASTES_DIR: 'b', CHEMIGRAM_TASTES_DIR: 'c' };
    expect(settingOf('tastes', { variables: both })?.value).toBe('b');
    expect(settingOf('tastes', { variables: { ...both, BEARINGS_TASTES_DIR: '' } })?.origin).toBe(
      'CHEMIGRAM_TASTES_DIR',
    );
    expect(settingOf('tastes', { variables: { BEARINGS_TASTES_DIR: '' } })?.origin).toBe('default');
    expect(settingOf('tastes', { options: { tastes: '' }, variables: both })?.value).toBe('b');
  });

  it('M34 lets a project set only what runs nothing and names no place', () => {
    const allowed = CONFIG_KEYS.filter((key) => key.allowedInProject).map(({ name }) => name);
    expect(allowed).toEqual(['max_chars', 'max_record_chars']);
    for (const key of ['workspaces', 'tastes', 'editor']) {
      expect(problemsOf(fileOf('project', { [key]: 'x' }))).toMatchObject([{ line: 1, column: 1 }]);
      expect(problemsOf(fileOf('home', { [key]: 'x' }))).toEqual([]);
    }
  });

  it.each([
    ['max_chars', 999],
    ['max_chars', 1_000_001],
    ['max_chars', 1500.5],
    ['max_chars', '2000'],
    ['max_chars', null],
    ['max_chars', Number.NaN],
    ['tastes', 5],
    ['tastes', ''],
    ['tastes', ' '],
    ['tastes', 'a\0b'],
    ['tastes', {}],
    ['editor', true],
    ['maxchars', 2000],
    ['__proto__', 1],
  ])('M34 finds the problem in %s: %j', (key, value) => {
    const file = { ...fileOf('home', {}), entries: [entryOf(key, value, { line: 3, column: 2 })] };
    expect(problemsOf(file)).toMatchObject([{ file: 'config.yaml', line: 3, column: 2 }]);
  });

  it('M34 finds a key that is set twice', async () => {
    const { problems } = await parseYamlTree('max_chars: 2000\nmax_chars: 2000\n');
    expect(problems).toEqual([{ line: 2, column: 1, message: 'Map keys must be unique' }]);
  });

  it('M31 names the first problem, counts the others, and lists what is known', () => {
    const problem = (line: number) => ({ file: 'config.yaml', line, column: 1, message: 'it is wrong' });
    const said = (count: number) => {
      try {
        assertNoProblems(Array.from({ length: count }, (_, index) => problem(index + 1)));
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([0, 1, 2, 5].map(said)).toEqual([
      '',
      'config.yaml:1:1: it is wrong.',
      'config.yaml:1:1: it is wrong (and 1 more).',
      'config.yaml:1:1: it is wrong (and 4 more).',
    ]);
    const [unknown] = problemsOf(fileOf('project', { nonsense: 1 }));
    expect(unknown?.message).toMatch(/^there is no setting "nonsense"; known: max_chars, max_record_chars/);
  });

  it('M31 names the place of the first problem, in one line of bounded length', () => {
    expect(() => assertNoProblems([])).not.toThrow();
    const noise = fc.string({ unit: 'binary', minLength: 1, maxLength: 500 });
    fc.assert(
      fc.property(noise, fc.jsonValue(), (key, value) => {
        const problems = problemsOf(fileOf('project', { [key]: value }));
        expect(problems).toHaveLength(1);
        let refusal: unknown;
        try {
          assertNoProblems(problems);
        } catch (error) {
          refusal = error;
        }
        expect(refusal).toBeInstanceOf(BearingsError);
        const { code, message, hint } = refusal as BearingsError;
        expect(code).toBe('invalid_input');
        expect(message).toMatch(/^\.bearings\/config\.yaml:1:1: /);
        expect(message).not.toMatch(/\p{Cc}/u);
        expect(message.length).toBeLessThan(400);
        expect(hint).toContain('bearings config check');
      }),
    );
  });
});
