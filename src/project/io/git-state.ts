import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { isInside, realPath } from '../../files/paths.ts';
import { readRange, withFile } from '../../files/read-file.ts';
import type { Variables } from '../../files/run-program.ts';
import { git as runGit } from './git.ts';

/** Which commit a checkout is at. All null where there is no git or no repository. */
export interface GitState {
  head: string | null;
  dirty: boolean | null;
  /** Of what is changed and how; the same in every checkout with the same changes. */
  dirty_sha256: string | null;
}

const NOWHERE: GitState = { head: null, dirty: null, dirty_sha256: null };
const MAX_HASHED_FILES = 5_000;
const HASHED_BYTES = 1024 * 1024;
// What Bearings writes itself changes with every call; the policy in it has its own hash.
const OWN_FOLDER = ':(exclude,top,glob)**/.bearings/**';

export async function gitState(root: string, variables: Variables): Promise<GitState> {
  const git = async (args: string[], settings: Record<string, string> = {}): Promise<string | null> =>
    (await runGit(root, args, { variables, settings }))?.toString('utf8') ?? null;
  const top = (await git(['rev-parse', '--show-toplevel']))?.replace(/\n$/, '');
  // A repository may name another place as its work tree; that is not this project.
  const realTop = top ? realPath(top) : null;
  if (realTop === null || !isInside(realTop, root) || realPath(join(realTop, '.git')) === null) return NOWHERE;
  const head = (await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim() || null;
  const filters = await git(['config', '--null', '--name-only', '--get-regexp', '^filter\\.']);
  const status = await git(
    [
      ...['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'],
      ...['--', ':/', OWN_FOLDER],
    ],
    withoutFilters(filters ?? ''),
  );
  if (status === null) return { ...NOWHERE, head };
  const changes = status.split('\0').filter((entry) => entry !== '');
  const lines = changes.sort().map((entry, index) => {
    const path = join(realTop, entry.slice(3));
    return `${entry}\0${index < MAX_HASHED_FILES ? contentOf(path, realTop) : ''}`;
  });
  return { head, dirty: changes.length > 0, dirty_sha256: sha256(lines.join('\n')) };
}

// A clean filter is a command of the repository's settings, and looking for changes would run it. Handed over as
// variables: on the command line a name with `=` in it would be another name.
function withoutFilters(names: string): Record<string, string> {
  const filters = new Set(names.split('\0').flatMap((name) => /^filter\.(.+)\.[a-z]+$/is.exec(name)?.[1] ?? []));
  const off = [...filters].flatMap((name) => [
    ...['clean', 'smudge', 'process'].map((key) => [`filter.${name}.${key}`, ''] as const),
    [`filter.${name}.required`, 'false'] as const,
  ]);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(off.length)],
    ...off.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}

function contentOf(path: string, scope: string): string {
  const read = withFile(path, scope, ({ fd, size }) =>
    createHash('sha256')
      .update(readRange(fd, 0, Math.min(size, HASHED_BYTES)))
      .update(String(size))
      .digest('hex'),
  );
  return read.status === 'ok' ? read.value : read.status;
}
