import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolderOf } from '../../files/git-folder.ts';
import { programVariables, startProgram } from '../../files/run-program.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

// Git writes some 100 bytes for each file: a repository of more than about 5,000 is not measured within two seconds.
const MOST_INDEX_BYTES = 512 * 1024;

/**
 * `bearings eval` of the newest commit that can be measured, as JSON; null where that is not there by the signal. It is a
 * process of its own, which is ended then whatever it does, and whose files go with it.
 */
export function evaluateLastCommit(app: AppContext, root: string, signal: AbortSignal): Promise<string | null> {
  const index = join(gitFolderOf(root)?.own ?? root, 'index');
  const bytes = statSync(index, { throwIfNoEntry: false })?.size ?? 0;
  const main = process.argv[1];
  if (bytes === 0 || bytes > MOST_INDEX_BYTES || main === undefined) return Promise.resolve(null);
  return inTemporaryFolder(
    (folder) =>
      new Promise<string | null>((resolve) => {
        const { child, stop } = startProgram({
          command: [process.execPath, main, ...'eval --commits 1 --no-baselines --json --home'.split(' '), app.home],
          cwd: root,
          variables: { ...programVariables([], app.variables, root), TMPDIR: folder, TEMP: folder, TMP: folder },
          input: 'closed',
        });
        let text = '';
        const end = (answer: string | null): void => {
          stop();
          resolve(answer);
        };
        signal.addEventListener('abort', () => end(null));
        child.stdout?.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        child.on('error', () => end(null)).on('close', (code) => end(code === 0 ? text : null));
      }),
  );
}
