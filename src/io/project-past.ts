import type { History } from '../matching/history.ts';
import { gitHead, gitHistory } from './git-history.ts';
import type { IndexStore } from './index-store.ts';

/** The past of one project, as its head tells it. */
export class ProjectPast {
  private readonly root: string;
  private readonly store: IndexStore;
  private head: Promise<string | null> | undefined;
  private known: { depth: number; history: History } | null = null;

  constructor(root: string, store: IndexStore) {
    this.root = root;
    this.store = store;
  }

  /** The head may have moved since. */
  lookAgain(): void {
    this.head = gitHead(this.root);
  }

  async history(depth: number): Promise<History | null> {
    if (depth <= 0) return null;
    if (this.head === undefined) this.lookAgain();
    const head = (await this.head) ?? null;
    if (head === null) return null;
    // Always the same object for the same past: who reads it keeps what was made of it.
    if (this.known?.depth === depth && this.known.history.head === head) return this.known.history;
    const kept = this.store.history(head, depth);
    const history = kept ?? (await gitHistory(this.root, head, depth));
    if (history && !kept) this.store.keepHistory(history, depth);
    this.known = history && { depth, history };
    return history;
  }
}
