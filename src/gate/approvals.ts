import { sha256 } from '../files/file-fingerprint.ts';
import type { AppContext } from '../settings/app-context.ts';
import { withSettings } from '../settings/resolve.ts';
import { type Domains, homeWord } from './domains/domains.ts';
import { textLines } from './io/ledger-file.ts';
import { isSigned, knownKey } from './io/person-key.ts';
import { assertSound, homeLedger, readHome } from './io/read-standing.ts';
import { ownKey, type Proof, signerFor } from './keys/confirm-level.ts';
import type { ApprovalAnswer, EntryTexts, LedgerEntry } from './ledger/entry.ts';
import { hashesOf, parseEntry, readTextRecord, textsOf } from './ledger/ledger.ts';
import { assertNoSecret } from './proposals/proposal.ts';

/** What the person says to something that waited for their word. */
export interface Approval {
  /** What it is about: the run and its step. */
  subject: string;
  /** Of what they were shown. */
  shown_sha256: string;
  answer: ApprovalAnswer;
  /** For an edit: what takes the place of what was shown. */
  text?: string;
  reason?: string;
}

export type RecordedApproval = NonNullable<ReturnType<typeof recordedApproval>>;

export interface ApprovalVia extends Proof {
  via: 'review' | 'page' | 'demo';
}

// Such a word belongs to no workspace, so it is in the home's chain.
export function approvalUseCases(app: AppContext, domains: Domains) {
  return withSettings(app, {
    async approve(settings, said: Approval, { via, ...proof }: ApprovalVia): Promise<RecordedApproval> {
      assertNoSecret(said.text ?? '');
      assertSound(readHome(settings.home));
      const signer = signerFor(settings, proof);
      const { subject, shown_sha256, answer, text, reason } = said;
      const { at, line } = await homeWord(app, domains, settings, {
        ...{ signer, decision: 'approve', via, subject, answer, edited: answer === 'edit', reason: reason ?? null },
        content_sha256: shown_sha256,
        ...(text === undefined ? {} : { blocks: [{ text }] }),
      });
      return { ...said, at, by: signer.fingerprint, entry: line };
    },

    /** Every such word of the person's, the oldest first. */
    async approvals(settings): Promise<RecordedApproval[]> {
      await domains.settle(domains.home(settings));
      const { permits } = readHome(settings.home);
      return permits.flatMap(({ entry, said, line }) => recordedApproval(entry, said, line) ?? []);
    },

    /** The texts that a signed line names by their hashes, for who has no ledger of the person's. */
    recordsOf({ home }, line: string): string[] {
      const entry = parseEntry(line);
      const hashes = new Set(entry ? hashesOf(entry) : []);
      return textLines(homeLedger(home)).filter((record) => hashes.has(readTextRecord(record, sha256)?.[0] ?? ''));
    },

    /** With which the person of this home signs; where nothing was signed yet, none or one that is made now. */
    async answeringKeys(settings, ifNone: 'none' | 'make'): Promise<readonly string[]> {
      const { keys, isNew } = readHome(settings.home).state;
      if (!isNew) return [...keys];
      // The first decision makes it the one that counts.
      const first = ifNone === 'make' ? ownKey(settings) : knownKey(settings.home, keys);
      return first ? [first.publicKey] : [];
    },
  });
}

function recordedApproval(
  { decision, subject, answer, at, key }: LedgerEntry,
  { reason, content_sha256, blocks }: EntryTexts,
  line: string,
) {
  if (decision !== 'approve' || !subject || !answer || content_sha256 === null) return null;
  const text = answer === 'edit' ? (blocks[0]?.text ?? null) : null;
  /** `by`: fingerprint of the key that signed; `entry`: its signed line in the ledger. */
  const approval = { subject, shown_sha256: content_sha256, answer, at, by: key, entry: line };
  return { ...approval, ...(text !== null && { text }), ...(reason !== null && { reason }) };
}

/** For who has no ledger of the person's: what the line says, where one of these keys signed it and each of its texts is there. */
export function signedApproval(
  { entry: line, records }: { entry: string; records: readonly string[] },
  keys: readonly string[],
): RecordedApproval | null {
  const entry = parseEntry(line);
  if (entry?.ledger !== 'home' || !keys.includes(entry.public_key) || !isSigned(entry)) return null;
  const texts = new Map(records.map((record) => readTextRecord(record, sha256)).filter((read) => read !== null));
  return hashesOf(entry).every((hash) => texts.has(hash)) ? recordedApproval(entry, textsOf(entry, texts), line) : null;
}
