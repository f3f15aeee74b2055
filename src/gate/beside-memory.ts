import { readLastLines } from '../files/last-records.ts';
import { join } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { sha256 } from '../files/sha256.ts';
import { splitLines } from '../lines.ts';
import { numberedBlocks } from '../matching/search-blocks.ts';
import { parseBrief } from '../memory/brief.ts';
import { countLines, readNotes } from '../memory/io/notes-file.ts';
import { type TasteFolder, tasteFolder } from '../memory/io/taste-folder.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import { type Contradiction, contradictionsWith } from './contradictions/contradictions.ts';
import { ledgersOf } from './domains/accounted-files.ts';
import { standings } from './io/read-standing.ts';
import { type Draft, type Proposal, saidBy, targetOf } from './proposals/proposal.ts';
import { appendDiff, type DiffLine, replaceDiff } from './proposals/proposal-diff.ts';
import { likeness, type SimilarLine, similarLines, wordsOf } from './proposals/similar-lines.ts';
import { recordedProposals } from './sessions/sessions.ts';

// A proposal beside what is in memory: the text it would change, what says nearly the same, what says the opposite.

type Tastes = Pick<TasteFolder, 'list' | 'read'>;

/** What an agent may know of the tastes: of a server for one workspace, those that its brief declares. */
export function servedTastes(settings: Settings): Tastes {
  const all = tasteFolder(settings);
  if (settings.only === undefined) return all;
  const { folder, scope } = settings.workspace({ id: settings.only });
  const brief = readText(join(folder, 'brief.md'), scope);
  const declared = brief.status === 'ok' ? parseBrief(brief.value.text).brief.tastes : [];
  const isServed = (name: string) => name === '_default' || declared.includes(name);
  return {
    list: () => all.list().filter(isServed),
    read: (name) => (isServed(name) ? all.read(name) : { status: 'missing' }),
  };
}

export function targetText(tastes: Tastes, workspace: Workspace | null, { kind, file }: Pick<Draft, 'kind' | 'file'>) {
  const read =
    kind === 'taste'
      ? tastes.read(file.slice(0, -3))
      : workspace && readText(join(workspace.folder, file), workspace.scope);
  return read?.status === 'ok' ? read.value.text : null;
}

// Among the last lines only: what was said long ago is for `bearings show notes`.
export function similarTo(settings: Settings, workspace: Workspace | null, proposal: Proposal): SimilarLine[] {
  const isTaste = proposal.kind === 'taste';
  if (!isTaste && !workspace) return [];
  const { path, scope } = isTaste
    ? tasteFolder(settings).locate(proposal.file.slice(0, -3))
    : { path: join(workspace?.folder ?? '', 'notes.md'), scope: workspace?.scope ?? null };
  const read = readLastLines(path, scope, settings.lineCounts);
  if (read.status !== 'ok') return [];
  const replaced = new Set(proposal.replaces?.split('\n').map((line) => line.trim()));
  const found = similarLines(proposal.content, read.value.lines, read.value.firstLine);
  return found.filter(({ text }) => !replaced.has(text));
}

export function surroundings(
  settings: Settings,
  workspace: Workspace | null,
  proposal: Proposal,
  { numbered = false, tastes = tasteFolder(settings) }: { numbered?: boolean; tastes?: Tastes },
): DiffLine[] {
  const { kind, replaces, content } = proposal;
  if (replaces !== null)
    return (
      replaceDiff(targetText(tastes, workspace, proposal) ?? '', replaces, content) ?? appendDiff([], null, content)
    );
  if (kind === 'taste') {
    const lines = splitLines(targetText(tastes, workspace, proposal) ?? '');
    return appendDiff(lines, lines.length, content);
  }
  if (!workspace) return appendDiff([], null, content);
  const path = join(workspace.folder, 'notes.md');
  const notes = readNotes(path, workspace.scope, settings.lineCounts);
  const tail =
    notes.status !== 'ok'
      ? []
      : notes.value.notes.kind === 'ends'
        ? notes.value.notes.tail
        : splitLines(notes.value.notes.text);
  const total = numbered ? countLines(path, workspace.scope, settings.lineCounts) : null;
  return appendDiff([...tail], total?.status === 'ok' ? total.value : numbered ? 0 : null, content);
}

// The tastes, and of the workspace its brief and the last of its notes.
export function againstMemory(
  settings: Settings,
  workspace: Workspace | null,
  proposal: Proposal,
  tastes: Tastes = tasteFolder(settings),
): Contradiction[] {
  const ofTastes = tastes.list().flatMap((name) => {
    const file = tastes.read(name);
    return file.status === 'ok' ? numberedBlocks(`tastes/${name}.md`, file.value.text) : [];
  });
  const brief = workspace ? readText(join(workspace.folder, 'brief.md'), workspace.scope) : null;
  const notes = workspace
    ? readLastLines(join(workspace.folder, 'notes.md'), workspace.scope, settings.lineCounts)
    : null;
  const blocks = [
    ...ofTastes,
    ...(brief?.status === 'ok' ? numberedBlocks('brief.md', brief.value.text) : []),
    ...(notes?.status === 'ok'
      ? [{ place: 'notes.md', line: notes.value.firstLine, text: notes.value.lines.join('\n') }]
      : []),
  ];
  const replaced = new Set(proposal.replaces?.split('\n').map((line) => line.trim()));
  return contradictionsWith(proposal.content, blocks).filter(({ text }) => !replaced.has(text));
}

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
  const all = recordedProposals(settings).map((proposal) => ({ proposal, hash: sha256(proposal.content) }));
  return new Map(
    all
      .filter(({ hash }) => hashes.has(hash))
      .map(({ proposal, hash }) => [`${hash} ${proposal.proposal_id}`, proposal]),
  );
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
