import { typedName } from '../closest.ts';
import { type BearingsError, conflict, invalidInput, ioError, notFound } from '../errors.ts';
import { workTrees } from '../files/folders.ts';
import { lockAt } from '../files/lock.ts';
import { basename, join, realPath } from '../files/paths.ts';
import { readText } from '../files/read-file.ts';
import { atomicWrite, fileMode } from '../files/write-file.ts';
import { firstCommits } from '../project/io/git.ts';
import { foldedName, whyNotNewId } from '../safety/hidden-characters.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import {
  assertStaysInside,
  createHomeWorkspace,
  createRepositoryWorkspace,
  findWorkspace,
  gitRoot,
  holdsHome,
  isNamed,
  knownWorkspace,
  nearestWorkspace,
  removeWorkspace,
  renamedTo,
  renameWorkspace,
  type Workspace,
} from '../settings/io/workspace-folders.ts';
import {
  canLink,
  carryLinks,
  linkAt,
  linkFolder,
  listLinks,
  unlinkFolder,
  workspaceHere,
} from '../settings/io/workspace-links.ts';
import { assertId, type Target } from '../settings/meant-workspace.ts';
import { workspaceLedger } from './domains/accounted-files.ts';
import { homeWord, openDomains } from './domains/domains.ts';
import { editText } from './io/editor.ts';
import { carryMarks } from './io/marks.ts';
import { readHome } from './io/read-standing.ts';
import { type Proof, signerFor } from './keys/confirm-level.ts';

export interface WorkspaceEntry {
  id: string;
  /** For a person's eyes: never part of an answer to an agent. */
  folder: string;
  kind: 'home' | 'repository';
  /** Of a new one: each line that came into a file which was there before. */
  changed?: string[];
}

export interface NewWorkspace {
  /** Default in a repository: the name of its folder. */
  id?: string | undefined;
  /** Make a `.bearings/` in the working directory even where there is no repository. */
  here?: boolean;
}

