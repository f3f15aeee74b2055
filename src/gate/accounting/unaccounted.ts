import { statsOf } from '../../files/file-memo.ts';
import { realPath } from '../../files/path-scope.ts';
import { join } from '../../files/paths.ts';
import { tasteFolder } from '../../memory/io/taste-folder.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import type { LedgerLocation } from '../io/ledger-accounts.ts';
import { accountingFiles } from '../io/ledger-paths.ts';

/** Blocks of a served file without a decision behind them; null: nobody ever kept account there. */
export interface Unaccounted {
  file: string;
  count: number | null;
}

// Of the files that an agent gets. Never from the disk but by the ledgers: what another program writes hides no block.
export async function unaccountedOf(
  app: AppContext,
  settings: Settings,
  workspace: Workspace | null,
  genres: readonly string[],
): Promise<Unaccounted[]> {
  const tastes = join(settings.tastesFolder, 'ledger');
  const notes = workspace && {
    file: 'notes.md',
    path: join(workspace.folder, 'notes.md'),
    scope: workspace.scope,
    ledgerFolder: join(workspace.folder, 'ledger'),
    image_id: workspace.id,
  };
  const files = [
    ...['_default', ...genres].map((name) => ({
      file: `tastes/${name}.md`,
      path: tasteFolder(settings).pathOf(name),
      scope: settings.tastesFolder as string | null,
      ledgerFolder: tastes,
      image_id: null as string | null,
    })),
    ...(notes ? [notes] : []),
  ];
  const kept = new Map(files.map(({ ledgerFolder: folder }) => [folder, realPath(folder) !== null]));
  const accounts = new Map<string, Promise<(file: string, path: string, scope: string | null) => number>>();
  const counter = (place: LedgerLocation) => {
    const known = accounts.get(place.ledgerFolder) ?? loadCounter(place, settings.home);
    accounts.set(place.ledgerFolder, known);
    return known;
  };
  const found: Unaccounted[] = [];
  for (const { file, path, scope, ledgerFolder, image_id } of files) {
    if (!kept.get(ledgerFolder)) found.push({ file, count: null });
    else if (realPath(path) !== null) {
      // Before counting: what changes meanwhile has other times at the next call.
      const stats = statsOf([path, ...accountingFiles(ledgerFolder, settings.home)]);
      let count = app.unaccounted.get(stats);
      if (count === null) {
        count = (await counter({ ledgerFolder, scope, image_id }))(file.replace(/^tastes\//, ''), path, scope);
        app.unaccounted.put(stats, count);
      }
      if (count > 0) found.push({ file, count });
    }
  }
  return found;
}

/** Always one line, however many files it is about. */
export function unaccountedWarning(found: readonly Unaccounted[]): string[] {
  const counted = found.flatMap(({ file, count }) => (count === null ? [] : [{ file, count }]));
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return [];
  const files = counted.slice(0, 5).map(({ file, count }) => `${count} in ${file}`);
  const more = counted.length > 5 ? `, and ${counted.length - 5} more files` : '';
  const blocks = total === 1 ? '1 block is' : `${total} blocks are`;
  return [
    `${blocks} unaccounted (${files.join(', ')}${more}): no decision stands behind them. The person decides: bearings review`,
  ];
}

async function loadCounter(place: LedgerLocation, home: string) {
  const { accountsIn, countUnaccounted } = await import('../io/ledger-accounts.ts');
  const accounts = accountsIn(place, home);
  return (file: string, path: string, scope: string | null) => countUnaccounted(path, scope, accounts(file));
}
