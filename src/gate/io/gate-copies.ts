import { basename, dirname, join } from 'node:path';
import { filesBelow, linesOf, namesIn, type SoughtText, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import type { Settings } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import { UNSAVED_FOLDER } from './editor.ts';

/** Copies of a text in transcripts, in proposals that wait or were set aside, in earlier versions, in texts that an editor left and in drafts that a crash left. */
export function gateCopies(settings: Settings, sought: SoughtText): TextCopy[] {
  const folders = everyWorkspaceFolder(settings);
  return [
    ...[{ folder: settings.home, scope: null }, ...folders].flatMap((place) => sessionCopies(place, sought)),
    ...[{ folder: settings.home, scope: null }, ...folders].flatMap((place) => draftCopies(place, sought)),
    ...draftCopies({ folder: settings.tastesFolder, scope: settings.tastesFolder }, sought),
    ...[...filesBelow(join(settings.home, 'earlier'))].flatMap((path) => wholeFile('earlier version', path, sought)),
    ...[...filesBelow(join(settings.home, UNSAVED_FOLDER))].flatMap((path) => wholeFile('unsaved text', path, sought)),
    ...removedCopies(folders, sought),
  ];
}

interface OwnFolder {
  folder: string;
  scope: string | null;
}

function sessionCopies({ folder, scope }: OwnFolder, sought: SoughtText): TextCopy[] {
  return [...filesBelow(join(folder, 'sessions'))].flatMap((path) => {
    if (path.endsWith('.jsonl')) return linesOf('transcript', path, sought, { scope });
    if (!path.endsWith('.json')) return [];
    return wholeFile(
      basename(dirname(path)) === 'discarded' ? 'discarded proposal' : 'waiting proposal',
      path,
      sought,
      scope,
    );
  });
}

function draftCopies({ folder, scope }: OwnFolder, sought: SoughtText): TextCopy[] {
  return namesIn(folder)
    .filter((name) => /^\..+\.(?:draft|erase|\d+-[0-9a-z]+)$/.test(name))
    .flatMap((name) => wholeFile('draft', join(folder, name), sought, scope));
}

// A workspace that was moved aside has nobody who decides on it: its files are written without an entry.
function removedCopies(
  folders: readonly OwnFolder[],
  sought: SoughtText & { without?(text: string): string },
): TextCopy[] {
  return folders
    .filter(({ folder }) => basename(dirname(folder)) === '.removed')
    .flatMap(({ folder }) => [
      ...[...filesBelow(join(folder, 'ledger/texts'))].flatMap((path) =>
        linesOf('ledger text', path, sought, { drop: true }),
      ),
      ...namesIn(folder)
        .filter((name) => name.endsWith('.md'))
        .flatMap((name) => linesOf('removed workspace', join(folder, name), sought)),
    ]);
}
