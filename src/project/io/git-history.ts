import { type Commit, type History, MOST_FILES } from '../../matching/signals/history.ts';
import { git } from './git.ts';
import type { IndexStore } from './index/index-store.ts';

const MARK = '\u0001';

/** The commits without parents that the folder's state comes from: what all clones of one repository share. */
export async function firstCommits(folder: string): Promise<string[]> {
  const printed = await git(folder, ['rev-list', '--max-parents=0', 'HEAD', '--']);
  return printed?.toString('latin1').split('\n').filter(Boolean) ?? [];
}

// The newest commits with the files they touched, under the names these have today. Renames by content could abort in
// a partial clone: only exact ones are followed.
async function gitHistory(folder: string, head: string, depth: number): Promise<History | null> {
  const printed = await git(folder, [
    ...['log', '-n', String(depth), '--no-merges', '--no-ext-diff', '--no-textconv', '-M100%', '--name-status', '-z'],
    ...['--relative', `--format=${MARK}%s%x00`, head, '--', '.'],
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

const FILE = 'history';

/** The newest commits of a project; read once for each head and depth. */
export class ProjectHistory {
  private readonly root: string;
  private readonly store: IndexStore;
  private last: { depth: number; history: History } | null = null;

  constructor(root: string, store: IndexStore) {
    this.root = root;
    this.store = store;
  }

  async newest(depth: number): Promise<History | null> {
    if (depth <= 0) return null;
    const printed = await git(this.root, ['rev-parse', '--is-shallow-repository', '--verify', 'HEAD']);
    const [shallow, head] = printed?.toString('latin1').trim().split('\n') ?? [];
    if (head === undefined) return null;
    // A shallow clone may grow without a new head: its history is read every time.
    if (shallow !== 'false') return gitHistory(this.root, head, depth);
    // Always the same object for the same history: who reads it keeps what was made of it.
    if (this.last?.depth === depth && this.last.history.head === head) return this.last.history;
    const stored = this.stored(head, depth);
    const history = stored ?? (await gitHistory(this.root, head, depth));
    if (history && !stored) this.write(history, depth);
    this.last = history && { depth, history };
    return history;
  }

  private stored(head: string, depth: number): History | null {
    const stored = this.store.read(FILE) as (History & { depth: number }) | null;
    return stored?.head === head && stored.depth === depth ? { head, commits: stored.commits } : null;
  }

  private write(history: History, depth: number): void {
    try {
      this.store.write(FILE, { ...history, depth });
    } catch {
      // No place to write: the next process asks git again.
    }
  }
}
