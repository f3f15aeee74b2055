import type { Registration } from '../gate/keys/confirm-level.ts';
import type { PasskeyAct } from '../gate/ledger/ledger.ts';

/** One thing that a command has the person confirm on the page, with an authenticator. */
export interface PageTask {
  title: string;
  /** What exactly is confirmed. */
  lines: string[];
  /** The text that it is about, shown as it is. */
  text?: string;
  /** Whether an authenticator is registered by it: the first, or another one. */
  kind: 'register' | 'add' | 'sign';
  /** Gone through twice, as a draft and signed. */
  run(given: { act: PasskeyAct; registration: Registration | null; port: number }): Promise<void>;
}
