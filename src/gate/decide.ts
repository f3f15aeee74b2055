import { BearingsError } from '../errors.ts';
import { sha256 } from '../files/sha256.ts';
import { codeOf, reasonOf } from '../files/system-error.ts';
import { tasteFolder } from '../memory/io/taste-folder.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { asText, decisionBehind } from './accounting/own-edits.ts';
import { lookAgainDate } from './anchors/look-again-date.ts';
import { anchoringFor, type ToStored } from './anchors/make-anchors.ts';
import { type AccountedFile, accountedPlace } from './domains/accounted-files.ts';
import { accountsFor, type Domain, type Domains, standingFor } from './domains/domains.ts';
import { beginDecision, newEntry } from './io/new-entry.ts';
import { MAX_SCANNED_BYTES } from './io/read-standing.ts';
import { currentText, type DecisionTarget, holdsText, replaceText, targetIn } from './io/target-text.ts';
import { writeAppend, writeRecord, writeRewrite } from './io/target-writer.ts';
import { type Proof, signerFor } from './keys/signer.ts';
import type { DecisionRecord } from './ledger/entry.ts';
import { entryFile, isDraft, type Signer } from './ledger/ledger.ts';
import { blocksOf, fingerprintOf, withoutOuterBlankLines } from './ledger/text-blocks.ts';
import {
  assertContent,
  assertNoSecret,
  isRetirement,
  isSameShown,
  type Proposal,
  type Shown,
  shownOf,
} from './proposals/proposal.ts';
import { unknownProposal } from './propose.ts';
import { recordFor } from './sessions/sessions.ts';

