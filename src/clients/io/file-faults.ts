import { isPlainOnly, lstatOf, NO_LINKS, statOf, staysInside } from '../../files/paths.ts';
import { shellWord } from './client-locations.ts';

/** What is wrong with one file or folder, and the one command that fixes it. */
export interface Fault {
  reason: string;
  fix: string;
}

/** A line of shell words. */
export function fixLine(...line: string[]): string {
  return line.map((word) => shellWord(word)).join(' ');
}

// Nothing is deleted: what is in the way goes aside, where the person can look at it.
export function aside(path: string, reason: string): Fault {
  let name = `${path}.aside`;
  for (let count = 2; lstatOf(name); count += 1) name = `${path}.aside${count}`;
  return { reason, fix: fixLine('mv', path, name) };
}

export function folderFault(path: string, options: { private?: boolean; optional?: boolean } = {}): Fault | null {
  const stat = statOf(path);
  if (!stat && isLink(path)) return aside(path, NOWHERE);
  if (!stat) return options.optional ? null : { reason: 'is not there', fix: fixLine('mkdir', '-p', path) };
  if (!stat.isDirectory()) return aside(path, 'is not a folder');
  if ((stat.mode & 0o700) !== 0o700) return closed(path, 'can’t be read and written by you', 'u+rwx');
  return options.private && stat.mode & 0o022 ? closed(path, 'can be written by others', 'go-w') : null;
}

export function fileFault(
  path: string,
  options: { private?: boolean; written?: boolean; scope?: string | null } = {},
): Fault | null {
  const stat = statOf(path);
  if (!stat) return isLink(path) ? aside(path, NOWHERE) : null;
  if (!stat.isFile()) return aside(path, stat.isDirectory() ? 'is a folder, not a file' : 'is not a regular file');
  if (options.scope && !staysInside(options.scope, path))
    return aside(
      path,
      isPlainOnly(options.scope, path) ? `is not used: ${NO_LINKS}` : 'is a link that leads out of its folder',
    );
  const needed = options.written ? 0o600 : 0o400;
  if ((stat.mode & needed) !== needed)
    return closed(path, `can’t be ${options.written ? 'written' : 'read'} by you`, 'u+rw');
  return options.private && stat.mode & 0o077 ? closed(path, 'can be read by others', 'go-rwx') : null;
}

const NOWHERE = 'is a link that leads nowhere';
const isLink = (path: string) => lstatOf(path)?.isSymbolicLink() === true;
const closed = (path: string, reason: string, mode: string): Fault => ({ reason, fix: fixLine('chmod', mode, path) });

/** One thing that was checked. `hint`: nothing is wrong, but something could be better. */
export interface Finding {
  check: string;
  status: 'ok' | 'hint' | 'broken';
  what: string;
  /** The one command that fixes it. */
  fix: string | null;
}

const report =
  (status: Finding['status']) =>
  (check: string, what: string, fix: string | null = null): Finding => ({ check, status, what, fix });

export const ok = report('ok');
export const hint = report('hint');
export const broken = report('broken');

export function finding(check: string, what: string, fault: Fault | null): Finding {
  return fault ? broken(check, `${what} ${fault.reason}`, fault.fix) : ok(check, what);
}
