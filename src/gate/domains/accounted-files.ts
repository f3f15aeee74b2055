import { sha256 } from '../../files/file-fingerprint.ts';
import { gitFolderOf, workTrees } from '../../files/folders.ts';
import { isInside, join, realPath, relative } from '../../files/paths.ts';
import { readExact } from '../../files/read-file.ts';
import { ARCHIVE, BRIEF, NOTES } from '../../memory/brief-and-notes.ts';
import { tasteFolder } from '../../memory/io/memory-files.ts';
import { whyNotPlainName } from '../../safety/hidden-characters.ts';
import type { Settings } from '../../settings/app-context.ts';
import { foldersUpFrom, gitRoot, type Workspace } from '../../settings/io/workspace-folders.ts';
import type { StandingLocation } from '../io/read-standing.ts';
import type { Fault } from '../ledger/chain.ts';
import type { HomeState, Registration } from '../ledger/home-state.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { goneLedgers, type Standing } from '../standing/standing.ts';

/** The name of a file whose blocks are accounted for: a workspace's notes or brief, or a taste. */
export interface NamedFile extends Pick<Proposal, 'kind' | 'image_id' | 'file'> {
  /** As a person reads it. */
  target: string;
}

export type AccountedFile = ReturnType<typeof accountedFile>;

/** Tastes, and of these workspaces notes and brief. `known`: with tastes that are gone and still have their decisions. */
export function accountedFiles(settings: Settings, of: Workspace | null | 'all', known?: Pick<Standing, 'files'>) {
  const isTaste = (file: string) => file.endsWith('.md') && whyNotPlainName(file) === null;
  const tastes = new Set([...tastesLedger(settings).names, ...[...(known?.files.keys() ?? [])].filter(isTaste)]);
  return [
    ...filesOf(settings, null, [...tastes]),
    ...workspacesOf(settings, of).flatMap((each) => filesOf(settings, each, [NOTES, BRIEF])),
  ];
}

/** What an agent is given: the default taste with these, and of a workspace notes and brief. */
export function servedFiles(settings: Settings, workspace: Workspace | null, tastes: readonly string[]) {
  const files = ['_default', ...tastes].map((name) => `${name}.md`);
  return [...filesOf(settings, null, files), ...(workspace ? filesOf(settings, workspace, [NOTES, BRIEF]) : [])];
}

function filesOf(settings: Settings, workspace: Workspace | null, files: readonly string[]): AccountedFile[] {
  const at = workspace ? workspaceLedger(settings, workspace) : tastesLedger(settings);
  return files.map((file) => accountedFile(settings, workspace, file, at));
}

export function workspacesOf(settings: Settings, workspace: Workspace | null | 'all'): Workspace[] {
  return workspace === 'all' ? settings.workspaces() : workspace === null ? [] : [workspace];
}

/** Every ledger that covers memory: the tastes', and each workspace's. */
export function ledgersOf(settings: Settings, workspace: Workspace | null | 'all'): StandingLocation[] {
  const own = workspacesOf(settings, workspace).map((each) => workspaceLedger(settings, each));
  return [tastesLedger(settings), ...own];
}

/** Tastes and workspaces that are nowhere; `from`: that were in this folder or above it. Whoever serves one alone knows nothing of the others. */
export function goneFrom(settings: Settings, state: HomeState, from?: string): Fault[] {
  const { home, tastesFolder, only } = settings;
  const known = new Set(['home', ...(only === undefined ? settings.workspaces().map(ledgerName) : [])]);
  const isHere = (place: string) =>
    only === undefined && (from === undefined || foldersUpFrom(from).some((folder) => placeOf(home, folder) === place));
  const isGone = ({ about, place }: Registration) =>
    about === 'tastes' ? place !== placeOf(home, tastesFolder) : !known.has(about) && isHere(place);
  return goneLedgers(state, isGone, sha256);
}

/** All that lasts, with its text: tastes, briefs, notes and archives. */
export function memoryTexts(settings: Settings, workspace: Workspace | null | 'all' = 'all') {
  const archives = workspacesOf(settings, workspace).map((each) => accountedFile(settings, each, ARCHIVE));
  return [...accountedFiles(settings, workspace), ...archives].flatMap((place) => {
    const read = readExact(place.path, place.scope);
    return read.status === 'ok' ? [{ ...place, text: read.value.text }] : [];
  });
}

export function nameOf({ kind, target, image_id, file }: AccountedFile): NamedFile {
  return { kind, target, image_id, file };
}

/** Null: a taste. */
export function accountedFile(
  settings: Settings,
  workspace: Workspace | null,
  file: string,
  /** The ledger that covers it. */
  at = workspace ? workspaceLedger(settings, workspace) : tastesLedger(settings),
) {
  const named: NamedFile = workspace
    ? { kind: 'notes', image_id: workspace.id, file, target: `${file} of ${workspace.id}` }
    : { kind: 'taste', image_id: null, file, target: `tastes/${file}` };
  return { ...named, ...at.locate(file), at };
}

export function tastesLedger(settings: Settings): StandingLocation {
  const { home, tastesFolder: folder } = settings;
  return {
    ...{ name: 'tastes', label: 'tastes', isWorkspace: false, mayBeBranch: gitRoot(folder) !== null },
    ...{ home, ledgerFolder: join(folder, 'ledger'), scope: folder, place: placeOf(home, folder) },
    names: tasteFolder(settings)
      .list()
      .map((name) => `${name}.md`),
    locate: (file) => tasteFolder(settings).locate(file.slice(0, -'.md'.length)),
  };
}

// Entries are signed for it: those of another workspace of the same id count for nothing here.
function ledgerName({ id, made }: Workspace): string {
  return `workspace ${id}${made === undefined ? '' : ` ${made}`}`;
}

export function workspaceLedger({ home }: Pick<Settings, 'home'>, workspace: Workspace): StandingLocation {
  const { id, folder, scope } = workspace;
  return {
    ...{ name: ledgerName(workspace), label: id, isWorkspace: true },
    mayBeBranch: scope !== null && gitRoot(scope) !== null,
    ...{ home, ledgerFolder: join(folder, 'ledger'), scope, place: placeOf(home, scope ?? folder) },
    names: [NOTES, BRIEF],
    locate: (file) => ({ path: join(folder, file), scope }),
  };
}

// Where a ledger is, so that what was signed for one folder does not count in another. All work trees of a repository are
// one place, and a home may move as a whole.
function placeOf(home: string, folder: string): string {
  const real = realPath(folder) ?? folder;
  const base = realPath(home) ?? home;
  if (isInside(base, real)) return sha256(`home ${relative(base, real)}`);
  const top = gitRoot(real);
  const shared = top !== null && workTrees(top).includes(top) ? realPath(gitFolderOf(top)?.shared ?? '') : null;
  return sha256(top === null || shared === null ? `folder ${real}` : `repository ${shared} ${relative(top, real)}`);
}

/** Null: what belongs to the home. */
export function workspaceOf(settings: Settings, imageId: string | null): Workspace | null {
  return imageId === null ? null : settings.workspace({ id: imageId });
}
