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
import { bundleCauses } from './differences.ts';
import type { MemoryThen } from './memory-then.ts';

interface Outcome {
  verdict: 'same' | 'differs' | 'lost';
  causes: string[];
}

export interface BundlesThen {
  rebuilt(
    given: unknown,
    served: { hash: string; text: string | null; head: string | null },
    memory: MemoryThen | null,
  ): Promise<Outcome>;
  /** Is it the whole of a bundle that was rebuilt before? */
  again(hash: string): boolean;
  /** Files of a folder of the repository as they are in a commit; null where that can't be told. */
  memoryAt(head: string | null, folder: string): Promise<((file: string) => string | null) | null>;
}

const lost = (cause: string): Outcome => ({ verdict: 'lost', causes: [cause] });

/** Enough of a commit's name to know it by. */
function shortOf(head: string): string {
  return head.slice(0, 9);
}

// Bundles of a project at the commits of then: read from git into a folder of their own, no work tree is touched.
export function bundlesThen(app: AppContext, { project, folder }: { project: string; folder: string }): BundlesThen {
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
    again: (hash) => wholes.has(hash),

    async memoryAt(head, place) {
      const isInside = top !== null && `${realPath(place) ?? place}${sep}`.startsWith(`${top}${sep}`);
      const found = isInside && head !== null ? await standing(head) : null;
      return found && ((file) => textOf(join(inTree(found, place), file), found.folder));
    },

    async rebuilt(given, { hash, text, head }, memory) {
      if (!isRecord(given) || typeof given.task !== 'string')
        return lost('the request was not stored: it held a secret');
      const { image_id, ...asked } = given;
      if (Array.isArray(asked.adapters) && asked.adapters.length > 0)
        return lost(`what ${asked.adapters.join(', ')} gave then is not stored: it came from outside`);
      if (head === null) return lost('no commit is known: the project was not in git');
      const at = await standing(head);
      if (at === null) return lost(`commit ${shortOf(head)} is not in this repository: fetch it, or name the project`);
      const dir = inTree(at, project);
      if (realPath(dir) !== dir) return lost(`commit ${shortOf(head)} has no such folder`);
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
      if (sha256(JSON.stringify(first)) === hash) return { verdict: 'same', causes: [] };
      // A policy that is not committed is taken as it is today.
      if (![null, textOf(join(dir, OWN_POLICY), dir)].includes(textOf(join(project, OWN_POLICY), project))) {
        copyInto(dir, OWN_POLICY, { project, path: OWN_POLICY });
        if (sha256(JSON.stringify(bundleForAgent(await build()))) === hash) return { verdict: 'same', causes: [] };
        await at.stand(head);
      }
      if (text === null)
        return { verdict: 'differs', causes: ['the text that was served is no longer stored: only its hash is known'] };
      const causes = bundleCauses(parsed(text), first, {
        commit: shortOf(head),
        textAt: (path) => textOf(join(dir, path), dir),
      });
      return { verdict: 'differs', causes };
    },
  };
}

function textOf(path: string, scope: string): string | null {
  const read = readText(path, scope);
  return read.status === 'ok' ? read.value.text : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
