import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BearingsError, defineTask, openBearings, runTask } from '../src/index.ts';
import { mcpServerFactory, serveMcp } from '../src/mcp/embed.ts';
import { openPerson } from '../src/person.ts';
import { effort } from './support/effort.ts';
import { tempFolder } from './support/temp-folder.ts';

const home = tempFolder();
mkdirSync(join(home, 'project'));
writeFileSync(join(home, 'file'), 'x');
const options = {
  home: join(home, 'home'),
  cwd: join(home, 'project'),
  variables: { HOME: home, BEARINGS_CACHE: join(home, 'cache') },
};
const namespaces = { ...openBearings(options), person: openPerson(options) };
const { memory, gate, loader, matching, tasks, person } = namespaces;

const WRONG = [undefined, null, 5, {}, [], ''];
const library = readFileSync(resolve(import.meta.dirname, '../docs/reference/library.md'), 'utf8');
const METHODS = Object.entries(namespaces).flatMap(([space, methods]) =>
  Object.entries(methods).map(([name, call]) => {
    const signature = new RegExp(`\\| \`${space}\\.${name}\\(([^)]*)\\)`).exec(library)?.[1] ?? '';
    const names = signature.split(', ').filter((argument) => argument !== '');
    return { method: `${space}.${name}`, names, call: call as (...given: unknown[]) => Promise<unknown> };
  }),
);

async function failure(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    return error;
  }
}

// Node's own words in an error of ours would be no better.
function isOurs(error: unknown): boolean {
  return error === null || (error instanceof BearingsError && !/Cannot read|is not a function/.test(error.message));
}

