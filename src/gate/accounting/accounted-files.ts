import { join } from '../../files/paths.ts';
import { tasteFolder } from '../../memory/io/taste-folder.ts';
import type { Settings } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import type { Proposal } from '../proposal.ts';
import { targetOf } from '../proposal.ts';

/** A file whose blocks are accounted for: a workspace's notes, or a taste. */
export interface AccountedFile extends Pick<Proposal, 'kind' | 'image_id' | 'file'> {
  /** As a person reads it. */
  target: string;
  /** `tastes`, or the workspace. */
  ledger: string;
  path: string;
  scope: string | null;
  ledgerFolder: string;
}

export function accountedFiles(settings: Settings, workspace: Workspace | 'all'): AccountedFile[] {
  const workspaces = workspace === 'all' ? settings.workspaces() : [workspace];
  return [
    ...tasteFolder(settings)
      .list()
      .map((name) => accountedTaste(settings, name)),
    ...workspaces.flatMap((each) => [accountedNotes(each), accountedBrief(each)]),
    // A taste's ledger outlives its last file.
    ...(tasteFolder(settings).list().length === 0 ? [accountedTaste(settings, '_default')] : []),
  ];
}

export function accountedPlace(
  settings: Settings,
  { kind, image_id, file }: Pick<AccountedFile, 'kind' | 'image_id' | 'file'>,
): AccountedFile {
  if (kind === 'taste') return accountedTaste(settings, file.slice(0, -'.md'.length));
  return (file === BRIEF ? accountedBrief : accountedNotes)(settings.workspace({ id: image_id ?? undefined }));
}

export function accountedNotes({ id, folder, scope }: Workspace): AccountedFile {
  const what = { kind: 'notes', image_id: id, file: 'notes.md' } as const;
  return {
    ...what,
    target: targetOf(what),
    ledger: id,
    path: join(folder, 'notes.md'),
    scope,
    ledgerFolder: join(folder, 'ledger'),
  };
}

/** No agent proposes for it: every block of it is by hand, and the ledger of the workspace says so. */
export function accountedBrief(workspace: Workspace): AccountedFile {
  const { id, folder } = workspace;
  return {
    ...accountedNotes(workspace),
    file: BRIEF,
    target: `${BRIEF} of ${id}`,
    path: join(folder, BRIEF),
  };
}

const BRIEF = 'brief.md';

export function accountedTaste(settings: Settings, name: string): AccountedFile {
  const { path, scope } = tasteFolder(settings).locate(name);
  const what = { kind: 'taste', image_id: null, file: `${name}.md` } as const;
  return {
    ...what,
    target: targetOf(what),
    ledger: 'tastes',
    path,
    scope,
    ledgerFolder: tastesLedger(settings),
  };
}

export function tastesLedger({ tastesFolder }: Pick<Settings, 'tastesFolder'>): string {
  return join(tastesFolder, 'ledger');
}
