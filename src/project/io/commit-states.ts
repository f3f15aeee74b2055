import { appendFileSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { notFound } from '../../errors.ts';
import { git } from './git.ts';

export interface PastCommit {
  id: string;
  parent: string;
  subject: string;
}

/** A work tree of its own that can be set to any commit of another repository, which is only read. */
export interface CommitStates {
  folder: string;
  /** The repository was fetched without its whole history. */
  isShallow: boolean;
  /** The newest first, without merges and without the first commit. */
  commits(most: number): Promise<PastCommit[]>;
  /** By any of its names; null where the repository has no such commit, or it is the first. */
  commit(name: string): Promise<PastCommit | null>;
  /** `git diff -U0 --no-prefix` against the parent; null where git can't tell. */
  diff(commit: PastCommit): Promise<string | null>;
  /** False where git can't write that state. */
  stand(at: string): Promise<boolean>;
  /** Every file of the state it is at, with the name of its contents. */
  files(): Promise<{ path: string; blob: string }[]>;
}

// The objects of the repository are borrowed: nothing is copied, and nothing is written there.
export async function commitStates(repository: string, folder: string): Promise<CommitStates> {
  const said = async (place: string, ...args: string[]) => (await git(place, args))?.toString('utf8') ?? null;
  // A git directory without a work tree has to be named as such.
  const isBare = existsSync(join(repository, 'HEAD')) && existsSync(join(repository, 'objects'));
  const named = isBare ? ['--git-dir=.'] : [];
  const objects = (await said(repository, ...named, 'rev-parse', '--git-path', 'objects'))?.trim();
  const head = (await said(repository, ...named, 'rev-parse', '--verify', 'HEAD'))?.trim();
  if (!objects || !head)
    throw notFound('There is no git repository with a commit.', 'Run it in one, or name its folder.');
  mkdirSync(folder, { recursive: true });
  await git(folder, ['init', '--quiet']);
  const own = join(folder, '.git');
  const lent = resolve(repository, objects);
  appendFileSync(join(own, 'objects/info/alternates'), `${lent}\n`);
  const shallow = join(lent, '../shallow');
  const isShallow = existsSync(shallow);
  if (isShallow) copyFileSync(shallow, join(own, 'shallow'));
  const log = async (from: string, ...options: string[]): Promise<PastCommit[]> => {
    const listed = await said(folder, 'log', ...options, '--format=%H%x00%P%x00%s', from, '--');
    return (listed ?? '').split('\n').flatMap((line) => {
      const [id = '', parents = '', subject = ''] = line.split('\0');
      const parent = parents.split(' ')[0] ?? '';
      return id !== '' && parent !== '' ? [{ id, parent, subject }] : [];
    });
  };
  return {
    folder,
    isShallow,
    commits: (most) => log(head, '--no-merges', '-n', String(most)),
    async commit(name) {
      // Names such as a branch are the repository's own: here only its objects are known.
      const id = (
        await said(repository, ...named, 'rev-parse', '--verify', '--end-of-options', `${name}^{commit}`)
      )?.trim();
      return id === undefined ? null : ((await log(id, '-n', '1'))[0] ?? null);
    },
    diff: ({ id, parent }) =>
      said(
        ...([folder, 'diff', '-U0', '--no-prefix', '--no-color', '--no-ext-diff', '--no-textconv'] as const),
        ...(['--diff-filter=MR', '-M', parent, id, '--'] as const),
      ),
    async stand(at) {
      return (await git(folder, ['checkout', '--quiet', '--force', '--detach', at, '--'])) !== null;
    },
    async files() {
      const listed = await said(folder, 'ls-tree', '-r', '-z', 'HEAD');
      return (listed ?? '').split('\0').flatMap((line) => {
        const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return blob !== undefined && path !== undefined ? [{ path, blob }] : [];
      });
    },
  };
}