describe('M31: wrong arguments of the library', () => {
  it.each(METHODS.filter(({ names }) => names.length > 0))(
    'M31: $method says what is wrong, whatever it is called with',
    async ({ method, names, call }) => {
      for (const value of WRONG) {
        const error = await failure(() => call(...names.map(() => value)));
        expect(isOurs(error), `${method}(${JSON.stringify(value)}): ${error}`).toBe(true);
      }
      const some = fc.array(fc.constantFrom(...WRONG), { minLength: names.length, maxLength: names.length });
      const property = fc.asyncProperty(some, async (given) => isOurs(await failure(() => call(...given))));
      await fc.assert(property, { numRuns: effort(200) });
    },
  );

  it.each(METHODS.filter(({ names }) => names.some((name) => !name.endsWith('?'))))(
    'M31: $method without its arguments is refused as invalid input, with a hint',
    async ({ call }) => {
      const error = (await failure(() => call())) as BearingsError;
      expect(error).toMatchObject({ code: 'invalid_input', hint: expect.stringMatching(/\.$/) });
      expect(error.message).toMatch(/^\w+\.\w+ needs "\w+": .+\.$/);
    },
  );

  it.each<[string, () => unknown]>([
    ['"options.task" of loader.load must be a text, not a number.', () => loader.load({ task: 5 } as never)],
    ['"as" of loader.render must be one of json, markdown, xml, not this text.', () => rendered('pdf')],
    ['"text" of memory.why must be a text, not a number.', () => memory.why(5 as never)],
    [
      '"options.client" of gate.openSession must be a text, not a number.',
      () => gate.openSession({ client: 5 } as never),
    ],
    ['"options" of memory.read must be an object, not a number.', () => memory.read(5 as never)],
    ['"options.workspace" of memory.read must be a text, not a number.', () => memory.read({ workspace: 5 } as never)],
    ['"id" of tasks.show must be a text, not null.', () => tasks.show(null as never)],
    [
      '"options.id" of person.createWorkspace must be a text, not an object.',
      () => person.createWorkspace({ id: {} } as never),
    ],
    ['tasks.run needs "task.id": a text.', () => tasks.run({ type: 'atomic', prompt: 'x' } as never, { file: 'a' })],
    ['"home" of openBearings must be a text, not a number.', () => openBearings({ home: 5 } as never)],
    ['"options.passages" of matching.rank must be a whole number, 0 or more, not -1.', () => ranked({ passages: -1 })],
    [
      '"options.passages" of matching.rank must be a whole number, 0 or more, not NaN.',
      () => ranked({ passages: NaN }),
    ],
    [
      '"options" of memory.read must be an object, not a promise: await it.',
      () => memory.read(Promise.resolve({}) as never),
    ],
    ['runTask has no option "zzz".', () => runTask(TASK, { zzz: 5 } as never)],
    ['"signal" of runTask must be an AbortSignal, not a number.', () => runTask(TASK, { signal: 5 } as never)],
    ['The options of openBearings must be an object.', () => openBearings(null as never)],
  ])('M31: %s', async (message, call) => {
    expect(await failure(call)).toMatchObject({ code: 'invalid_input', message, hint: expect.any(String) });
  });

  const TASK = defineTask({ type: 'atomic', description: 'x' });
  const ranked = (options: object) => matching.rank('x', { project: '.', ...options } as never);

  it.each(METHODS.filter(({ names }) => names.length > 0))(
    'M31: $method refuses what throws when it is looked at',
    async ({ names, call }) => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      for (let at = 0; at < names.length; at += 1)
        expect(await failure(() => call(...names.map((_, each) => (each === at ? proxy : 'x'))))).toMatchObject({
          code: 'invalid_input',
        });
    },
  );

  it('M31: a hint says options as a program writes them, and where a task comes from', async () => {
    expect(await failure(() => tasks.run(TASK, { propose: { kind: 'taste' } } as never))).toMatchObject({
      hint: "For example: { category: 'process' }",
    });
    expect(await failure(() => tasks.run({ type: 'atomic', prompt: 'x' } as never))).toMatchObject({
      hint: 'A task comes from defineTask(), parseTask() or tasks.check(): a plain object is not one yet.',
    });
    expect(
      await failure(async () => defineTask({ type: 'reduce', description: 'x', over: 'y' } as never)),
    ).toMatchObject({
      hint: 'Add "inner_task" with a "description".',
    });
  });

  it.each<[string, () => unknown]>([
    ['no name may have', () => tasks.check('a\0b')],
    ['The project folder is not there.', () => loader.load({ project: '../file/x' })],
    ['There is no such project folder.', () => matching.rank('x', { project: '../file' })],
    ['There is no such project folder.', () => matching.match({ taskText: 'x' }, { project: '../file' })],
    ["loader.diff can't use", async () => loader.diff(await loader.load(), { arguments: { n: 1n } } as never)],
    ["loader.render can't use", async () => loader.render({ ...(await loader.load()), task: null } as never, 'xml')],
  ])('M31: what goes wrong inside is told in our words: %s', async (words, call) => {
    const error = (await failure(call)) as BearingsError;
    expect(error).toBeInstanceOf(BearingsError);
    expect(['invalid_input', 'not_found']).toContain(error.code);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain(home);
  });

  it('M31: what a callback of the caller throws is the caller’s own', async () => {
    const own = new Error('mine');
    const onProgress = () => {
      throw own;
    };
    writeFileSync(join(home, 'project/file.ts'), 'export const x = 1;');
    expect([own, null]).toContain(await failure(() => matching.rank('x', { project: '.', onProgress })));
  });

  it.each([TypeError, RangeError, SyntaxError])(
    'M31: a %o of a callback comes out as it is, and one of ours does not',
    async (Kind) => {
      for (const name of ['onStarted', 'onEvent', 'onRecord']) {
        const own = new Kind('mine');
        const fail = () => {
          throw own;
        };
        expect([name, await failure(() => tasks.run(TASK, { [name]: fail }))]).toEqual([name, own]);
      }
    },
  );

  it.each<[string, (options: object) => unknown]>([
    ['openPerson', openPerson],
    ['serveMcp', (given) => serveMcp(given)],
    ['mcpServerFactory', mcpServerFactory],
  ])('M31: %s names itself where an option is unknown', async (name, call) => {
    expect(await failure(() => call({ hom: 'x' }))).toMatchObject({
      message: `${name} has no option "hom".`,
      hint: 'Did you mean: home',
    });
  });

  it("M31: a model that can't be called is told by its name, and a misspelt key before what it leaves out", async () => {
    const told = { summary: 'The model "mine" has no function "call".' };
    for (const given of [{ model: { name: 'mine' } }, { model: 'mine', models: { mine: {} } }]) {
      expect((await runTask(TASK, given as never)).notes).toMatchObject(told);
      if ('models' in given) expect((await tasks.run(TASK, given as never)).result.notes).toMatchObject(told);
    }
    expect(await failure(() => defineTask({ type: 'atomic', descriptn: 'x' } as never))).toMatchObject({
      message: 'The task can\'t be used: "descriptn" is not known in "task". (and 1 more)',
      hint: expect.stringMatching(/^Did you mean description\?/),
    });
  });

  async function rendered(as: string): Promise<string> {
    return loader.render(await loader.load(), as as never);
  }
});
