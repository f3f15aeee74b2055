import { readLastRecords } from '../../files/last-records.ts';
import { join } from '../../files/paths.ts';
import { textAt } from '../../gate/accounting/go-back.ts';
import { accountedBrief, accountedNotes, accountedTaste } from '../../gate/domains/accounted-files.ts';
import { RECENT_RECORDS } from '../../json-record.ts';
import { parseBrief } from '../../memory/brief.ts';
import { whyNotPlainName } from '../../safety/names.ts';
import type { Settings } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import { writeInto } from '../io/temporary-folder.ts';

const MOST_RECORDS = 20_000;

/** Memory as it was at a time, in a folder of its own. */
export interface MemoryThen {
  settings: Settings;
  workspace: Workspace;
}

/** A text that takes the place of what the ledger gives; null: the file was not there. */
export type OtherText = (file: string) => string | null | undefined;

// Every later decision is taken back; records are those that were there by then.
export function memoryThen(
  settings: Settings,
  workspace: Workspace,
  { time, folder, other }: { time: string; folder: string; other: OtherText },
): MemoryThen {
  const then: Workspace = {
    ...workspace,
    folder: join(folder, 'workspace'),
    scope: workspace.scope === null ? null : folder,
  };
  const write = (path: string, text: string | null): void => {
    if (text !== null) writeInto(join(folder, path), text);
  };
  const known = other('brief.md');
  const brief = known === undefined ? textAt(accountedBrief(settings, workspace), time) : known;
  write('workspace/brief.md', brief);
  const notes = other('notes.md');
  write('workspace/notes.md', notes === undefined ? textAt(accountedNotes(settings, workspace), time) : notes);
  const declared = parseBrief(brief ?? '').brief.tastes.filter((name) => whyNotPlainName(name, '.md') === null);
  for (const name of new Set(['_default', ...declared]))
    write(`tastes/${name}.md`, textAt(accountedTaste(settings, name), time));
  for (const file of ['log.jsonl', 'vocabulary_gaps.jsonl'])
    write(`workspace/${file}`, recordsThen(join(workspace.folder, file), workspace.scope, time));
  return { settings: { ...settings, home: folder, tastesFolder: join(folder, 'tastes') }, workspace: then };
}

function recordsThen(path: string, scope: string | null, time: string): string | null {
  const read = readLastRecords(path, scope, MOST_RECORDS);
  if (read.status !== 'ok') return null;
  const isThere = (record: unknown) => String((record as { timestamp?: unknown }).timestamp ?? '') <= time;
  // The newest come first; the file has them last.
  const records = read.value.records.filter(isThere).slice(0, RECENT_RECORDS).reverse();
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
