import { closest } from '../closest.ts';
import { invalidInput, ioError } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { join } from '../files/paths.ts';
import { textOf } from '../files/read-file.ts';
import { accountedIn, unaccountedWarning } from '../gate/accounting/unaccounted.ts';
import { servedFiles } from '../gate/domains/accounted-files.ts';
import { tasteFolder } from '../memory/io/memory-files.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import { meantOrNone } from '../settings/meant-workspace.ts';
import { memoryTextsIn } from './io/chemigram-images.ts';
import { writeExport } from './io/export-folder.ts';
import { EXPORT_FORMATS, type ExportedFile, exportFiles, type MemoryTexts } from './memory-formats.ts';

// What is in memory, in the form of another program. `import` takes it in again, block by block.
export function exportUseCases(app: AppContext) {
  return {
    /** What nobody confirmed goes with it, since the person asked for all: the warnings tell of it. */
    async exportMemory(format: string, id?: string): Promise<{ files: ExportedFile[]; warnings: string[] }> {
      const settings = await app.settings();
      const known = EXPORT_FORMATS.find((name) => name === format);
      const near = closest(format, EXPORT_FORMATS);
      if (!known)
        throw invalidInput(
          `There is no format "${[...format].slice(0, 40).join('')}".${near ? ` Did you mean ${near}?` : ''}`,
          `Formats: ${EXPORT_FORMATS.join(', ')}. For example: bearings export agents`,
        );
      const workspace = meantOrNone(settings, { id });
      const memory = memoryOf(settings, workspace);
      const names = memory.tastes.flatMap(({ name }) => (name === '_default' ? [] : [name]));
      const accounted = await accountedIn(app, settings, servedFiles(settings, workspace, names));
      return { files: exportFiles(known, memory, sha256), warnings: unaccountedWarning(accounted) };
    },

    async writeExport(files: readonly ExportedFile[], folder: string): Promise<void> {
      try {
        writeExport(app.inFull(folder), files, app.cwd);
      } catch (error) {
        throw ioError("The export can't be written", error);
      }
    },
  };
}

function memoryOf(settings: Settings, workspace: Workspace | null): MemoryTexts {
  const folder = tasteFolder(settings);
  const tastes = folder.list().flatMap((name) => {
    const file = folder.read(name);
    return file.status === 'ok' ? [{ name, text: file.value.text }] : [];
  });
  const textIn = (name: string) => workspace && textOf(join(workspace.folder, name), workspace.scope);
  return { id: workspace?.id ?? null, tastes, ...memoryTextsIn(textIn) };
}
