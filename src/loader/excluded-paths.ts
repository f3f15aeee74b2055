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
