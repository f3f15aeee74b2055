import { BearingsError, invalidInput } from '../errors.ts';
import { sha256 } from '../files/sha256.ts';
import { codeOf, reasonOf } from '../files/system-error.ts';
import { findCertainSecret } from '../safety/secrets.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { accountedFiles } from './accounting/accounted-files.ts';
import { fingerprintOf } from './accounting/fingerprints.ts';
import { asText, decisionBehind, textsOf } from './archive/retire.ts';
import type { Domain, Domains } from './domains.ts';
import { readAccounts } from './io/ledger-accounts.ts';
import { readLedgers } from './io/ledger-file.ts';
import { beginDecision, NOTHING_DECIDED, newEntry } from './io/new-entry.ts';
import { personKey, replaceLostKey } from './io/person-key.ts';
import { currentText, type DecisionTarget, replaceText, targetIn } from './io/target-text.ts';
import { writeAppend, writeRecord, writeReplacement } from './io/target-writer.ts';
import { trustedKeys, trustKey } from './io/trusted-keys.ts';
import type { ConfirmLevel, DecisionRecord } from './ledger/entry.ts';
import { entryFile, headAfter, parseEntry, type Signer } from './ledger/ledger.ts';
import { assertContent, isRetirement, isSameShown, type Proposal, type Shown, shownOf } from './proposal.ts';
import { unknownProposal } from './propose.ts';
import { recordFor } from './sessions/outside-records.ts';
import { blocksOf, withoutOuterBlankLines } from './text-blocks.ts';

/** The person's word. A face may only make one after it has asked. */
export interface Decision {
  decision: 'accept' | 'decline';
  /** The person's own words in place of the proposed ones. */
  editedContent?: string | undefined;
  reason?: string | undefined;
  /** How the person was asked, and through which client; null: none. */
  via: 'review' | 'elicitation' | 'page' | 'demo';
  client: string | null;
  /** Only at `confirm: passphrase`. Never kept. */
  passphrase?: string | undefined;
}

export interface Decided {
  status: 'accepted' | 'declined' | 'already_present';
  proposal_id: string;
  target: string;
  file: string;
  /** Number of the entry in the ledger. */
  ledger: number;
}

