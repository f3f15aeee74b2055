import { sha256 } from '../../files/sha256.ts';
import type { Domain } from '../domains.ts';
import { isDraft, nextSeed } from '../keys/passkey-act.ts';
import type { DecisionRecord } from '../ledger/entry.ts';
import { draftEntry, ledgerLine, type Signer } from '../ledger/ledger.ts';
import type { Settled } from './intent-file.ts';
import type { LedgerFile } from './ledger-file.ts';
import { rememberChain } from './ledger-heads.ts';
import { userName } from './machine-name.ts';
import { randomId } from './random-id.ts';
import { recover } from './target-recovery.ts';
import { targetIn } from './target-text.ts';
import { writeRecord } from './target-writer.ts';

/** What every decision says of itself where nothing else is known. */
export const NOTHING_DECIDED = {
  decision: 'level',
  via: 'terminal',
  client: null,
  proposal_id: null,
  session_id: null,
  image_id: null,
  file: null,
  category: null,
  reason: null,
  content_sha256: null,
  edited: false,
  already_present: false,
} as const;

/** An entry after the last one of the chain, ready to be written; of a draft only its hash is taken. */
export function newEntry(
  ledger: LedgerFile,
  record: Omit<DecisionRecord, 'who' | 'level'>,
  { signer }: { signer: Signer },
): Pick<Settled, 'ledger_line' | 'texts' | 'draft'> {
  const { act } = signer;
  const whole = { ...record, ...(act && { at: act.at }), who: userName(), level: signer.level };
  const tools = { seed: act ? nextSeed(act, sha256) : randomId(32), sha256 };
  const machine = ledger.name();
  if (!isDraft(act)) {
    const { line, texts } = ledgerLine(whole, { head: ledger.head(), machine }, signer, tools);
    return { ledger_line: line, texts };
  }
  const head = act.heads.get(ledger.path()) ?? ledger.head();
  const { hash } = draftEntry(whole, { head, machine, key: signer }, tools);
  act.hashes.push(hash);
  act.heads.set(ledger.path(), { seq: head.seq + 1, hash });
  return { ledger_line: '', texts: [], draft: true };
}

// Under the lock, before anything is decided: what a crash left is ended, and a chain of the first format is closed by
// one signed entry of the second. Nothing that is there is touched.
export function beginDecision(domain: Domain, home: string, { signer, at }: { signer: Signer; at: string }): void {
  const { decisions, image_id } = domain;
  recover(decisions);
  if (!decisions.ledger.isOfFirstFormat() || signer.act?.heads.has(decisions.ledger.path())) return;
  const about = image_id === null ? {} : { image_id, file: 'notes.md' };
  const entry = newEntry(decisions.ledger, { ...NOTHING_DECIDED, ...about, decision: 'upgrade', at }, { signer });
  writeRecord(targetIn(decisions, 'notes.md'), { ...entry, proposal_id: '', pending: null });
  if (!entry.draft) rememberChain(home, domain.ledgerFolder, decisions.ledger.name());
}
