import { isInside, OWN_FOLDER, realPath } from '../files/path-scope.ts';
import { relative, sep } from '../files/paths.ts';
import { openProject } from '../project/io/open-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import { choosePolicy } from './choose-policy.ts';

// What counts for every question about a project's files, not for bundles alone (L24): what its policy leaves out, and
// what the product itself stores. The memory of a repository is served as memory, under its own line.
export async function outsideCorpus(app: AppContext, root: string): Promise<readonly string[]> {
  const { policy } = await choosePolicy(openProject(root), null);
  return [...policy.exclude, ...(await ownPatterns(app, root))];
}

/** The product's own folders inside of a project, wherever the settings put them. */
export async function ownPatterns(app: AppContext, root: string): Promise<string[]> {
  const { folders, tastesFolder } = await app.settings();
  const own = [app.home, app.cacheFolder, folders.workspaces, tastesFolder].map((folder) => realPath(folder));
  const inside = own.flatMap((folder) => (folder && folder !== root && isInside(root, folder) ? [folder] : []));
  return [OWN_FOLDER, ...inside.map((folder) => relative(root, folder).split(sep).join('/'))];
}
