import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import { linkAt } from '../../settings/io/workspace-links.ts';

/** The project that a workspace's notes speak of; null: a workspace of the home, which has none. */
export function citedProject(
  app: AppContext,
  settings: Settings,
  workspace: Pick<Workspace, 'id' | 'scope'>,
): string | null {
  const link = linkAt(settings.folders, app.cwd);
  const isLinked = link !== null && link.id === workspace.id && link.root === workspace.scope;
  return isLinked ? link.folder : workspace.scope;
}
