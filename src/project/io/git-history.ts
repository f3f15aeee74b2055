import { type Commit, type History, MOST_FILES } from '../../matching/signals/history.ts';
import { git } from './git.ts';

const MARK = '\u0001';

/** The commits without parents that the folder's state comes from: what all clones of one repository share. */
export async function firstCommits(folder: string): Promise<string[]> {
  const printed = await git(folder, ['rev-list', '--max-parents=0', 'HEAD', '--']);
  return printed?.toString('latin1').split('\n').filter(Boolean) ?? [];
}

// The newest commits with the files they touched, under the names these have today. Renames by content could abort in
// a partial clone: only exact ones are followed.
export async function gitHistory(folder: string, head: string, depth: number): Promise<History | null> {
  const printed = await git(folder, [
    'log',
    '-n',
    String(depth),
    '--no-merges',
    '--no-ext-diff',
    '--no-textconv',
    '-M100%',
    '--name-status',
    '-z',
    '--relative',
    `--format=${MARK}%s%x00`,
    head,
    '--',
    '.',
  ]);
  if (!printed) return null;
  const today = new Map<string, string>();
  const commits: Commit[] = [];
  for (const record of printed.toString('utf8').split(MARK).slice(1)) {
    const [subject = '', ...fields] = record.split('\0');
    const files: string[] = [];
    const renames: [string, string][] = [];
    for (let i = 0; i < fields.length; i += 1) {
      const status = (fields[i] as string).trim();
      if (status === '') continue;
      const path = fields[++i] ?? '';
      const renamed = /^[RC]/.test(status) ? (fields[++i] ?? '') : null;
      if (renamed !== null && status.startsWith('R')) renames.push([path, renamed]);
      const name = renamed ?? path;
      files.push(today.get(name) ?? name);
    }
    for (const [from, to] of renames) today.set(from, today.get(to) ?? to);
    // Of a change of very many files only its words count: its files need not be kept.
    commits.push({ subject, files: files.length > MOST_FILES ? files.slice(0, MOST_FILES + 1) : files });
  }
  return { head, commits };
}
