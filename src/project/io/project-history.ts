import type { History } from '../../matching/signals/history.ts';
import { git } from './git.ts';
import { gitHistory } from './git-history.ts';
import type { IndexStore } from './index/index-store.ts';

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
