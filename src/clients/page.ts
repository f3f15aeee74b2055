import { changeStamp } from '../files/watch-folders.ts';
import type { Proposal } from '../gate/proposals/proposal.ts';
import { splitLines } from '../lines.ts';
import { tasteFolder } from '../memory/io/taste-folder.ts';
import { findConflicts } from '../memory/read-context.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { listenLocally } from './io/local-server.ts';
import { pageFiles, readServedFile } from './io/page-files.ts';

const AROUND = 2;
// Times on disk are coarse: what changed this moment may change again without a trace.
const COARSE_MS = 60;

// What a page needs of the machine: a port on loopback, its own files, and word of what changed.
export function pageUseCases(app: AppContext) {
  return {
    ...pageFiles(app.home),
    serveLocally: listenLocally,
    servedFile: readServedFile,

    /** Equal stamps: nothing of memory changed in between. Null: something changes right now. */
    async memoryStamp(): Promise<string | null> {
      const settings = await app.settings();
      const workspaces = settings.workspaces().map(({ folder }) => folder);
      const folders = [settings.home, settings.folders.workspaces, settings.tastesFolder, ...workspaces];
      const { value, newest } = changeStamp(folders);
      return app.now().getTime() - newest < COARSE_MS ? null : value;
    },

    /** Each line that two genres claim, in each of them with what is around it. */
    async conflictSides(target: TargetLike, genres: readonly string[]) {
      const settings = await app.settings();
      settings.workspace(target);
      const files = genres.flatMap((name) => {
        const file = tasteFolder(settings).read(name);
        return file.status === 'ok' ? [{ name, text: file.value.text, identity: file.value.identity }] : [];
      });
      const lines = new Map(files.map(({ name, text }) => [name, splitLines(text)]));
      return findConflicts(files).map(({ point, files: names }) => ({
        point,
        sides: names.map((name) => {
          const all = lines.get(name) ?? [];
          const at = all.findIndex((line) => line.trim() === point);
          return {
            file: `${name}.md`,
            line: at + 1,
            before: all.slice(Math.max(0, at - AROUND), at),
            after: all.slice(at + 1, at + 1 + AROUND),
          };
        }),
      }));
    },

    /** Points of a proposed taste that another genre holds already: accepted, they would be conflicts. */
    async conflictsWith(proposal: Proposal): Promise<{ point: string; file: string }[]> {
      if (proposal.kind !== 'taste' || proposal.file === '_default.md') return [];
      const settings = await app.settings();
      const own = { name: proposal.file, text: proposal.content, identity: proposal.file };
      return tasteFolder(settings)
        .list()
        .filter((name) => name !== '_default' && `${name}.md` !== proposal.file)
        .flatMap((name) => {
          const file = tasteFolder(settings).read(name);
          if (file.status !== 'ok') return [];
          const other = { name: `${name}.md`, text: file.value.text, identity: file.value.identity };
          return findConflicts([own, other]).map(({ point }) => ({ point, file: other.name }));
        });
    },
  };
}
