import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { BearingsError, invalidInput, reasonOf } from '../../errors.ts';
import { realPath } from '../../files/paths.ts';
import { readText, whyNotOutput } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';

const MAX_BUNDLE_CHARS = 128 * 1024 * 1024;

export function readBundleText(path: string, shown: string): string {
  const file = readText(path, null);
  if (file.status === 'missing')
    throw invalidInput(`${shown} is not there.`, 'Make one: bearings load --out bundle.json');
  if (file.status === 'unreadable') throw invalidInput(`${shown} can't be read: ${file.reason}.`);
  if (file.value.text.length > MAX_BUNDLE_CHARS) throw invalidInput(`${shown} is too large to be a bundle.`);
  return file.value.text;
}

/** How each rendering names the bundle's hash. */
const BUNDLE_LINE = /^ *(?:"bundle_sha256": "|- bundle: |<bundle [^\n]*sha256=")[0-9a-f]{64}/m;

/** Where the loader that the policy `cortex` follows keeps its bundle. */
const CORTEX_BUNDLE = '.cortex/reports/agent_context_bundle_v0.json';

// Never over a file that went into the bundle, never into a `.cortex` folder but for the bundle's own place there, never
// onto anything but a plain file. `project` is a real path.
export function writeBundleText(
  path: string,
  text: string,
  places: { cwd: string; opened: ReadonlySet<string>; project: string },
): void {
  const target = resolve(places.cwd, path);
  const shown = basename(target);
  const folder = realPath(dirname(target));
  if (folder === null) throw invalidInput(`The folder for ${shown} is not there.`, 'Make it first, or choose another.');
  const place = join(folder, basename(target));
  const real = realPath(place) ?? place;
  const stat = lstatSync(real, { throwIfNoEntry: false });
  const own = join(places.project, CORTEX_BUNDLE);
  if ([place, real].some((way) => way !== own && way.split(sep).some((step) => step.toLowerCase() === '.cortex')))
    throw invalidInput(
      `Inside .cortex/ the loader writes nothing but ${CORTEX_BUNDLE}.`,
      'Choose another place, for example: --out bundle.json',
    );
  if (places.opened.has(real) || (stat && isOneOf(stat, places.opened)))
    throw invalidInput(
      `${shown} is one of the files that this bundle was made from.`,
      'Choose another name for --out.',
    );
  if (stat && !stat.isFile() && !stat.isSymbolicLink())
    throw invalidInput(`${shown} is not a plain file.`, 'Choose another name for --out, or leave it out for stdout.');
  const reason = whyNotOutput(target, [places.cwd, places.project]);
  if (reason !== null) throw invalidInput(`${shown} can't be written: ${reason}.`, 'Choose another name for --out.');
  if (stat && real !== own && !isBundle(real))
    throw new BearingsError('conflict', `${shown} is there already and is not a bundle, so it is left alone.`, {
      hint: 'Remove it first, or choose another name for --out.',
    });
  try {
    atomicWrite(place, text, 0o644, folder);
  } catch (error) {
    throw new BearingsError('io_error', `${shown} can't be written: ${reasonOf(error)}.`, {
      hint: 'Name another place with --out, or leave it out for stdout.',
      cause: error,
    });
  }
}

// In any of its renderings, or empty: what a person made stays.
function isBundle(path: string): boolean {
  const file = readText(path, null);
  return file.status === 'ok' && (file.value.text === '' || BUNDLE_LINE.test(file.value.text));
}

// The same file under another name (a hard link, a folder that ignores case).
function isOneOf(stat: { dev: number; ino: number }, paths: ReadonlySet<string>): boolean {
  for (const path of paths) {
    const other = lstatSync(path, { throwIfNoEntry: false });
    if (other && other.ino === stat.ino && other.dev === stat.dev) return true;
  }
  return false;
}
