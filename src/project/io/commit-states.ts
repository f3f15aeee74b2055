import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { notFound } from '../../errors.ts';
import { readPlainFile } from '../../files/read-file.ts';
import { git, gitWarnings } from './git.ts';

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
  /** `git diff -U0 --no-prefix` against the parent; null where git can't tell. */
  diff(commit: PastCommit): Promise<string | null>;
  /** False where git can't write that state. */
  stand(at: string): Promise<boolean>;
  /** Every file of the state it is at, with the name of its contents. */
  files(): Promise<{ path: string; blob: string }[]>;
}

// A whole state takes longer to write than a question to answer.
const LIMIT_MS = 120_000;
const COMMIT = /^[0-9a-f]{40,64}$/;

// The objects of the repository are borrowed: nothing is copied, and nothing is written there.
export async function commitStates(repository: string, folder: string): Promise<CommitStates> {
  const own = join(folder, '.git');
  // Here no settings count but those of a fresh repository: a filter of the person's would run for whoever made the
  // commit, and another machine would see other texts.
  const settings = { HOME: own, XDG_CONFIG_HOME: own, GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };
  const inOwn = async (...args: string[]) => textOf(await git(folder, args, { settings, timeoutMs: LIMIT_MS }));
  // A git directory without a work tree has to be named as such.
  const isBare = existsSync(join(repository, 'HEAD')) && existsSync(join(repository, 'objects'));
  const named = isBare ? ['--git-dir=.'] : [];
  const inTheirs = async (...args: string[]) => textOf(await git(repository, [...named, 'rev-parse', ...args]))?.trim();
  const objects = await inTheirs('--git-path', 'objects');
  const head = await inTheirs('--verify', 'HEAD');
  if (!objects || !head)
    throw notFound(
      gitWarnings(repository)[0] ?? 'There is no git repository with a commit.',
      'Run it in one, or name its folder.',
    );
  mkdirSync(folder, { recursive: true });
  await inOwn('init', '--quiet', '--template=');
  const lent = resolve(repository, objects);
  mkdirSync(join(own, 'objects/info'), { recursive: true });
  appendFileSync(join(own, 'objects/info/alternates'), `${lent}\n`);
  const shallow = join(lent, '../shallow');
  const isShallow = existsSync(shallow);
  if (isShallow) writeFileSync(join(own, 'shallow'), readPlainFile(shallow));
  return {
    folder,
    isShallow,
    async commits(most) {
      const listed = await inOwn('log', '--no-merges', '-n', String(most), '--format=%H%x00%P%x00%s', head, '--');
      return (listed ?? '').split('\n').flatMap((line) => {
        const [id = '', parents = '', subject = ''] = line.split('\0');
        const parent = parents.split(' ')[0] ?? '';
        return id !== '' && parent !== '' ? [{ id, parent, subject }] : [];
      });
    },
    diff: ({ id, parent }) =>
      inOwn(
        ...(['diff', '-U0', '--no-prefix', '--no-color', '--no-ext-diff', '--no-textconv'] as const),
        ...(['--diff-filter=MR', '-M', parent, id, '--'] as const),
      ),
    async stand(at) {
      return COMMIT.test(at) && (await inOwn('checkout', '--quiet', '--force', '--detach', at, '--')) !== null;
    },
    async files() {
      const listed = await inOwn('ls-tree', '-r', '-z', 'HEAD');
      return (listed ?? '').split('\0').flatMap((line) => {
        const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
        return blob !== undefined && path !== undefined ? [{ path, blob }] : [];
      });
    },
  };
}

function textOf(printed: Buffer | null): string | null {
  return printed?.toString('utf8') ?? null;
}
