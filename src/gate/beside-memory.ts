import { splitLines } from '../code-points.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { join } from '../files/paths.ts';
import { readLastLines, readText } from '../files/read-file.ts';
import { numberedBlocks } from '../matching/search-blocks.ts';
import { parseBrief } from '../memory/brief-and-notes.ts';
import { type TasteFolder, tasteFolder } from '../memory/io/memory-files.ts';
import { showHidden } from '../safety/hidden-characters.ts';
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

/** The last lines of the file that it would change, and the number of the first: what was said long ago is for `bearings show notes`. */
function lastLines(settings: Settings, workspace: Workspace | null, { kind, file }: Proposal, tastes: Tastes) {
  if (kind === 'taste') return { lines: splitLines(targetText(tastes, workspace, { kind, file }) ?? ''), firstLine: 1 };
  const read = workspace && readLastLines(join(workspace.folder, file), workspace.scope, settings.lineCounts);
  return read?.status === 'ok' ? read.value : { lines: [], firstLine: 1 };
}

/** What it takes the place of is not beside it. */
function withoutReplaced<T extends { text: string }>({ replaces }: Proposal, lines: readonly T[]): T[] {
  const replaced = new Set(replaces?.split('\n').map((line) => line.trim()));
  return lines.filter(({ text }) => !replaced.has(text));
}

export function similarTo(settings: Settings, workspace: Workspace | null, proposal: Proposal): SimilarLine[] {
  const { lines, firstLine } = lastLines(settings, workspace, proposal, tasteFolder(settings));
  return withoutReplaced(proposal, similarLines(proposal.content, lines, firstLine));
}

export function surroundings(
  settings: Settings,
  workspace: Workspace | null,
  proposal: Proposal,
  tastes: Tastes = tasteFolder(settings),
): DiffLine[] {
  const { replaces, content } = proposal;
  if (replaces !== null)
    return (
      replaceDiff(targetText(tastes, workspace, proposal) ?? '', replaces, content) ?? appendDiff([], null, content)
    );
  const { lines, firstLine } = lastLines(settings, workspace, proposal, tastes);
  return appendDiff(lines, firstLine + lines.length - 1, content);
}

// The tastes, and of the workspace its brief and the last of its notes.
export function againstMemory(
  settings: Settings,
  workspace: Workspace | null,
  proposal: Proposal,
  tastes: Tastes = tasteFolder(settings),
): Contradiction[] {
  const ofTastes = tastes.list().map((name) => ({ place: `tastes/${name}.md`, file: tastes.read(name) }));
  const brief = workspace && { place: 'brief.md', file: readText(join(workspace.folder, 'brief.md'), workspace.scope) };
  const { lines, firstLine } = lastLines(settings, workspace, { ...proposal, kind: 'notes', file: 'notes.md' }, tastes);
  const blocks = [...ofTastes, ...(brief ? [brief] : [])].flatMap(({ place, file }) =>
    file.status === 'ok' ? numberedBlocks(place, file.value.text) : [],
  );
  const notes = { place: 'notes.md', line: firstLine, text: lines.join('\n') };
  return withoutReplaced(proposal, contradictionsWith(proposal.content, [...blocks, notes]));
}

/** Tastes that hold together somewhere and likely say the opposite of each other, in a sentence each. */
export function contradictingTastes(settings: Settings, workspaces: readonly Workspace[]): string[] {
  const tastes = tasteFolder(settings);
  const blocksOf = (name: string) => {
    const file = tastes.read(name);
    return file.status === 'ok' ? numberedBlocks(`tastes/${name}.md`, file.value.text) : [];
  };
  const told = workspaces.flatMap(({ folder, scope }) => {
    const brief = readText(join(folder, 'brief.md'), scope);
    const declared = brief.status === 'ok' ? parseBrief(brief.value.text).brief.tastes : [];
    const files = ['_default', ...declared].map(blocksOf);
    return files.flatMap((own, at) =>
      own.flatMap(({ place, line, text }) =>
        splitLines(text).flatMap((each, below) =>
          contradictionsWith(each, files.slice(at + 1).flat()).map(
            (other) =>
              `${place} line ${line + below} may contradict ${other.place} line ${other.line}: "${showHidden(each.trim())}" and "${showHidden(other.text)}".`,
          ),
        ),
      ),
    );
  });
  return [...new Set(told)];
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
      .filter(({ entry, said }) => entry.decision === 'decline' && said.content_sha256 !== null),
  );
  if (declined.length === 0) return [];
  const keyOf = (hash: string | null, id: string | null) => `${hash} ${id}`;
  const proposals = new Map(
    recordedProposals(settings).map((each) => [keyOf(sha256(each.content), each.proposal_id), each]),
  );
  return declined.flatMap(({ entry, said }) => {
    const proposal = proposals.get(keyOf(said.content_sha256, entry.proposal_id));
    if (!proposal) return [];
    return [{ at: entry.at, reason: said.reason, content: saidBy(proposal), target: targetOf(proposal) }];
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
