import { dirname, isAbsolute, join, resolve } from 'node:path';
import { git, gitSays } from './git.ts';
import type { GitFolder } from './git-folder.ts';

// What is included only on some branch, or for some remote, changes without any of these files.
const FICKLE = /^includeif\.(?:onbranch|hasconfig):/;

/** Where git looks for settings of its own user. */
export function ownersFolders(variables: NodeJS.ProcessEnv): { home: string; settings: string } | null {
  const home = variables.HOME;
  if (home === undefined || !isAbsolute(home)) return null;
  return { home, settings: join(variables.XDG_CONFIG_HOME || join(home, '.config'), 'git') };
}

/**
 * The files outside a work tree that decide what git ignores there: settings, what they include, and the lists of patterns
 * they name, whether they are there or not. Null where that can't be told for sure.
 */
export async function ignoreSources(
  root: string,
  { own, shared }: GitFolder,
  { home, settings }: { home: string; settings: string },
): Promise<string[] | null> {
  const [listed, system, named] = await Promise.all([
    git(root, ['config', '--list', '--show-origin', '-z']),
    systemSettings(root),
    gitSays(root, ['config', '-z', '--type=path', '--get', 'core.excludesFile']),
  ]);
  const included = listed && includedIn(listed, home);
  if (!included || system === null || named === null || (named.code !== 0 && named.code !== 1)) return null;
  const patterns = named.printed.toString('utf8').split('\0').slice(0, -1);
  if (!patterns.every((path) => isAbsolute(path))) return null;
  const ofRepository = [shared, own].flatMap((folder) =>
    ['config', 'config.worktree', 'info/exclude', 'info/sparse-checkout', 'commondir'].map((name) =>
      join(folder, name),
    ),
  );
  const ofUser = [join(home, '.gitconfig'), join(settings, 'config'), join(settings, 'ignore')];
  return [...new Set([...ofRepository, ...ofUser, system, ...included, ...patterns])];
}

// Only git knows where it was built to look: it names the file, or misses it.
async function systemSettings(root: string): Promise<string | null> {
  const said = await gitSays(root, ['config', '--system', '--list', '--show-origin', '-z'], { complaints: true });
  const listed = /^file:(\/[^\0]+)\0/.exec(said?.printed.toString('utf8') ?? '')?.[1];
  return listed ?? /'(\/[^'\n]+)'/.exec(said?.complaint.toString('utf8') ?? '')?.[1] ?? null;
}

// Every file that settings came from, and every file they include.
function includedIn(listed: Buffer, home: string): string[] | null {
  const fields = listed.toString('utf8').split('\0');
  const files: string[] = [];
  for (let n = 0; n + 1 < fields.length; n += 2) {
    const [origin = '', setting = ''] = [fields[n], fields[n + 1]];
    const from = /^file:(.+)$/s.exec(origin)?.[1];
    if (from !== undefined && isAbsolute(from)) files.push(from);
    const [name, value = ''] = setting.split(/\n(.*)/s) as [string, string?];
    if (!/^include(?:if\..*)?\.path$/s.test(name)) continue;
    if (FICKLE.test(name) || from === undefined || !/^(?:~\/|[^~%])/.test(value)) return null;
    files.push(value.startsWith('~/') ? join(home, value.slice(2)) : resolve(dirname(from), value));
  }
  return files;
}
