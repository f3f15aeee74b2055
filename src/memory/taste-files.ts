import { typedName } from '../closest.ts';
import { splitLines } from '../code-points.ts';
import { invalidInput, notFound } from '../errors.ts';
import { assertWritable } from '../files/lock.ts';
import { whyNotTasteName } from '../safety/hidden-characters.ts';
import type { AppContext } from '../settings/app-context.ts';
import { tasteFolder } from './io/memory-files.ts';
import { cantRead } from './read-memory.ts';

export type TasteEntry = Awaited<ReturnType<ReturnType<typeof tasteUseCases>['listTastes']>>[number];

export function tasteUseCases(app: AppContext) {
  return {
    async listTastes() {
      const tastes = tasteFolder(await app.settings());
      return tastes.list().flatMap((name) => {
        const file = tastes.read(name);
        return file.status === 'ok' ? [{ name, lines: splitLines(file.value.text).length }] : [];
      });
    },

    async readTaste(written: string): Promise<{ name: string; text: string }> {
      const name = tasteName(written);
      const tastes = tasteFolder(await app.settings());
      const file = tastes.read(name);
      if (file.status === 'unreadable') throw cantRead(`${name}.md`, file.reason);
      if (file.status === 'missing')
        throw notFound(
          `There is no taste "${name}".`,
          `See all: bearings show tastes. Make it: bearings edit tastes ${typedName(name)}`,
          { known: tastes.list().slice(0, 10) },
        );
      return { name, text: file.value.text };
    },

    async createTaste(written: string): Promise<{ name: string; file: string }> {
      await assertWritable();
      const name = tasteName(written);
      const tastes = tasteFolder(await app.settings());
      tastes.create(name);
      return { name, file: app.forPerson(tastes.locate(name).path) };
    },
  };
}

function tasteName(written: string): string {
  const name = written.endsWith('.md') ? written.slice(0, -3) : written;
  const reason = whyNotTasteName(name);
  if (reason)
    throw invalidInput(
      `The taste name ${JSON.stringify([...name].slice(0, 60).join(''))} ${reason}.`,
      'Use a plain name, for example: typescript',
    );
  return name;
}
