import { sha256 } from '../files/sha256.ts';
import { isRecord } from '../json-record.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { ledgersOf } from './domains/accounted-files.ts';
import { sessionsFolder } from './domains/sessions-folder.ts';
import { standings } from './io/read-standing.ts';
import { entriesHolding, transcriptPaths } from './io/transcript-reader.ts';
import { type Proposal, saidBy, targetOf } from './proposals/proposal.ts';
import { likeness, wordsOf } from './proposals/similar-lines.ts';

/** A text the person said no to, with what they said. */
export interface DeclinedText {
  at: string;
  reason: string | null;
  content: string;
  target: string;
}

const LEAST_LIKENESS = 0.6;

/** All of them, from the ledgers: only what is signed counts. The words come from a transcript, by the hash that was signed. */
export function declinedTexts(app: AppContext, settings: Settings): DeclinedText[] {
  const { of } = standings(app);
  const declined = ledgersOf(settings, 'all').flatMap((location) =>
    of(location)
      .decisions.flat()
      .filter(({ entry }) => entry.decision === 'decline' && entry.content_sha256 !== null),
  );
  if (declined.length === 0) return [];
  const proposals = proposalsByHash(settings, new Set(declined.map(({ entry }) => entry.content_sha256 ?? '')));
  return declined.flatMap(({ entry }) => {
    const proposal = proposals.get(`${entry.content_sha256} ${entry.proposal_id}`);
    if (!proposal) return [];
    return [{ at: entry.at, reason: entry.reason, content: saidBy(proposal), target: targetOf(proposal) }];
  });
}

function proposalsByHash(settings: Settings, hashes: ReadonlySet<string>): Map<string, Proposal> {
  const places = [
    ...transcriptPaths(sessionsFolder(settings, null), null),
    ...settings.workspaces().flatMap(({ folder, scope }) => transcriptPaths(sessionsFolder(settings, folder), scope)),
  ];
  const found = new Map<string, Proposal>();
  for (const place of places)
    for (const { type, proposal } of entriesHolding(place, '"proposal"')) {
      if (type !== 'proposal' || !isRecord(proposal) || typeof proposal.content !== 'string') continue;
      const said = proposal as unknown as Proposal;
      const hash = sha256(said.content);
      if (hashes.has(hash)) found.set(`${hash} ${said.proposal_id}`, said);
    }
  return found;
}

/** The same text for the same target, white space and case apart. */
export function declinedBefore(all: readonly DeclinedText[], content: string, target: string): DeclinedText | null {
  const same = plain(content);
  return all.findLast((each) => each.target === target && plain(each.content) === same) ?? null;
}

/** One that says nearly this; the likest first. */
export function declinedLike(all: readonly DeclinedText[], content: string, target: string): DeclinedText | null {
  const words = wordsOf(content);
  const near = all
    .filter((each) => each.target === target)
    .map((each) => ({ each, score: likeness(words, wordsOf(each.content)) }))
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .sort((a, b) => b.score - a.score);
  return near[0]?.each ?? null;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
