import { type KeysOf, knownKeys } from '../known-keys.ts';
import type { DriftAnswer, LoadRequest, PolicyAnswer, PolicyCheck, Rendering } from '../loader/answers.ts';
import type { Bundle } from '../loader/bundle/bundle.ts';
import type { BundleDiff } from '../loader/bundle/diff.ts';
import type { Explanation } from '../loader/bundle/explain.ts';
import type { Receipt } from '../loader/bundle/receipt.ts';
import type { loaderUseCases } from '../loader/load.ts';
import type { ReceiptCheck, ReceiptRequest } from '../loader/receipts.ts';
import type { AppContext } from '../settings/app-context.ts';
import { loadOnce } from './load-once.ts';

export interface ProjectOptions {
  /** The project. Default: the working directory. */
  dir?: string | undefined;
}

const LOAD: KeysOf<LoadRequest> = {
  dir: true,
  task: true,
  policy: true,
  max_files: true,
  max_chars_per_file: true,
  max_total_chars: true,
  max_tokens: true,
  fallback: true,
  tactical: true,
  workspace: true,
  adapters: true,
  redact: true,
  now: true,
  receipt: true,
  onProgress: true,
};
const PROJECT: KeysOf<ProjectOptions> = { dir: true };
const OUT: KeysOf<{ path: string; as: Rendering }> = { path: true, as: true };
const RECEIPTS: KeysOf<ReceiptRequest> = { dir: true, workspace: true, event: true };

export type LoaderUseCases = ReturnType<typeof loaderUseCases>;

// What an agent sees now: bundles of a project, built the same from the same files.
export function loaderNamespace(app: AppContext, loader: () => Promise<LoaderUseCases>) {
  const receipts = loadOnce(async () => (await import('../loader/receipts.ts')).receiptUseCases(app));
  return {
    /** Builds a bundle of a project's files for a task, under the policy's budget. */
    async load(request: LoadRequest = {}): Promise<Bundle> {
      return (await loader()).loadContext(knownKeys(request, LOAD, 'loader.load'));
    },

    /** Builds a bundle and writes it to a file, never over one that went into it. */
    async save(request: LoadRequest, out: { path: string; as: Rendering }): Promise<Bundle> {
      knownKeys(out, OUT, 'loader.save');
      return (await loader()).saveBundle(knownKeys(request, LOAD, 'loader.save'), out);
    },

    /** The same bundle as JSON, Markdown or XML. */
    async render(bundle: Bundle, as: Rendering): Promise<string> {
      return (await loader()).renderBundle(bundle, as);
    },

    /** Why a path is in a bundle, or why it is not. */
    async explain(path: string, request: LoadRequest = {}): Promise<Explanation> {
      return (await loader()).explainPath(path, knownKeys(request, LOAD, 'loader.explain'));
    },

    /** Reads a bundle that was saved as JSON. */
    async readBundle(path: string): Promise<Bundle> {
      return (await loader()).readBundle(path);
    },

    /** What changed from one bundle to another. */
    async diff(before: Bundle, after: Bundle): Promise<BundleDiff> {
      return (await loader()).diffBundles(before, after);
    },

    /** Builds a bundle anew with its own arguments and says whether it would differ. */
    async drift(bundle: Bundle, options: ProjectOptions = {}): Promise<DriftAnswer> {
      return (await loader()).driftOf(bundle, knownKeys(options, PROJECT, 'loader.drift'));
    },

    /** A policy with everything that it inherits. */
    async showPolicy(name?: string, options: ProjectOptions = {}): Promise<PolicyAnswer> {
      return (await loader()).showPolicy(name, knownKeys(options, PROJECT, 'loader.showPolicy'));
    },

    /** The problems of a policy file, each with line and column. */
    async checkPolicy(path?: string, options: ProjectOptions = {}): Promise<PolicyCheck> {
      return (await loader()).checkPolicy(path, knownKeys(options, PROJECT, 'loader.checkPolicy'));
    },

    /** The receipts of bundles that were loaded here; the newest first. */
    async listReceipts(request: ReceiptRequest = {}): Promise<Receipt[]> {
      return (await receipts()).listReceipts(knownKeys(request, RECEIPTS, 'loader.listReceipts'));
    },

    /** Whether what the newest receipt says still holds, and every reason why not. */
    async checkReceipt(request: ReceiptRequest & { maxAgeMs: number }): Promise<ReceiptCheck> {
      const keys = { ...RECEIPTS, maxAgeMs: true as const };
      return (await receipts()).checkReceipt(knownKeys(request, keys, 'loader.checkReceipt'));
    },
  };
}