export function decisionUseCases(app: AppContext, domains: Domains) {
  const write = async (
    domain: Domain,
    settings: Settings,
    proposal: Proposal,
    pending: string,
    verdict: Decision,
    signer: Signer,
  ): Promise<Decided> => {
    const { decisions } = domain;
    const target: DecisionTarget = targetIn(decisions, proposal.file);
    const content = verdict.editedContent ?? proposal.content;
    const accepted = verdict.decision === 'accept';
    const present = accepted && content !== '' && decisions.index.holds(target.path, target.scope, content);
    const head = decisions.ledger.head();
    const record = {
      decision: verdict.decision,
      at: app.now().toISOString(),
      via: verdict.via,
      client: verdict.client,
      proposed_by: proposal.client,
      proposal_id: proposal.proposal_id,
      session_id: proposal.session_id,
      image_id: proposal.image_id,
      file: entryFile(proposal),
      category: proposal.category,
      reason: verdict.reason ?? proposal.reason,
      content_sha256: proposal.content_sha256,
      edited: accepted && verdict.editedContent !== undefined && verdict.editedContent !== proposal.content,
      already_present: present,
      ...(!accepted
        ? {}
        : present
          ? { blocks: textsOf(content) }
          : changeOf(target, domain, settings, { ...proposal, content })),
    };
    const settled = {
      proposal_id: proposal.proposal_id,
      ...newEntry(decisions.ledger, record, { signer }),
      pending,
    };
    if (!accepted || present) writeRecord(target, settled);
    else if (proposal.replaces === null) writeAppend(target, content, settled);
    else {
      const archive = proposal.kind === 'notes' ? { archive: { add: [proposal.replaces], drop: [] } } : {};
      writeReplacement(target, { ...settled, ...archive, block: proposal.replaces, content });
    }
    const status = !accepted ? 'declined' : present ? 'already_present' : 'accepted';
    return {
      status,
      proposal_id: proposal.proposal_id,
      target: shownOf(proposal).target,
      file: proposal.file,
      ledger: head.seq + 1,
    };
  };

  // A level that changed without an entry of its own was changed behind the person's back: `verify` tells.
  const record = async (settings: Settings, signer: Signer, about: Partial<DecisionRecord> = {}): Promise<void> => {
    const domain = await domains.tastes(settings);
    const { ledger } = domain.decisions;
    await domain.lock.run(() => {
      const at = app.now().toISOString();
      beginDecision(domain, settings.home, { signer, at });
      const { ledger_line: line, texts = [] } = newEntry(ledger, { ...NOTHING_DECIDED, ...about, at }, { signer });
      ledger.append({ line, texts });
    });
  };

  return {
    // Bound to what was shown: id, content and target. Whatever changed since then was not what the person said yes to.
    async decide(shown: Shown, kind: Proposal['kind'] | null, verdict: Decision): Promise<Decided> {
      if (verdict.editedContent !== undefined) {
        assertContent(verdict.editedContent);
        const secret = findCertainSecret(verdict.editedContent);
        if (secret) throw invalidInput(`The text holds what looks like a secret (${secret.kind}).`, 'Leave it out.');
      }
      const settings = await app.settings();
      const signer = signerFor(settings, verdict.passphrase);
      const workspaces = [null, ...settings.workspaces()];
      const find = () => {
        for (const workspace of workspaces) {
          const found = domains.pendingOf(settings, workspace).find(shown.proposal_id);
          if (found && (kind === null || found.proposal.kind === kind)) return found;
        }
        return null;
      };
      const known = find();
      if (!known) throw unknownProposal(shown.proposal_id);
      const domain = await domains.of(settings, known.proposal);
      return domain.lock.run(async () => {
        try {
          beginDecision(domain, settings.home, { signer, at: app.now().toISOString() });
          const stored = find();
          if (!stored) throw unknownProposal(shown.proposal_id);
          const { proposal } = stored;
          if (!isSameShown(shownOf(proposal), shown)) {
            throw new BearingsError('conflict', 'The proposal is no longer what was shown.', {
              hint: 'Look at it again: bearings review',
            });
          }
          const decided = await write(domain, settings, proposal, stored.path, verdict, signer);
          recordFor(app, settings, proposal, decisionEntry(proposal, verdict));
          return decided;
        } catch (error) {
          if (error instanceof BearingsError || codeOf(error) === '') throw error;
          throw new BearingsError(
            'io_error',
            `The decision can't be written: ${reasonOf(error)}. The proposal still waits.`,
            { cause: error },
          );
        }
      });
    },

    async confirmLevel(): Promise<ConfirmLevel> {
      return personKey((await app.settings()).home).level;
    },

    /** The key that signs: what a person compares with what she wrote down. */
    async keyInfo(): Promise<{ fingerprint: string; level: ConfirmLevel; made_at: string | null }> {
      const { fingerprint, level, madeAt } = personKey((await app.settings()).home);
      return { fingerprint, level, made_at: madeAt };
    },

    // Only after the person has said that the earlier key is lost. On record: `verify` tells the change.
    async replaceLostKey(): Promise<void> {
      const settings = await app.settings();
      replaceLostKey(settings.home);
      const signer = signerFor(settings, undefined);
      await record(settings, signer, { decision: 'key', subject: signer.fingerprint });
    },

    async setPassphrase(passphrase: string): Promise<void> {
      if ([...passphrase].length < 8)
        throw invalidInput('The passphrase is too short.', 'Use at least 8 characters; a sentence is best.');
      const settings = await app.settings();
      const key = personKey(settings.home);
      if (key.level === 'passphrase')
        throw invalidInput('A passphrase is set already.', 'Take it off first: bearings config confirm ask');
      const trusted = trustedKeys(settings.home, key);
      key.lock(passphrase, { until: app.now().toISOString(), sealed: chainEnds(settings, key.publicKey) });
      const signer = signerFor(settings, passphrase);
      for (const { fingerprint, at } of trusted) trustKey(settings.home, { fingerprint, at }, signer);
      await record(settings, signer);
    },

    // Recorded before it is done: after a crash in between the key is still locked, and nothing looks tampered with.
    async removePassphrase(passphrase: string): Promise<void> {
      const settings = await app.settings();
      const key = personKey(settings.home);
      await record(settings, { ...signerFor(settings, passphrase), level: 'ask' });
      if (!key.open(passphrase)) throw wrongPassphrase();
    },
  };
}

