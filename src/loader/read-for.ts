import { fitContext } from '../memory/fit-context.ts';
import type { Context } from '../memory/read-context.ts';
import { openProject } from '../project/io/open-project.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { isNowhere } from '../settings/meant-workspace.ts';
import { tokenCounter } from '../tokens.ts';
import { choosePolicy, folderOf } from './choose-policy.ts';
import { profileNamed } from './policy/profile.ts';

// The lasting context as a profile wants it. The policy is that of the repository whose memory it is, else of the folder
// the caller's current folder.
export async function fitForProfile(
  app: AppContext,
  target: TargetLike,
  { name, context }: { name: string; context: Context },
): Promise<{ context: Context; warnings: string[] }> {
  const project = openProject(folderOf(app, await folderFor(app, target)));
  const { policy } = await choosePolicy(project, null);
  const { memory } = profileNamed(policy, name);
  const { context: fitted, leftOut, cut } = fitContext(context, memory, await tokenCounter());
  const said = [
    leftOut.length > 0 ? `leaves out ${leftOut.join(', ')}` : '',
    cut.length > 0 ? `cuts ${cut.join(', ')}` : '',
  ].filter((part) => part !== '');
  const warnings = said.length > 0 ? [`The profile ${name} ${said.join(' and ')}: ${memory.max_tokens} tokens.`] : [];
  return { context: fitted, warnings };
}

async function folderFor(app: AppContext, target: TargetLike): Promise<string | undefined> {
  try {
    const { scope } = (await app.settings()).workspace(target);
    if (scope !== null) return scope;
  } catch (error) {
    if (!isNowhere(error)) throw error;
  }
  return typeof target === 'string' ? undefined : target.root;
}
