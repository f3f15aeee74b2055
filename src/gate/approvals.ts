import { invalidInput } from '../errors.ts';
import { join } from '../files/paths.ts';
import { sha256 } from '../files/sha256.ts';
import { findCertainSecret } from '../safety/secrets.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import type { Domains } from './domains.ts';
import { signatureCheck } from './io/key-owners.ts';
import { readDecisions } from './io/ledger-accounts.ts';
import { readLedgers, readTextLines } from './io/ledger-file.ts';
import { beginDecision, NOTHING_DECIDED, newEntry } from './io/new-entry.ts';
import { knownKey, personKey } from './io/person-key.ts';
import { targetIn } from './io/target-text.ts';
import { writeRecord } from './io/target-writer.ts';
import { DraftEnds } from './keys/passkey-act.ts';
import { type Proof, signerFor } from './keys/signer.ts';
import type { ApprovalAnswer, DecisionRecord, ReadEntry } from './ledger/entry.ts';
import { hashesOf, readEntry, readTextRecord } from './ledger/entry-texts.ts';
import { parseEntry } from './ledger/ledger.ts';

/** What the person says to something that waited for her word. */
export interface Approval {
  /** What it is about: the run and its step. */
  subject: string;
  /** Of what she was shown. */
  shown_sha256: string;
  answer: ApprovalAnswer;
  /** For an edit: what takes the place of what was shown. */
  text?: string;
  reason?: string;
}

export interface RecordedApproval extends Approval {
  at: string;
  /** Fingerprint of the key that signed. */
  by: string;
  /** Its signed line in the ledger. */
  entry: string;
}

export interface ApprovalVia extends Proof {
  via: 'review' | 'page' | 'demo';
}

// Such a word belongs to no workspace, so it is in the ledger of the home, among the tastes'.
export function approvalUseCases(app: AppContext, domains: Domains) {
  return {
    async approve(said: Approval, { via, ...proof }: ApprovalVia): Promise<RecordedApproval> {
      const secret = findCertainSecret(said.text ?? '');
      if (secret) throw invalidInput(`The text holds what looks like a secret (${secret.kind}).`, 'Leave it out.');
      const settings = await app.settings();
      const signer = signerFor(settings, proof);
      const domain = await domains.tastes(settings);
      const { decisions } = domain;
      const { subject, shown_sha256, answer, text, reason } = said;
      return domain.lock.run(() => {
        const at = signer.act?.at ?? app.now().toISOString();
        beginDecision(domain, settings.home, { signer, at });
        const record: Omit<DecisionRecord, 'who' | 'level'> = {
          ...NOTHING_DECIDED,
          decision: 'approve',
          at,
          via,
          subject,
          answer,
          edited: answer === 'edit',
          reason: reason ?? null,
          content_sha256: shown_sha256,
          ...(text === undefined ? {} : { blocks: [{ text }] }),
        };
        const entry = newEntry(decisions.ledger, record, { signer });
        if (entry.draft) throw new DraftEnds();
        writeRecord(targetIn(decisions, '_default.md'), { ...entry, proposal_id: '', pending: null });
        return { ...said, at, by: signer.fingerprint, entry: entry.ledger_line };
      });
    },

    /** Every such word of the person and of those she trusts, the oldest first. */
    async approvals(): Promise<RecordedApproval[]> {
      const settings = await app.settings();
      await domains.settle(await domains.tastes(settings));
      return recordedIn(settings);
    },

    /** The texts that a signed line names by their hashes, for who has no ledger of the person's. */
    async recordsOf(line: string): Promise<string[]> {
      const { tastesFolder: scope, home } = await app.settings();
      const entry = parseEntry(line);
      if (!entry) return [];
      return readTextLines(
        readLedgers({ folder: join(scope, 'ledger'), scope, home }),
        scope,
        new Set(hashesOf(entry)),
      );
    },

    /** With which the person of this home signs; where she has not signed anything yet, none or one that is made now. */
    async answeringKeys(ifNone: 'none' | 'make'): Promise<readonly string[]> {
      const { home } = await app.settings();
      return (ifNone === 'make' ? personKey(home) : knownKey(home))?.publicKeys ?? [];
    },
  };
}

function recordedIn(settings: Settings): RecordedApproval[] {
  const folder = settings.tastesFolder;
  return readDecisions({ ledgerFolder: join(folder, 'ledger'), scope: folder, image_id: null }, settings.home)
    .flat()
    .flatMap(({ entry, line }) => recordedApproval(entry, line) ?? []);
}

function recordedApproval(entry: ReadEntry, line: string): RecordedApproval | null {
  const { decision, subject, answer, at, key, reason, content_sha256, texts = [] } = entry;
  if (decision !== 'approve' || !subject || !answer || content_sha256 === null) return null;
  const text = answer === 'edit' ? texts[0]?.[1] : undefined;
  return {
    subject,
    shown_sha256: content_sha256,
    answer,
    ...(text === undefined ? {} : { text }),
    ...(reason === null ? {} : { reason }),
    at,
    by: key,
    entry: line,
  };
}

/** For who has no ledger of the person's: what the line says, where one of these keys signed it and each of its texts is there. */
export function signedApproval(
  { entry: line, records }: { entry: string; records: readonly string[] },
  keys: readonly string[],
): RecordedApproval | null {
  const entry = parseEntry(line);
  if (entry?.v !== 2 || !keys.includes(entry.public_key) || !signatureCheck()(entry)) return null;
  const texts = new Map(records.map((record) => readTextRecord(record, sha256)).filter((record) => record !== null));
  return hashesOf(entry).every((hash) => texts.has(hash)) ? recordedApproval(readEntry(entry, texts), line) : null;
}
