import { invalidInput, notFound } from '../errors.ts';
import { isInside, OWN_FOLDER, realPath, relative, resolve, sep } from '../files/paths.ts';
import { fitContext } from '../memory/fit-context.ts';
import type { Context } from '../memory/read-context.ts';
import { openProject, type Project, projectFolder } from '../project/io/open-project.ts';
import { whyNotPath } from '../safety/hidden-characters.ts';
import type { AppContext, TargetLike } from '../settings/app-context.ts';
import { isNowhere } from '../settings/meant-workspace.ts';
import { tokenCounter } from '../tokens.ts';
import { BUILT_IN, profileNamed } from './policy/extend-policy.ts';
import type { Policy } from './policy/policy.ts';

export const OWN_POLICY = '.bearings/policy.yaml';
const CORTEX_SIGN = '.cortex/manifest_v0.json';

// The caller's word, else the project's own policy, else what the project is.
export async function choosePolicy(
  project: Project,
  asked: string | null,
): Promise<{ policy: Policy; source: string }> {
  const builtIn = (name: 'cortex' | 'repo') => ({ policy: BUILT_IN[name], source: 'built-in' });
  if (asked === 'cortex' || asked === 'repo') return builtIn(asked);
  const file = asked ?? (project.exists(OWN_POLICY) ? OWN_POLICY : null);
  if (file === null) return builtIn(project.exists(CORTEX_SIGN) ? 'cortex' : 'repo');
  const { readPolicyFile } = await import('./policy-files.ts');
  const read = await readPolicyFile(project, file);
  if (read === null) throw notFound(`The policy ${file} is not there.`, 'Built in are: repo, cortex');
  const [first] = read.problems;
  if (read.policy === null) {
    const more = read.problems.length > 1 ? ` (and ${read.problems.length - 1} more)` : '';
    throw invalidInput(
      `${file}:${first?.line ?? 1}:${first?.column ?? 1}: ${first?.message ?? 'it is empty'}${more}.`,
      `Fix the file, then run: bearings policy check ${file}`,
      { problems: read.problems.slice(0, 20) },
    );
  }
  return { policy: read.policy, source: file };
}

export function folderOf(app: AppContext, dir: string | undefined): string {
  const folder = projectFolder(resolve(app.cwd, dir ?? '.'));
  // A text with blanks is hardly a folder: someone wrote the task where the folder goes.
  const isTask = dir !== undefined && /\s/.test(dir.trim());
  if (folder === null)
    throw notFound(
      'The project folder is not there.',
      isTask ? `Is it the task? Write: --task "${dir.slice(0, 60)}"` : 'Name a folder that is there.',
    );
  return folder;
}

// A file is named from the person's current folder, and kept relative to the project.
export function policyName(app: AppContext, written: string | null, dir: string | undefined): string | null {
  if (written === null || Object.hasOwn(BUILT_IN, written)) return written;
  const path = pathInProject(app, written, dir);
  if (path !== null) return path;
  throw invalidInput(
    'A policy is repo, cortex or a YAML file inside the project.',
    'For example: --policy .bearings/policy.yaml',
  );
}

export function adapterFile(app: AppContext, written: string | null, dir: string | undefined): string | null {
  if (written === null) return null;
  const path = pathInProject(app, written, dir);
  if (path !== null) return path;
  throw invalidInput('An adapter file is a JSON file inside the project.', 'For example: --adapter-file work.json');
}

// The project's own place first, then the person's current folder.
function pathInProject(app: AppContext, written: string, dir: string | undefined): string | null {
  const project = folderOf(app, dir);
  const here = [resolve(project, written), resolve(app.cwd, written)].find((path) => isInside(project, path));
  const path = here && relative(project, here).split(sep).join('/');
  return !path || whyNotPath(path) ? null : path;
}

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
