import { conflict, stale } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { MAX_SCANNED_BYTES } from '../memory/brief-and-notes.ts';
import { tasteFolder } from '../memory/io/memory-files.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { archived, asText, decisionBehind, type Hand, ownEdits } from './accounting/hand-edits.ts';
import { type Domains, standingFile, standingFor } from './domains/domains.ts';
import { currentText, holdsText, replaceText } from './io/target-text.ts';
import type { Proof } from './keys/confirm-level.ts';
import { entryFile, isDraft } from './ledger/ledger.ts';
import { blocksOf, fingerprintOf, withoutOuterBlankLines } from './ledger/text-blocks.ts';
import {
  assertContent,
  assertNoSecret,
  isRetirement,
  isSameShown,
  lookAgainDate,
  type Proposal,
  type Shown,
  shownOf,
  targetOf,
} from './proposals/proposal.ts';
import { unknownProposal } from './propose.ts';
import { recordFor } from './sessions/sessions.ts';
import { movedBy } from './standing/standing.ts';

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

export type Decided = Awaited<ReturnType<ReturnType<typeof decisionUseCases>['decide']>>;

export function decisionUseCases(app: AppContext, domains: Domains) {
  const byHand = ownEdits(app, domains);

  const write = (hand: Hand, proposal: Proposal, pending: string, given: Decision) => {
    const { target, toStored } = hand;
    const { proposal_id, session_id, image_id, category, content_sha256, file, replaces } = proposal;
    const content = given.editedContent ?? proposal.content;
    const accepted = given.decision === 'accept';
    const present = accepted && content !== '' && holdsText(target, content, MAX_SCANNED_BYTES);
    const ledger = target.ledger.end().head.seq + 1;
    const word = {
      ...{ proposal_id, session_id, image_id, category, content_sha256, pending },
      decision: given.decision,
      client: given.client,
      proposed_by: proposal.client,
      file: entryFile(proposal),
      reason: given.reason ?? proposal.reason,
      edited: accepted && content !== proposal.content,
      already_present: present,
      ...(accepted && proposal.paths && { paths: proposal.paths }),
      // A date that was proposed may have come while it waited: then it is due at once.
      ...(accepted &&
        given.until && { until: given.until === proposal.until ? given.until : lookAgainDate(given.until, app.now()) }),
      ...(accepted && (present ? { blocks: blocksOf(content).map(toStored) } : changeOf(hand, content, replaces))),
    };
    if (!accepted || present) hand.record(word);
    else if (replaces === null) hand.append(content, word);
    else {
      const before = currentText(target);
      const after = before === null ? null : replaceText(before, { block: replaces, content });
      if (after === null)
        throw stale(`The block to replace is no longer in ${target.file}.`, 'Decline it, and ask for a new proposal.');
      hand.rewrite(before, after, { ...word, archive: archived(proposal, [replaces]) });
    }
    const status = accepted ? (present ? ('already_present' as const) : ('accepted' as const)) : ('declined' as const);
    /** `ledger`: number of the entry in the ledger. */
    return { status, proposal_id, target: targetOf(proposal), file, ledger };
  };

  return {
    // Bound to what was shown: id, content and target. Whatever changed since then was not what the person said yes to.
    async decide(settings: Settings, shown: Shown, kind: Proposal['kind'] | null, given: Decision) {
      if (given.editedContent !== undefined) {
        assertContent(given.editedContent);
        assertNoSecret(given.editedContent);
      }
      const stores = domains.stores(settings);
      const find = () => {
        const stored = stores.map((store) => store.find(shown.proposal_id)).find((each) => each !== null);
        if (stored && (kind === null || stored.proposal.kind === kind)) return stored;
        throw unknownProposal(shown.proposal_id);
      };
      const known = find().proposal;
      return byHand(settings, known, given, given.editedContent ?? known.content, (hand) => {
        const stored = find();
        if (isDecided(hand, shown.proposal_id)) throw unknownProposal(shown.proposal_id);
        if (!isSameShown(shownOf(stored.proposal), shown))
          throw conflict('The proposal is no longer what was shown.', 'Look at it again: bearings review');
        const proposal = { ...stored.proposal, replaces: given.replaces ?? stored.proposal.replaces };
        // Of two that wait the first may have made the file meanwhile.
        if (proposal.kind === 'taste' && given.decision === 'accept')
          tasteFolder(settings).assertOneSpelling(proposal.file.slice(0, -3));
        const decided = write(hand, proposal, stored.path, given);
        const { decision, via, client, reason, editedContent: edited_content } = given;
        const { proposal_id } = proposal;
        const said = { type: 'decision' as const, proposal_id, decision, via, client, reason, edited_content };
        if (!isDraft(hand.signer.act)) recordFor(app, settings, proposal, said);
        return decided;
      });
    },
  };
}

// The blocks of the text. A replacement changes the block around it too: what was accounted before stays so.
function changeOf({ target, place, toStored }: Hand, content: string, replaces: string | null) {
  const blocks = blocksOf(content).map(toStored);
  if (replaces === null) return { blocks };
  // What went is always stored: it can be brought back.
  const own = { blocks, replaced: [asText(withoutOuterBlankLines(replaces))] };
  const text = currentText(target) ?? '';
  const before = blocksOf(text);
  const next = replaceText(text, { block: replaces, content }) ?? text;
  const after = blocksOf(next);
  const gone = before.filter((block) => !after.includes(block));
  const { accounts } = standingFile(place);
  // What was decided on and gets another place by this is part of what was said yes to.
  const moved = movedBy(text, next, accounts, sha256);
  const come = after.filter((block) => !before.includes(block) || moved.has(fingerprintOf(block, sha256)));
  if (isRetirement({ content, replaces }) && come.length === 0) {
    const ended = gone.length > 0 ? gone.map(asText) : own.replaced;
    return { decision: 'retire' as const, blocks: ended, subject: decisionBehind(place, gone) };
  }
  const { origins } = accounts;
  const isAccounted = gone.every((block) => origins.has(fingerprintOf(block, sha256)));
  // As they are in the file: what was said is part of a block there, not a block of its own.
  return isAccounted ? { blocks: come.map(toStored), replaced: gone.map(asText) } : own;
}

function isDecided({ place }: Hand, proposalId: string): boolean {
  return standingFor(place).decisions.some((chain) => chain.some(({ entry }) => entry.proposal_id === proposalId));
}
