import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBearings } from '../src/bearings.ts';
import { BearingsError } from '../src/index.ts';
import { effort } from './effort.ts';
import { tempFolder } from './temp-folder.ts';

const home = tempFolder();
mkdirSync(join(home, 'project'));
const { internal: _, ...namespaces } = openBearings({
  home: join(home, 'home'),
  cwd: join(home, 'project'),
  variables: { HOME: home, BEARINGS_CACHE: join(home, 'cache') },
});
const { memory, gate, loader, tasks, settings } = namespaces;

const WRONG = [undefined, null, 5, {}, [], ''];
const library = readFileSync(resolve(import.meta.dirname, '../docs/library.md'), 'utf8');
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
    ['"request.task" of loader.load must be a text, not a number.', () => loader.load({ task: 5 } as never)],
    ['"as" of loader.render must be one of json, markdown, xml, not this text.', () => rendered('pdf')],
    ['"text" of memory.measure must be a text, not a number.', () => memory.measure(5 as never)],
    ['"client" of gate.openSession must be a text, not a number.', () => gate.openSession(null, 5 as never)],
    ['"target" of memory.read must be a workspace\'s id or { id, root }, not a number.', () => memory.read(5 as never)],
    ['"id" of A workspace must be a text, not a number.', () => memory.read({ id: 5 } as never)],
    ['"key" of settings.get must be a text, not null.', () => settings.get(null as never)],
    ['"to" of memory.renameWorkspace must be a text, not an object.', () => memory.renameWorkspace('a', {} as never)],
    ['tasks.run needs "task.id": a text.', () => tasks.run({ type: 'atomic', prompt: 'x' } as never, { file: 'a' })],
    ['"home" of openBearings must be a text, not a number.', () => openBearings({ home: 5 } as never)],
    ['The options of openBearings must be an object.', () => openBearings(null as never)],
  ])('M31: %s', async (message, call) => {
    expect(await failure(call)).toMatchObject({ code: 'invalid_input', message, hint: expect.any(String) });
  });

  async function rendered(as: string): Promise<string> {
    return loader.render(await loader.load(), as as never);
  }
});