// The blocks of the text. A replacement changes the block around it too: what was accounted before stays so.
function changeOf(
  target: DecisionTarget,
  domain: Domain,
  settings: Settings,
  proposal: Pick<Proposal, 'file' | 'content' | 'replaces'>,
): Partial<DecisionRecord> {
  const { content, replaces } = proposal;
  if (replaces === null) return { blocks: textsOf(content) };
  // What went is always kept: it can be brought back.
  const own = { blocks: textsOf(content), replaced: [asText(withoutOuterBlankLines(replaces))] };
  const text = currentText(target) ?? '';
  const before = blocksOf(text);
  const after = blocksOf(replaceText(text, { block: replaces, content }) ?? text);
  const gone = before.filter((block) => !after.includes(block));
  const come = after.filter((block) => !before.includes(block));
  if (isRetirement(proposal) && come.length === 0) {
    const blocks = gone.length > 0 ? gone.map(asText) : own.replaced;
    return {
      decision: 'retire',
      blocks,
      subject: decisionBehind({ ...domain, file: proposal.file }, settings.home, gone),
    };
  }
  const { origins } = readAccounts({ ...domain, file: proposal.file }, settings.home);
  const isAccounted = gone.every((block) => origins.has(fingerprintOf(block, sha256)));
  // As they stand in the file: what was said is part of a block there, not one of its own.
  return isAccounted ? { blocks: come.map(asText), replaced: gone.map(asText) } : own;
}

// Where each chain stands that this key wrote: what comes later with it is not the person's any more.
function chainEnds(settings: Settings, publicKey: string): string[] {
  const places = new Map(accountedFiles(settings, 'all').map((place) => [place.ledgerFolder, place]));
  return [...places.values()].flatMap(({ ledgerFolder: folder, scope }) =>
    readLedgers({ folder, scope, home: settings.home }).flatMap(({ lines }) => {
      const last = lines.findLast((line) => parseEntry(line)?.public_key === publicKey);
      return last === undefined ? [] : [headAfter(last, sha256).hash];
    }),
  );
}

function decisionEntry({ proposal_id }: Proposal, verdict: Decision) {
  const { decision, via, client, reason, editedContent } = verdict;
  return {
    type: 'decision' as const,
    proposal_id,
    decision,
    via,
    client,
    ...(reason === undefined ? {} : { reason }),
    ...(editedContent === undefined ? {} : { edited_content: editedContent }),
  };
}

export function signerFor(settings: Settings, passphrase: string | undefined): Signer {
  const key = personKey(settings.home);
  const signer = key.unlock(passphrase ?? null);
  if (signer) return signer;
  if (passphrase !== undefined) throw wrongPassphrase();
  throw new BearingsError('awaiting_person', 'Decisions here need the passphrase.', {
    hint: 'Decide on a terminal: bearings review',
  });
}

function wrongPassphrase(): BearingsError {
  return invalidInput('The passphrase is wrong.', 'Nothing was changed. Try again.', { passphrase: 'wrong' });
}
