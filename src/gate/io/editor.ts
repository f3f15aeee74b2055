import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { searchPath } from '../../files/search-path.ts';
import { ioError } from '../../files/system-error.ts';

// A text of its own in a file that only the person can read, gone afterwards.
export async function editText(editor: string, text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-edit-'));
  const path = join(folder, 'proposal.md');
  try {
    writeFileSync(path, text, { mode: 0o600 });
    await openEditor(editor, path);
    return readFileSync(path, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Through the shell, as git does it: an editor setting is a command line ("code --wait"), and it is the person's own.
async function openEditor(editor: string, path: string): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw ioError("The file's folder can't be made", error);
  }
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'editor', path], {
      stdio: 'inherit',
      // The person's own program with all it knows; but which `sh` and which editor, no repository says.
      env: { ...process.env, PATH: searchPath(process.env.PATH, process.cwd()) },
    });
    const failed = () =>
      reject(
        new BearingsError('io_error', `The editor "${editor}" failed; the file is as the editor left it.`, {
          hint: 'Set another one: export EDITOR=nano',
        }),
      );
    child.on('error', failed);
    child.on('exit', (code) => (code === 0 ? resolve() : failed()));
  });
}