export function workspaceUseCases(app: AppContext) {
  const entry = ({ id, folder, kind }: Workspace): WorkspaceEntry => ({ id, folder: app.forPerson(folder), kind });
  // Two processes that make, rename or remove at once must not both win.
  const change = async <T>(work: (settings: Settings) => T): Promise<T> => {
    const settings = await app.settings();
    try {
      return await lockAt(join(settings.home, '.lock')).run(() => work(settings));
    } catch (error) {
      throw ioError("The workspace can't be changed", error);
    }
  };
  // A decision that a dead process left half way is known by the folder: it comes to its end before the folder moves. What was
  // signed for this name and folder goes on to count in the new one because the person says so; to null: nowhere.
  const beforeMove = async (id: string, to: Workspace | null, proof: Proof): Promise<void> => {
    const settings = await app.settings();
    const workspace = settings.workspace({ id });
    const domains = openDomains(app);
    await domains.settle(domains.notes(settings, workspace));
    const from = workspaceLedger(settings, workspace);
    const { registrations } = readHome(settings.home).state;
    const known = registrations.find(({ about, place }) => about === from.name && place === from.place);
    if (!known) return;
    const signer = signerFor(settings, proof);
    const next = to && workspaceLedger(settings, to);
    const { name: about, place } = next ?? from;
    const moved = { chain: known.chain, was: from.name, hashes: [...known.except], subject: from.place };
    const said = { decision: 'workspace', about, place, ...(next ? moved : { chain: '' }) } as const;
    await homeWord(app, domains, settings, { signer, ...said });
    carryMarks(settings.home, from.place, next?.place ?? null);
  };
  const assertFree = (settings: Settings, id: string, except: Workspace | null = null): void => {
    const others = settings.workspaces().filter(({ folder }) => folder !== except?.folder);
    const same = others.find((known) => foldedName(known.id) === foldedName(id));
    if (same) throw taken(`There is already a workspace "${same.id}".`, same);
  };

  return {
    async listWorkspaces(): Promise<WorkspaceEntry[]> {
      return (await app.settings()).workspaces().map(entry);
    },

    async createWorkspace(wanted: NewWorkspace = {}): Promise<WorkspaceEntry> {
      const root = wanted.here ? app.cwd : wanted.id === undefined ? gitRoot(app.cwd) : null;
      const id = wanted.id ?? (root === null ? undefined : basename(root));
      if (id === undefined)
        throw invalidInput(
          'Outside of a repository a workspace needs a name.',
          'For example: bearings init billing-client',
        );
      assertId(id, whyNotNewId);
      return change((settings) => {
        if (root !== null && holdsHome(settings.folders, root))
          throw invalidInput(
            'The .bearings of this folder is the home of all workspaces, so it can hold none of its own.',
            'Name the workspace: bearings init billing-client',
          );
        const link = root === null ? null : linkAt(settings.folders, root);
        if (link)
          throw conflict(`This folder uses the workspace "${link.id}".`, 'To end that: bearings workspaces unlink');
        const present = root === null ? null : nearestWorkspace(settings.folders, root);
        const own = present?.scope === root ? present : null;
        if (own && isNamed(own)) throw taken(`This repository already has the workspace "${own.id}".`, own);
        assertFree(settings, id, own);
        if (root === null) return entry(createHomeWorkspace(settings.folders, id));
        const made = createRepositoryWorkspace(settings.folders, id, root);
        return { ...entry(made), ...(made.changed.length > 0 ? { changed: made.changed } : {}) };
      });
    },

    async renameWorkspace(from: string, to: string, proof: Proof = {}): Promise<WorkspaceEntry> {
      assertId(to, whyNotNewId);
      const known = await app.settings();
      if (foldedName(from) !== foldedName(to)) assertFree(known, to);
      await beforeMove(from, renamedTo(known.folders, known.workspace({ id: from }), to), proof);
      return change((settings) => {
        const workspace = settings.workspace({ id: from });
        if (foldedName(from) !== foldedName(to)) assertFree(settings, to);
        const renamed = renameWorkspace(settings.folders, workspace, to);
        carryLinks(settings.folders, workspace, to);
        return entry(renamed);
      });
    },

    // Moves it aside; nothing is deleted. Answers with the place for the person.
    async removeWorkspace(id: string, proof: Proof = {}): Promise<{ id: string; kept: string }> {
      const stamp = app.now().toISOString().replace(/[:.]/g, '-');
      await beforeMove(id, null, proof);
      return change((settings) => {
        const workspace = settings.workspace({ id });
        const aside = removeWorkspace(settings.folders, workspace, stamp);
        carryLinks(settings.folders, workspace, null);
        return { id, kept: app.forPerson(aside) };
      });
    },

    // The first words of a person on a fresh workspace; never over a brief that is already there.
    async writeFirstBrief(target: Target, text: string): Promise<void> {
      const workspace = (await app.settings()).workspace(target);
      const path = join(workspace.folder, 'brief.md');
      assertStaysInside(workspace, 'brief.md');
      if (readText(path, workspace.scope).status !== 'missing') {
        const hint = `Edit it: bearings edit brief ${typedName(workspace.id)}`;
        throw conflict(`"${workspace.id}" already has a brief.`, hint);
      }
      try {
        atomicWrite(path, text.endsWith('\n') ? text : `${text}\n`, fileMode(workspace.scope), workspace.scope);
      } catch (error) {
        throw ioError("brief.md can't be written", error);
      }
    },

    /** The person's own words in place of these. Null: the same; from `save`: the person left it. */
    async editText<T>(text: string, save: (edited: string) => Promise<T | null>): Promise<T | null> {
      const editor = (await app.settings()).text('editor');
      return editText({ editor, home: app.home, forPerson: app.forPerson }, text, save);
    },

    // From now on this work tree or clone uses that workspace, known by its id or its folder. Its own files stay as they are.
    async linkWorkspace(wanted: string) {
      const root = gitRoot(app.cwd);
      if (root === null || !canLink(root))
        throw invalidInput(
          "This folder is no clone or work tree, so it can't use another workspace.",
          'Run it in a clone, or in a tree made by: git worktree add',
        );
      const { folders } = await app.settings();
      // By its id never the one of this folder itself, which may claim any.
      const isFolder = /[/\\]|^\.+$/.test(wanted);
      const workspace = isFolder ? workspaceHere(folders, app.inFull(wanted)) : findWorkspace(folders, wanted);
      if (workspace === null || workspace.scope === root)
        throw notFound(
          `There is no workspace "${wanted}" outside of this folder.`,
          'See all: bearings workspaces. A clone is found by its folder: bearings workspaces link ../other',
        );
      if (workspace.scope !== null && !(await isSameRepository(root, workspace.scope)))
        throw conflict(
          `"${workspace.id}" belongs to another repository.`,
          'Only clones and work trees of one repository, with their first commit, can share its workspace.',
        );
      await change(() => linkFolder(folders, root, workspace));
      const own = nearestWorkspace(folders, root);
      return {
        folder: app.forPerson(root),
        id: workspace.id,
        workspace: app.forPerson(workspace.folder),
        /** The folder's own, which is no longer read here. */
        own: own?.scope === root && isNamed(own) ? own.id : null,
      };
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
  };
}

function taken(message: string, { id }: Workspace): BearingsError {
  return conflict(message, `See it with: bearings read ${typedName(id)}`);
}

// Names prove nothing, and neither does an id in a file: work trees share git's folder, clones their first commits.
async function isSameRepository(a: string, b: string): Promise<boolean> {
  if (workTrees(a).includes(b)) return true;
  const [mine, theirs] = await Promise.all([firstCommits(a), firstCommits(b)]);
  return mine.some((commit) => theirs.includes(commit));
}
