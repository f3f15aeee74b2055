import { BearingsError, invalidInput, notFound } from '../errors.ts';
import { workTrees } from '../files/git-folder.ts';
import { realPath } from '../files/path-scope.ts';
import { basename } from '../files/paths.ts';
import { firstCommits } from '../project/io/git-history.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import {
  findWorkspace,
  gitRoot,
  isNamed,
  knownWorkspace,
  listWorkspaces,
  nearestWorkspace,
  type Workspace,
} from '../settings/io/workspace-folders.ts';
import {
  canLink,
  linkAt,
  linkFolder,
  listLinks,
  siblingWorkspaces,
  unlinkFolder,
  workspaceHere,
} from '../settings/io/workspace-links.ts';
import { typedName } from '../typed-name.ts';

export interface LinkPlan {
  /** The work tree or clone, and the workspace that it would use. For a person's eyes. */
  folder: string;
  id: string;
  workspace: string;
  /** The folder's own workspace, which would no longer be read here. */
  own: string | null;
}

type Change = <T>(work: (settings: Settings) => T) => Promise<T>;

export function linkUseCases(app: AppContext, change: Change) {
  const top = (): string => {
    const root = gitRoot(app.cwd);
    if (root === null)
      throw invalidInput(
        "This folder is not in a repository, so it can't use another workspace.",
        'Run it in a clone.',
      );
    if (canLink(root)) return root;
    throw invalidInput(
      'The git folder of this one lies elsewhere and does not name it.',
      'Use a clone, or a tree made by: git worktree add',
    );
  };

  const plan = async (wanted: string | undefined) => {
    const root = top();
    const settings = await app.settings();
    const workspace = wanted === undefined ? await onlyRelative(settings, root) : named(settings, root, wanted);
    if (workspace.scope === root)
      throw invalidInput(`"${workspace.id}" is the workspace of this folder itself.`, 'See all: bearings workspaces');
    if (workspace.scope !== null && !(await isSameRepository(root, workspace.scope)))
      throw new BearingsError('conflict', `"${workspace.id}" belongs to another repository.`, {
        hint: 'Only clones and work trees of one repository, with their first commit, can share its workspace.',
      });
    return { root, workspace, own: ownOf(settings, root) };
  };

  const ownOf = ({ folders }: Settings, root: string): Workspace | null => {
    const nearest = nearestWorkspace(folders, root);
    return nearest?.scope === root && isNamed(nearest) ? nearest : null;
  };

  // By its folder where that is given; by its id never the one of this folder itself, which may claim any.
  const named = (settings: Settings, root: string, wanted: string): Workspace => {
    const found = /[/\\]|^\.+$/.test(wanted)
      ? workspaceHere(settings.folders, app.inFull(wanted))
      : (findWorkspace(settings.folders, wanted) ?? siblings(settings, root).find(({ id }) => id === wanted));
    if (found) return found;
    throw notFound(
      `There is no workspace "${wanted}" outside of this folder.`,
      'See all: bearings workspaces. A clone is found by its folder: bearings workspaces link ../other',
    );
  };

  const siblings = ({ folders }: Settings, root: string) =>
    siblingWorkspaces(folders, root).filter(({ scope }) => scope !== root);

  const onlyRelative = async (settings: Settings, root: string): Promise<Workspace> => {
    const found = siblings(settings, root);
    // Without the one here: its id may be that of the very one that is looked for.
    if (found.length === 0)
      for (const workspace of listWorkspaces(settings.folders, null))
        if (workspace.scope !== null && workspace.scope !== root && (await isSameRepository(root, workspace.scope)))
          found.push(workspace);
    const [first, second] = found;
    if (first && !second) return first;
    const ids = found.map(({ id }) => id).join(', ');
    throw first
      ? invalidInput(
          `Several workspaces are of this repository: ${ids}.`,
          `For example: bearings workspaces link ${typedName(first.id)}`,
        )
      : notFound(
          'No known workspace is of this repository.',
          'Name it by its id or its folder: bearings workspaces link ../other',
        );
  };

  const shown = ({ root, workspace, own }: Awaited<ReturnType<typeof plan>>): LinkPlan => ({
    folder: app.forPerson(root),
    id: workspace.id,
    workspace: app.forPerson(workspace.folder),
    own: own?.id ?? null,
  });

  return {
    async planLink(wanted?: string): Promise<LinkPlan> {
      return shown(await plan(wanted));
    },

    // From now on this work tree or clone uses that workspace. Its own files stay as they are.
    async linkWorkspace(wanted?: string): Promise<LinkPlan> {
      const planned = await plan(wanted);
      await change(({ folders }) => linkFolder(folders, planned.root, planned.workspace));
      return shown(planned);
    },

    async unlinkWorkspace(folder?: string): Promise<{ folder: string; id: string }> {
      const path = folder === undefined ? (gitRoot(app.cwd) ?? app.cwd) : app.inFull(folder);
      const link = await change(({ folders }) => unlinkFolder(folders, realPath(path) ?? path));
      if (link) return { folder: app.forPerson(link.folder), id: link.id };
      throw notFound('This folder uses no workspace from elsewhere.', 'See all links: bearings workspaces');
    },

    /** The workspace is null where a link is not followed. */
    async listLinks() {
      const { folders } = await app.settings();
      return listLinks(folders).map((link) => {
        const { folder, id, state } = link;
        const known = state === 'followed' ? knownWorkspace(folders, link) : null;
        return { folder: app.forPerson(folder), id, workspace: known && app.forPerson(known.folder), state };
      });
    },

    /** Of a work tree that has no workspace yet: what the others of its repository use. */
    async worktreeOffer(): Promise<{ id: string; repository: string } | null> {
      const root = gitRoot(app.cwd);
      const settings = await app.settings();
      if (root === null || !canLink(root) || linkAt(settings.folders, root) || ownOf(settings, root)) return null;
      const [first] = siblings(settings, root);
      return first ? { id: first.id, repository: basename(first.scope ?? first.id) } : null;
    },
  };
}

// Names prove nothing, and neither does an id in a file: work trees share git's folder, clones their first commits.
async function isSameRepository(a: string, b: string): Promise<boolean> {
  if (workTrees(a).includes(b)) return true;
  const [mine, theirs] = await Promise.all([firstCommits(a), firstCommits(b)]);
  return mine.some((commit) => theirs.includes(commit));
}
