import { splitLines } from '../code-points.ts';
import { join } from '../files/paths.ts';
import { textOf } from '../files/read-file.ts';
import { MAX_SCANNED_BYTES, parseBrief } from '../memory/brief-and-notes.ts';
import { type TasteFolder, tasteFolder } from '../memory/io/memory-files.ts';
import type { Settings } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import type { DeclinedText } from './accounting/go-back.ts';
import { type Contradiction, contradictionsWith } from './contradictions/contradictions.ts';
import { blocksOf, holdsBlocks } from './ledger/text-blocks.ts';
import { type Draft, isForBrief, isRetirement, type Proposal } from './proposals/proposal.ts';
import { appendDiff, type DiffLine, replaceDiff } from './proposals/proposal-diff.ts';

type Tastes = Pick<TasteFolder, 'list' | 'read'>;

/** What an agent may know of the tastes: of a server for one workspace, those that its brief declares. */
export function servedTastes(settings: Settings): Tastes {
  const all = tasteFolder(settings);
  if (settings.only === undefined) return all;
  const { folder, scope } = settings.workspace({ id: settings.only });
  const { tastes } = parseBrief(textOf(join(folder, 'brief.md'), scope) ?? '').brief;
  const isServed = (name: string) => name === '_default' || tastes.includes(name);
  return {
    list: () => all.list().filter(isServed),
    read: (name) => (isServed(name) ? all.read(name) : { status: 'missing' }),
  };
}

// What was said longer ago is for `bearings show notes`.
const MOST_COMPARED = 10_000;

/** A proposal beside memory: the text it would change, and what says the same or the opposite already. */
export function besideMemory(workspace: Workspace | null, tastes: Tastes) {
  const current = ({ kind, file }: Pick<Draft, 'kind' | 'file'>): string | null => {
    if (kind !== 'taste') return workspace && textOf(join(workspace.folder, file), workspace.scope);
    const taste = tastes.read(file.slice(0, -3));
    return taste.status === 'ok' ? taste.value.text : null;
  };
  // All that whoever asks may read there.
  const texts = () =>
    [
      ...tastes.list().map((name) => ({ kind: 'taste' as const, file: `${name}.md`, place: `tastes/${name}.md` })),
      ...['brief.md', 'notes.md'].map((file) => ({ kind: 'notes' as const, file, place: file })),
    ].map((each) => ({ place: each.place, text: current(each) ?? '' }));
  return {
    textOf: current,

    /** Text that was read back from memory is not new, wherever in memory it is. */
    isRemembered(draft: Draft): boolean {
      if (isRetirement(draft)) return false;
      // What would take a block's place is elsewhere in the file already.
      if (isForBrief(draft) || (draft.replaces !== null && draft.kind === 'taste'))
        return holdsBlocks(current(draft) ?? '', draft.content);
      const scanned = texts().filter(({ text }) => text.length <= MAX_SCANNED_BYTES);
      const known = new Set(scanned.flatMap(({ text }) => blocksOf(text)));
      return blocksOf(draft.content).every((block) => known.has(block));
    },

    diffOf({ kind, file, replaces, content }: Proposal): DiffLine[] {
      const text = current({ kind, file }) ?? '';
      if (replaces !== null) return replaceDiff(text, replaces, content) ?? appendDiff([], null, content);
      const lines = splitLines(text);
      return appendDiff(lines, lines.length, content);
    },

    /** Lines that likely say the opposite; what it takes the place of is not among them. */
    against({ content, replaces }: Proposal): Contradiction[] {
      const blocks = texts().map(({ place, text }) => {
        const lines = splitLines(text);
        const first = Math.max(0, lines.length - MOST_COMPARED);
        return { place, line: first + 1, text: lines.slice(first).join('\n') };
      });
      const replaced = new Set(replaces?.split('\n').map((line) => line.trim()));
      return contradictionsWith(content, blocks).filter(({ text }) => !replaced.has(text));
    },
  };
}

const LEAST_LIKENESS = 0.6;

/** The same text for the same target, white space and case apart. */
export function declinedBefore(all: readonly DeclinedText[], content: string, target: string): DeclinedText | null {
  const same = plain(content);
  return all.findLast((each) => each.target === target && plain(each.content) === same) ?? null;
}

/** One that says nearly this; the likest first. */
export function declinedLike(all: readonly DeclinedText[], content: string, target: string): DeclinedText | null {
  const words = wordsOf(content);
  const scored = all.map((each) => ({ each, score: likeness(words, wordsOf(each.content)) }));
  const near = scored.filter(({ each, score }) => each.target === target && score >= LEAST_LIKENESS);
  return near.sort((a, b) => b.score - a.score)[0]?.each ?? null;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** 0 to 1: twice the shared words over all words. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return (2 * [...a].filter((word) => b.has(word)).length) / (a.size + b.size);
}
