import { BearingsError } from '../errors.ts';
import { join, realPath } from '../files/paths.ts';
import { type FileResult, readLastRecords } from '../files/read-file.ts';
import { accountedIn } from '../gate/accounting/unaccounted.ts';
import { accountedFile } from '../gate/domains/accounted-files.ts';
import { RECENT_RECORDS } from '../json.ts';
import { summariseNotes } from '../memory/brief-and-notes.ts';
import { framedText } from '../memory/context-text.ts';
import { readNotes } from '../memory/io/memory-files.ts';
import { toGap, toLogItem } from '../memory/read-context.ts';
import type { Project } from '../project/io/open-project.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import type { Workspace } from '../settings/io/workspace-folders.ts';
import type { LoadArguments } from './bundle/bundle.ts';
import type { TacticalMemory } from './slices/tactical.ts';

interface TacticalReading {
  memory: TacticalMemory;
  warnings: string[];
  opened: string[];
}

// The memory of the named workspace, else of the project's own. Without one the slice stays empty and says so.
export async function tacticalMemory(
  app: AppContext,
  given: LoadArguments,
  project: Project,
): Promise<TacticalReading> {
  const settings = await app.settings();
  try {
    const workspace = settings.workspace({ id: given.workspace ?? undefined, root: project.root });
    const { memory, ...reading } = readMemory(settings, workspace);
    const { unaccounted } = await accountedIn(app, settings, [accountedFile(settings, workspace, 'notes.md')]);
    // What nobody here confirmed is no memory of the person's in a bundle either.
    const isFramed = memory.notes.trim() !== '' && unaccounted.some(({ ofRepository }) => ofRepository);
    return { ...reading, memory: isFramed ? { ...memory, notes: framedText(memory.notes) } : memory };
  } catch (error) {
    if (given.workspace !== null || !(error instanceof BearingsError) || error.code !== 'not_found') throw error;
    const warning = 'the tactical slice is empty: there is no workspace here. Make one: bearings init';
    return { memory: { notes: '', log: [], gaps: [] }, warnings: [warning], opened: [] };
  }
}

function readMemory(settings: Settings, workspace: Workspace): TacticalReading {
  const warnings: string[] = [];
  const opened: string[] = [];
  const pathOf = (name: string): string => {
    const path = join(workspace.folder, name);
    opened.push(realPath(path) ?? path);
    return path;
  };
  const value = <T>(name: string, file: FileResult<T>) => {
    if (file.status === 'unreadable') warnings.push(`${name} can't be read: ${file.reason}. It counts as empty.`);
    return file.status === 'ok' ? file.value : null;
  };
  const records = (name: string) =>
    value(name, readLastRecords(pathOf(name), workspace.scope, RECENT_RECORDS))?.records ?? [];
  const notes = value('notes.md', readNotes(pathOf('notes.md'), workspace.scope, settings.lineCounts));
  return {
    memory: {
      notes: notes ? summariseNotes(notes.notes).summary : '',
      log: records('log.jsonl').map(toLogItem),
      gaps: records('vocabulary_gaps.jsonl').map(toGap),
    },
    warnings,
    opened,
  };
}
