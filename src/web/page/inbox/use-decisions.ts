import { useState } from 'preact/hooks';
import type { Act, Action, Item, Queue } from '../../wire.ts';
import { ApiError } from '../api.ts';
import { decisionsAt } from './decisions.ts';
import { outcome, severalSaid, undoOf } from './inbox-words.ts';
import type { usePassphrase } from './passphrase.tsx';
import type { Said } from './said.tsx';

/** What the person adds to a decision. */
export interface More {
  edited?: string;
  reason?: string;
  until?: string;
}

// Errors that say: what was shown is no longer what waits.
const OUTDATED = ['conflict', 'not_found', 'stale'];

/** Decides, and says what came of it. */
export function useDecisions(queue: Queue, secret: ReturnType<typeof usePassphrase>) {
  const [said, setSaid] = useState<Said | null>(null);
  const say = (text: string): void => setSaid({ text, isProblem: true, undo: null });
  const decisions = decisionsAt(queue, secret);
  return {
    said,
    setSaid,
    say,
    async decide(what: Item, action: Action, more: More): Promise<boolean> {
      try {
        const acted = await decisions.one({ binding: what.binding, action, ...more });
        if (acted === null) return false;
        setSaid({ text: outcome(acted), isProblem: false, undo: undoOf(what, acted) });
        return true;
      } catch (error) {
        say((error as Error).message);
        return false;
      }
    },
    /** Nothing: what was shown still waits as it is. Changed: some of it was decided, here or elsewhere. */
    async decideAll(acts: readonly Act[]): Promise<'all' | 'changed' | 'nothing'> {
      try {
        const all = await decisions.all(acts);
        if (all === null) return 'nothing';
        setSaid({ text: severalSaid(all, acts.length), isProblem: all.problem !== null, undo: null });
        return all.problem === null ? 'all' : 'changed';
      } catch (error) {
        say((error as Error).message);
        return error instanceof ApiError && OUTDATED.includes(error.code) ? 'changed' : 'nothing';
      }
    },
  };
}
