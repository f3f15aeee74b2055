import { changeStamp } from '../files/folders.ts';
import type { AppContext } from '../settings/app-context.ts';
import { listenLocally } from './io/local-server.ts';
import { pageFiles, readServedFile } from './io/page-files.ts';

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
  };
}
