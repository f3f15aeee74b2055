import { invalidInput } from '../errors.ts';
import { join } from '../files/paths.ts';
import { readText } from '../files/read-file.ts';
import { isRecord, type JsonRecord } from '../json.ts';
import { type Block, type FoundBlock, numberedBlocks, searchBlocks } from '../matching/search-blocks.ts';
import { readMemory } from '../memory/read-memory.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import { accountedIn, unaccountedWarning } from './accounting/unaccounted.ts';
import { memoryTexts } from './domains/accounted-files.ts';
import { fromRecords, STANDING_SESSION } from './io/transcript-reader.ts';

const MAX_FOUND = 50;
const MAX_FOR_AGENT = 20;
const TEXT_KEYS = ['text', 'content', 'edited_content', 'reason'] as const;

export function searchUseCases(app: AppContext) {
  return {
    /** Tastes, briefs, notes, the archive, decisions with their reasons and transcripts; the best first. */
    async search(words: string, id?: string): Promise<FoundBlock[]> {
      assertWords(words);
      const settings = await app.settings();
      const texts = memoryTexts(settings, id === undefined ? 'all' : settings.workspace({ id }));
      const files = texts.flatMap(({ target, text }) => numberedBlocks(target, text));
      const isNew = newTexts(files);
      const blocks = [...files, ...sessionBlocks(settings, id, isNew)];
      return searchBlocks(blocks, words, MAX_FOUND);
    },

    /** What is told beside what was found: how much of memory no decision stands behind. */
    async searchWarnings(id?: string): Promise<string[]> {
      const settings = await app.settings();
      const places = memoryTexts(settings, id === undefined ? 'all' : settings.workspace({ id }));
      return unaccountedWarning(await accountedIn(app, settings, places));
    },

    /** Only what an agent may read there: the tastes that hold, the brief, the notes. */
    async searchServed(words: string, target: TargetLike): Promise<{ image_id: string; found: FoundBlock[] }> {
      assertWords(words);
      const settings = await app.settings();
      const workspace = settings.workspace(target);
      const { context } = await readMemory(settings, workspace);
      const { scanText } = await import('../memory/repository-memory.ts');
      const notes = readText(join(workspace.folder, 'notes.md'), workspace.scope);
      const whole = notes.status === 'ok' ? notes.value.text : '';
      const safe = workspace.kind === 'home' || whole === '' ? whole : (await scanText('notes.md', whole)).text;
      const blocks = [
        ...numberedBlocks('tastes/_default.md', context.tastes.default),
        ...Object.entries(context.tastes.genres).flatMap(([name, text]) => numberedBlocks(`tastes/${name}.md`, text)),
        ...numberedBlocks('brief.md', context.brief.raw),
        ...numberedBlocks('notes.md', safe),
      ];
      return { image_id: workspace.id, found: searchBlocks(blocks, words, MAX_FOR_AGENT) };
    },
  };
}

function assertWords(words: string): void {
  if (words.trim() === '')
    throw invalidInput('What should be searched for?', 'For example: bearings search "white balance"');
}

// A text that was accepted is in its file, and a transcript holds it at its call and at its proposal: it is found once.
function newTexts(files: readonly Block[]): (text: string) => boolean {
  const known = new Set(files.map(({ text }) => text.trim()));
  return (text) => {
    const blocks = numberedBlocks('', text).map((block) => block.text.trim());
    const isNew = blocks.some((block) => !known.has(block));
    for (const block of blocks) known.add(block);
    return isNew;
  };
}

function sessionBlocks(settings: Settings, id: string | undefined, isNew: (text: string) => boolean): Block[] {
  const of = id === undefined ? 'all' : settings.workspace({ id });
  return fromRecords(settings, of, (record, { session_id, line }) => {
    const text = saidIn(record).filter(isNew).join('\n');
    const from = session_id === STANDING_SESSION ? 'from the command line' : `in session ${session_id}`;
    return text === '' ? [] : [{ place: `${String(record.type)} ${from}`, line, text }];
  });
}

// What somebody wrote; ids, sizes and hashes are not searched for.
function saidIn(record: JsonRecord): string[] {
  const parts = [record, record.proposal, record.arguments].filter(isRecord);
  return parts
    .flatMap((part) => TEXT_KEYS.map((key) => part[key]))
    .filter((value) => typeof value === 'string' && value !== '') as string[];
}
