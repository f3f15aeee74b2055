import { notFound } from '../errors.ts';
import { servedTastes } from '../gate/beside-memory.ts';
import { contextUseCases } from '../gate/serve-context.ts';
import { clipEnd } from '../memory/clip-context.ts';
import { tasteUseCases } from '../memory/taste-files.ts';
import type { AppContext } from '../settings/app-context.ts';

/** One text of memory that a client may show or attach: a taste, or the brief or notes of a workspace. */
export type MemoryText = { kind: 'taste'; name: string } | { kind: 'brief' | 'notes'; id: string };

export function resourceUseCases(app: AppContext) {
  const served = contextUseCases(app);
  const tastes = tasteUseCases(app);
  return {
    async memoryNames() {
      const settings = await app.settings();
      return { tastes: servedTastes(settings).list(), workspaces: settings.workspaces().map(({ id }) => id) };
    },

    // As long as an agent may get it: the same bounds as read_context.
    async memoryText(of: MemoryText): Promise<{ text: string; warnings: string[] }> {
      const settings = await app.settings();
      if (of.kind === 'taste' && servedTastes(settings).read(of.name).status === 'missing')
        throw notFound(`There is no taste "${of.name}" here.`, 'Declare it in the brief: Tastes: NAME');
      if (of.kind === 'taste')
        return {
          text: clipEnd((await tastes.readTaste(of.name)).text, settings.number('max_chars')).text,
          warnings: await served.tasteWarnings(of.name),
        };
      const { context, warnings } = await served.readContext({ id: of.id }, { forAgent: true });
      return { text: of.kind === 'brief' ? context.brief.raw : context.notes.summary, warnings };
    },
  };
}
