import { OWN_FOLDER } from '../files/path-scope.ts';
import { openProject } from '../project/io/open-project.ts';
import { choosePolicy } from './choose-policy.ts';

// What the policy of a project leaves out counts for every question about its files, not for bundles alone (L24).
export async function excludedIn(root: string): Promise<readonly string[]> {
  return (
    await choosePolicy(
      openProject(root, () => []),
      null,
    )
  ).policy.exclude;
}

/** For whoever looks for files by their words: the memory of a repository is served as memory, under its own line, and is not a file of a task. */
export async function outsideCorpus(root: string): Promise<readonly string[]> {
  return [...(await excludedIn(root)), OWN_FOLDER];
}
