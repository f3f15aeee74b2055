import { BearingsError, notFound } from '../errors.ts';
import { watchFolders } from '../files/folders.ts';
import { servedTastes } from '../gate/beside-memory.ts';
import { contextUseCases } from '../gate/serve-context.ts';
import { clipEnd } from '../memory/clip-context.ts';
import { OLDER_TASTE } from '../memory/io/memory-files.ts';
import { tasteUseCases } from '../memory/taste-files.ts';
import type { AppContext } from '../settings/app-context.ts';

/** One text of memory that a client may show or attach: a taste, or the brief or notes of a workspace. */
export type MemoryText = { kind: 'taste'; name: string } | { kind: 'brief' | 'notes'; id: string };

const MAX_WATCHED = 100;

export function resourceUseCases(app: AppContext) {
  const served = contextUseCases(app);
  const tastes = tasteUseCases(app);
  const names = async () => {
    const settings = await app.settings();
    return { tastes: servedTastes(settings).list(), workspaces: settings.workspaces().map(({ id }) => id) };
  };
  return {
    memoryNames: names,

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

    // Tells which texts changed on the disk, whoever changed them, and when one came or went. Returns how to end it.
    async watchMemory(onChange: (changed: MemoryText[], listChanged: boolean) => void): Promise<() => void> {
      let known = JSON.stringify(await names());
      const places = async (): Promise<Map<string, string | null>> => {
        const settings = await app.settings();
        const workspaces = settings.workspaces().slice(0, MAX_WATCHED);
        return new Map([
          [settings.home, null],
          [settings.folders.workspaces, null],
          [settings.tastesFolder, null],
          ...workspaces.map(({ folder, id }) => [folder, id] as const),
        ]);
      };
      const watcher = watchFolders(async (folder, changed) => {
        try {
          const ids = await places();
          watcher.look([...ids.keys()]);
          const now = JSON.stringify(await names());
          const id = ids.get(folder) ?? null;
          const texts = [...changed].flatMap((name): MemoryText[] => {
            if (id !== null)
              return name === 'brief.md' || name === 'notes.md'
                ? [{ kind: name === 'brief.md' ? 'brief' : 'notes', id }]
                : [];
            if (folder === app.home) return name === OLDER_TASTE ? [{ kind: 'taste', name: '_default' }] : [];
            return name.endsWith('.md') ? [{ kind: 'taste', name: name.slice(0, -3) }] : [];
          });
          if (texts.length > 0 || now !== known) onChange(texts, now !== known);
          known = now;
        } catch (error) {
          // A configuration that is broken for a moment: the next change tells more.
          if (!(error instanceof BearingsError)) throw error;
        }
      });
      watcher.look([...(await places()).keys()]);
      return () => watcher.close();
    },
  };
}
