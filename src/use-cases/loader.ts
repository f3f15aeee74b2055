import { relative, resolve } from 'node:path';
import { realPath } from '../io/path-scope.ts';
import type { Bundle } from '../loader/bundle.ts';
import type { BundleDiff } from '../loader/diff.ts';
import type { Explanation } from '../loader/explain.ts';
import type { Doors } from './house.ts';
import type { DriftAnswer, LoadRequest, PolicyAnswer, PolicyCheck, Rendering } from './loader-answers.ts';

// Thin on purpose: commands that load no project don't wait for the code that does.
export function loaderUseCases(doors: Doors) {
  const loader = async () => (await import('./loader-work.ts')).openLoader(doors);
  return {
    loadContext: async (request: LoadRequest = {}): Promise<Bundle> => (await loader()).loadContext(request),

    // Builds, renders and writes in one go, because only the build knows which files it must not write over.
    saveBundle: async (request: LoadRequest, out: { path: string; as: Rendering }): Promise<Bundle> =>
      (await loader()).saveBundle(request, out),

    // The same bundle in another dress.
    renderBundle: async (bundle: Bundle, as: Rendering): Promise<string> => (await loader()).renderBundle(bundle, as),

    /** The top of the repository that a project folder is only a part of, from where the person stands; else null. */
    async repositoryAbove(dir?: string): Promise<string | null> {
      const { gitRoot } = await import('../io/workspace-folders.ts');
      const folder = realPath(resolve(doors.cwd, dir ?? '.'));
      const top = folder === null ? null : gitRoot(folder);
      return top === null || top === folder ? null : relative(realPath(doors.cwd) ?? doors.cwd, top) || '.';
    },

    explainPath: async (path: string, request: LoadRequest = {}): Promise<Explanation> =>
      (await loader()).explainPath(path, request),

    readBundle: async (path: string): Promise<Bundle> => (await loader()).readBundle(path),

    diffBundles: async (before: Bundle, after: Bundle): Promise<BundleDiff> =>
      (await loader()).diffBundles(before, after),

    driftOf: async (bundle: Bundle, request: { dir?: string | undefined } = {}): Promise<DriftAnswer> =>
      (await loader()).driftOf(bundle, request),

    showPolicy: async (name?: string, request: { dir?: string | undefined } = {}): Promise<PolicyAnswer> =>
      (await loader()).showPolicy(name, request),

    checkPolicy: async (path?: string, request: { dir?: string | undefined } = {}): Promise<PolicyCheck> =>
      (await loader()).checkPolicy(path, request),
  };
}
