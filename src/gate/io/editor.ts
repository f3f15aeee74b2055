import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awaitingPerson, BearingsError, ioError, ioFault, orNull } from '../../errors.ts';
import { searchPath } from '../../files/paths.ts';
import { readPlainFile } from '../../files/read-file.ts';

/** Copies of texts that an editor has open, or had open when it failed. */
export const UNSAVED_FOLDER = 'unsaved';

const NOT_FOUND = 127;

// A copy that only the person can read. It goes once the text is saved: whatever ends this before, what they wrote is nowhere
// else. Null: nothing was changed.
export async function editText<T>(
  { editor, home, forPerson }: { editor: string; home: string; forPerson(path: string): string },
  text: string,
  save: (edited: string) => Promise<T | null>,
): Promise<T | null> {
  const path = privateCopy(join(home, UNSAVED_FOLDER), text);
  const code = await openEditor(editor, path);
  // Null: the editor took the file away.
  const edited = orNull(() => readPlainFile(path).toString('utf8'));
  const isUnsaved = edited !== null && edited !== text;
  try {
    if (code !== 0 || edited === null)
      throw ioFault(
        `The editor "${editor}" ${code === NOT_FOUND ? 'was not found' : 'failed'}.`,
        'Set another one: export EDITOR=nano',
      );
    const saved = isUnsaved ? await save(edited) : null;
    if (isUnsaved && saved === null) throw awaitingPerson('It was not confirmed.');
    forget(path, home);
    return saved;
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    if (!isUnsaved) forget(path, home);
    const { code, data, hint = '' } = error;
    const place = isUnsaved ? `; what you wrote is in ${forPerson(path)}` : '.';
    const way = isUnsaved ? ' Edit again and take your text from there, then delete that file.' : '';
    const told = { hint: `${hint}${way}`.trim(), data, cause: error };
    throw new BearingsError(code, `${error.message} Nothing was changed${place}`, told);
  }
}

function privateCopy(folder: string, text: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(mkdtempSync(join(folder, 'edit-')), 'text.md');
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return path;
  } catch (error) {
    throw ioError("The copy for your editor can't be made", error);
  }
}

// With all that the editor put beside it.
function forget(path: string, home: string): void {
  rmSync(join(path, '..'), { recursive: true, force: true });
  // Where another text is there, it stays.
  orNull(() => rmdirSync(join(home, UNSAVED_FOLDER)));
}

// Through the shell, as git does it: an editor setting is a command line ("code --wait"), and it is the person's own.
async function openEditor(editor: string, path: string): Promise<number | null> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'editor', path], {
      stdio: 'inherit',
      // The person's own program with all it knows; but which `sh` and which editor, no repository says.
      env: { ...process.env, PATH: searchPath(process.env.PATH, process.cwd()) },
    });
    child.on('error', () => resolve(null));
    child.on('exit', resolve);
  });
}
