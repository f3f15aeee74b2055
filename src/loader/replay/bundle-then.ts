import { realPath } from '../../files/path-scope.ts';
import { join, relative, sep } from '../../files/paths.ts';
import { readText } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { isRecord } from '../../json-record.ts';
import { type CommitStates, commitStates } from '../../project/io/commit-states.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { gitRoot } from '../../settings/io/workspace-folders.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { bundleForAgent, loadForAgent } from '../bundle/for-agent.ts';
import { OWN_POLICY } from '../choose-policy.ts';
import { copyInto } from '../io/temporary-folder.ts';
import type { LoadRequest } from '../load.ts';
import { bundleLoader } from '../load.ts';
import { bundleCauses, differs, lost, type Outcome, parsed, SAME, TEXT_GONE } from './differences.ts';
import type { MemoryThen } from './memory-then.ts';

export type BundlesThen = ReturnType<typeof bundlesThen>;
interface ServedBundle {
  hash: string;
  text: string | null;
  head: string | null;
}

// Bundles of a project at the commits of then: read from git into a folder of their own, no work tree is touched.
export function bundlesThen(app: AppContext, { project, folder }: { project: string; folder: string }) {
  const top = gitRoot(project);
  const wholes = new Set<string>();
  let states: Promise<CommitStates | null> | null = null;
  const standing = async (head: string): Promise<CommitStates | null> => {
    states ??= top === null ? Promise.resolve(null) : commitStates(top, join(folder, 'tree')).catch(() => null);
    const found = await states;
    return found && (await found.stand(head)) ? found : null;
  };
  const inTree = ({ folder: tree }: CommitStates, place: string) =>
    join(tree, relative(top ?? '', realPath(place) ?? place));

  return {
    /** Is it the whole of a bundle that was rebuilt before? */
    again: (hash: string) => wholes.has(hash),

    /** Files of a folder of the repository as they are in a commit; null where that can't be told. */
    async memoryAt(head: string | null, place: string) {
      const isInside = top !== null && `${realPath(place) ?? place}${sep}`.startsWith(`${top}${sep}`);
      const found = isInside && head !== null ? await standing(head) : null;
      return found && ((file: string) => textOf(join(inTree(found, place), file), found.folder));
    },

    async rebuilt(given: unknown, { hash, text, head }: ServedBundle, memory: MemoryThen | null): Promise<Outcome> {
      if (!isRecord(given) || typeof given.task !== 'string')
        return lost('the request was not stored: it held a secret');
      const { image_id, ...asked } = given;
      if (Array.isArray(asked.adapters) && asked.adapters.length > 0)
        return lost(`what ${asked.adapters.join(', ')} gave then is not stored: it came from outside`);
      if (head === null) return lost('no commit is known: the project was not in git');
      // Enough of a commit's name to know it by.
      const commit = head.slice(0, 9);
      const at = await standing(head);
      if (at === null) return lost(`commit ${commit} is not in this repository: fetch it, or name the project`);
      const dir = inTree(at, project);
      if (realPath(dir) !== dir) return lost(`commit ${commit} has no such folder`);
      const { receipt: _, ...request } = { ...asked, dir, workspace: image_id } as LoadRequest;
      const settings = memory && { ...memory.settings, workspace: () => memory.workspace };
      const place = { ...app, cwd: dir, home: join(folder, 'home'), cacheFolder: join(folder, 'cache') };
      const load = bundleLoader({ ...place, settings: settings ? async () => settings : app.settings });
      const build = async (): Promise<Bundle> => {
        const bundle = await loadForAgent(async (each) => (await load(each)).bundle, request);
        wholes.add(sha256(JSON.stringify(bundle)));
        return bundle;
      };
      const first = bundleForAgent(await build());
      if (sha256(JSON.stringify(first)) === hash) return SAME;
      // A policy that is not committed is taken as it is today.
      if (![null, textOf(join(dir, OWN_POLICY), dir)].includes(textOf(join(project, OWN_POLICY), project))) {
        copyInto(dir, OWN_POLICY, { project, path: OWN_POLICY });
        if (sha256(JSON.stringify(bundleForAgent(await build()))) === hash) return SAME;
        await at.stand(head);
      }
      if (text === null) return differs(TEXT_GONE);
      return differs(...bundleCauses(parsed(text), first, { commit, textAt: (path) => textOf(join(dir, path), dir) }));
    },
  };
}

function textOf(path: string, scope: string): string | null {
  const read = readText(path, scope);
  return read.status === 'ok' ? read.value.text : null;
}
