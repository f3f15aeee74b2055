import { isRecord, type JsonRecord } from '../json-record.ts';
import type { Settings } from '../settings/app-context.ts';
import { entriesHolding, transcriptPaths } from './io/transcript-reader.ts';
import { type Proposal, saidBy, targetOf } from './proposal.ts';
import { sessionsFolder } from './sessions/sessions-folder.ts';
import { likeness, wordsOf } from './similar-lines.ts';

/** A text the person said no to, with what she said. */
export interface DeclinedText {
  at: string;
  reason: string | null;
  content: string;
  target: string;
}

const LEAST_LIKENESS = 0.6;

/** All of them, from the transcripts: the text is there with the proposal, the reason with the decision. */
export function declinedTexts(settings: Settings): DeclinedText[] {
  const places = [
    ...transcriptPaths(sessionsFolder(settings, null), null),
    ...settings.workspaces().flatMap(({ folder, scope }) => transcriptPaths(sessionsFolder(settings, folder), scope)),
  ];
  // A decision is in the transcript of its proposal.
  return places.flatMap((place) => declinedIn(entriesHolding(place, '"decline"')));
}

function declinedIn(records: readonly JsonRecord[]): DeclinedText[] {
  const proposals = new Map<unknown, JsonRecord>();
  for (const { type, proposal } of records)
    if (type === 'proposal' && isRecord(proposal)) proposals.set(proposal.proposal_id, proposal);
  return records.flatMap(({ type, decision, at, reason, proposal_id }) => {
    const proposal = proposals.get(proposal_id);
    if (type !== 'decision' || decision !== 'decline' || typeof proposal?.content !== 'string') return [];
    const said = typeof reason === 'string' ? reason : null;
    const target = targetOf(proposal as unknown as Proposal);
    return [{ at: String(at), reason: said, content: saidBy(proposal as unknown as Proposal), target }];
  });
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
