import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BearingsError, conflict, ioError } from '../../errors.ts';
import { lstatOf } from '../../files/paths.ts';

export interface Sample {
  home: string;
  folder: string;
  remove(): void;
}

export function makeSample(files: Readonly<Record<string, string>>): Sample {
  const folder = mkdtempSync(join(tmpdir(), 'bearings-demo-'));
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, text);
  }
  return { home: join(folder, 'home'), folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const EXAMPLES = 'examples';

/** Into a folder of its own: what is there already is never touched. */
export function copyExamples(into: string): string[] {
  const from = ['../', '../../', '../../../']
    .map((up) => fileURLToPath(new URL(`${up}${EXAMPLES}`, import.meta.url)))
    .find(existsSync);
  if (from === undefined) throw new BearingsError('io_error', 'The examples are missing from the package.');
  const target = join(into, EXAMPLES);
  if (lstatOf(target))
    throw conflict(`There is a folder ${EXAMPLES} here already.`, 'Go to another folder, or move that one aside.');
  try {
    cpSync(from, target, { recursive: true });
    // What a template is given by name; of the project whose files a task looks up, these are none.
    writeFileSync(join(target, '.gitignore'), 'adapters/\nlists/\n');
    return readdirSync(target, { recursive: true, encoding: 'utf8' }).map((name) => join(EXAMPLES, name));
  } catch (error) {
    throw ioError("The examples can't be copied", error);
  }
}