/** The person's word. A face may only make one after it has asked. */
export interface Decision extends Proof {
  decision: 'accept' | 'decline';
  /** The person's own words in place of the proposed ones. */
  editedContent?: string | undefined;
  reason?: string | undefined;
  /** A line of the file whose place the text takes, as it was shown next to it. */
  replaces?: string | undefined;
  /** When to review it again, as it was shown beside the text: a date or a span; none: never. */
  until?: string | null | undefined;
  /** How the person was asked, and through which client; null: none. */
  via: 'review' | 'elicitation' | 'page' | 'demo';
  client: string | null;
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
    given: Decision & { toStored: ToStored },
    signer: Signer,
  ): Promise<Decided> => {
    const { decisions } = domain;
    const { toStored } = given;
    const target: DecisionTarget = targetIn(decisions, proposal.file);
    const content = given.editedContent ?? proposal.content;
    const accepted = given.decision === 'accept';
    const present = accepted && content !== '' && holdsText(target.path, target.scope, content, MAX_SCANNED_BYTES);
    const { head } = decisions.ledger.end();
    const record = {
      decision: given.decision,
      at: app.now().toISOString(),
      via: given.via,
      client: given.client,
      proposed_by: proposal.client,
      proposal_id: proposal.proposal_id,
      session_id: proposal.session_id,
      image_id: proposal.image_id,
      file: entryFile(proposal),
      category: proposal.category,
      reason: given.reason ?? proposal.reason,
      content_sha256: proposal.content_sha256,
      edited: accepted && given.editedContent !== undefined && given.editedContent !== proposal.content,
      already_present: present,
      ...(accepted && proposal.paths && { paths: proposal.paths }),
      ...(accepted && given.until && { until: untilOf(proposal, given.until, app.now()) }),
      ...(!accepted
        ? {}
        : present
          ? { blocks: blocksOf(content).map(toStored) }
          : changeOf(target, accountedPlace(settings, proposal), { ...proposal, content, toStored })),
    };
    const settled = {
      proposal_id: proposal.proposal_id,
      ...newEntry(decisions, record, { signer }),
      pending,
    };
    if (!accepted || present) writeRecord(target, settled);
    else if (proposal.replaces === null) writeAppend(target, content, settled);
    else {
      const before = currentText(target);
      const after = before === null ? null : replaceText(before, { block: proposal.replaces, content });
      if (before === null || after === null)
        throw new BearingsError('stale', `The block to replace is no longer in ${target.file}.`, {
          hint: 'Decline this proposal and ask for a new one.',
        });
      const archive = proposal.kind === 'notes' ? { archive: { add: [proposal.replaces], drop: [] } } : {};
      writeRewrite(target, { ...settled, ...archive, before, after });
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

  return {
    // Bound to what was shown: id, content and target. Whatever changed since then was not what the person said yes to.
    async decide(shown: Shown, kind: Proposal['kind'] | null, given: Decision): Promise<Decided> {
      if (given.editedContent !== undefined) {
        assertContent(given.editedContent);
        assertNoSecret(given.editedContent);
      }
      const settings = await app.settings();
      const signer = signerFor(settings, given);
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
      const domain = domains.of(settings, known.proposal);
      const said = given.editedContent ?? known.proposal.content;
      const toStored = await anchoringFor(app, settings, known.proposal, said);
      return domain.lock.run(async () => {
        try {
          beginDecision(domain, { signer, at: app.now().toISOString() });
          const stored = find();
          if (!stored || isDecided(accountedPlace(settings, stored.proposal), shown.proposal_id))
            throw unknownProposal(shown.proposal_id);
          if (!isSameShown(shownOf(stored.proposal), shown)) {
            throw new BearingsError('conflict', 'The proposal is no longer what was shown.', {
              hint: 'Look at it again: bearings review',
            });
          }
          const proposal = { ...stored.proposal, replaces: given.replaces ?? stored.proposal.replaces };
          // Of two that wait the first may have made the file meanwhile.
          if (proposal.kind === 'taste' && given.decision === 'accept')
            tasteFolder(settings).assertOneSpelling(proposal.file.slice(0, -3));
          const decided = await write(domain, settings, proposal, stored.path, { ...given, toStored }, signer);
          if (!isDraft(signer.act)) recordFor(app, settings, proposal, decisionEntry(proposal, given));
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
  };
}

// The blocks of the text. A replacement changes the block around it too: what was accounted before stays so.
function changeOf(
  target: DecisionTarget,
  place: AccountedFile,
  proposal: Pick<Proposal, 'file' | 'content' | 'replaces'> & { toStored: ToStored },
): Partial<DecisionRecord> {
  const { content, replaces, toStored } = proposal;
  const blocks = blocksOf(content).map(toStored);
  if (replaces === null) return { blocks };
  // What went is always stored: it can be brought back.
  const own = { blocks, replaced: [asText(withoutOuterBlankLines(replaces))] };
  const text = currentText(target) ?? '';
  const before = blocksOf(text);
  const after = blocksOf(replaceText(text, { block: replaces, content }) ?? text);
  const gone = before.filter((block) => !after.includes(block));
  const come = after.filter((block) => !before.includes(block));
  if (isRetirement(proposal) && come.length === 0) {
    return {
      decision: 'retire',
      blocks: gone.length > 0 ? gone.map(asText) : own.replaced,
      subject: decisionBehind(place, gone),
    };
  }
  const { origins } = accountsFor(place);
  const isAccounted = gone.every((block) => origins.has(fingerprintOf(block, sha256)));
  // As they are in the file: what was said is part of a block there, not a block of its own.
  return isAccounted ? { blocks: come.map(toStored), replaced: gone.map(asText) } : own;
}

function isDecided(place: AccountedFile, proposalId: string): boolean {
  return standingFor(place).decisions.some((chain) => chain.some(({ entry }) => entry.proposal_id === proposalId));
}

// A date that was proposed may have come while it waited: then it is due at once.
function untilOf(proposal: Proposal, until: string, now: Date): string {
  return until === proposal.until ? until : lookAgainDate(until, now);
}

function decisionEntry({ proposal_id }: Proposal, given: Decision) {
  const { decision, via, client, reason, editedContent } = given;
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
