import type { AppContext, Settings } from '../../settings/app-context.ts';
import { beginDecision, type NewRecord, NOTHING_DECIDED, newEntry } from '../io/new-entry.ts';
import { targetIn } from '../io/target-text.ts';
import { writeRecord } from '../io/target-writer.ts';
import type { Signer } from '../ledger/ledger.ts';
import { DraftEnds } from '../ledger/passkey-act.ts';
import type { Domains } from './domains.ts';

/** Writes a word of the person's that belongs to no text: a key, an allowance, a folder. Answers with its signed line. */
export function homeWord(
  app: AppContext,
  domains: Domains,
  settings: Settings,
  { signer, ...said }: Partial<NewRecord> & Pick<NewRecord, 'decision'> & { signer: Signer },
): Promise<{ at: string; line: string }> {
  const domain = domains.home(settings);
  return domain.lock.run(() => {
    const at = signer.act?.at ?? app.now().toISOString();
    beginDecision(domain, { signer, at });
    const entry = newEntry(domain.decisions, { ...NOTHING_DECIDED, ...said, at }, { signer });
    if (entry.draft) throw new DraftEnds();
    writeRecord(targetIn(domain.decisions, 'home'), { ...entry, proposal_id: '', pending: null });
    return { at, line: entry.ledger_line };
  });
}
