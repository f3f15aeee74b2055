import { type KeysOf, knownKeys } from '../known-keys.ts';
import type {
  DriftAnswer,
  DriftRequest,
  LoadRequest,
  PolicyAnswer,
  PolicyCheck,
  Rendering,
} from '../loader/answers.ts';
import type { Bundle } from '../loader/bundle/bundle.ts';
import type { BundleDiff } from '../loader/bundle/diff.ts';
import type { Explanation } from '../loader/bundle/explain.ts';
import type { Receipt } from '../loader/bundle/receipt.ts';
import type { EvaluateRequest, Evaluation } from '../loader/evaluate-past.ts';
import type { loaderUseCases } from '../loader/load.ts';
import type { CheckRequest, ReceiptCheck, ReceiptRequest } from '../loader/receipts.ts';
import type { Replay, ReplayRequest } from '../loader/replay/replay.ts';
import type { AppContext } from '../settings/app-context.ts';
import { loadOnce } from './load-once.ts';
import { tellBundle, traced } from './trace-facts.ts';

export interface ProjectOptions {
  /** The project. Default: the working directory. */
  dir?: string | undefined;
}

/** Bundles of a project's files, policies and receipts. */
export interface Loader {
  /** Builds a bundle of a project's files for a task, under the policy's budget. */
  load(request?: LoadRequest): Promise<Bundle>;

  /** Builds a bundle and writes it to a file, never over one that went into it. */
  save(request: LoadRequest, out: { path: string; as: Rendering }): Promise<Bundle>;

  /** The same bundle as JSON, Markdown or XML. */
  render(bundle: Bundle, as: Rendering): Promise<string>;

  /** Why a path is in a bundle, or why it is not. */
  explain(path: string, request?: LoadRequest): Promise<Explanation>;

  /** Reads a bundle that was saved as JSON. */
  readBundle(path: string): Promise<Bundle>;

  /** What changed from one bundle to another. */
  diff(before: Bundle, after: Bundle): Promise<BundleDiff>;

  /** Builds a bundle again with its own arguments and says whether it would differ. */
  drift(bundle: Bundle, options?: DriftRequest): Promise<DriftAnswer>;

  /** How much of past changes the bundles would have contained, beside plain retrieval in the same room. */
  evaluate(request?: EvaluateRequest): Promise<Evaluation>;

  /** A policy with everything that it inherits. */
  showPolicy(name?: string, options?: ProjectOptions): Promise<PolicyAnswer>;

  /** The problems of a policy file, each with line and column. */
  checkPolicy(path?: string, options?: ProjectOptions): Promise<PolicyCheck>;

  /** Makes again what a session was served, of what git, the ledgers and the receipts hold, and compares. */
  replay(sessionId: string, request?: ReplayRequest): Promise<Replay>;

  /** The receipts of bundles that were loaded here; the newest first. */
  listReceipts(request?: ReceiptRequest): Promise<Receipt[]>;

  /** Whether what the newest receipt says still holds, and every reason why not. */
  checkReceipt(request: CheckRequest): Promise<ReceiptCheck>;
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
  adapter_file: true,
  adapter_max_items: true,
  adapter_stale_seconds: true,
  redact: true,
  for: true,
  now: true,
  receipt: true,
  onProgress: true,
};
const EVALUATE: KeysOf<EvaluateRequest> = {
  dir: true,
  commits: true,
  tasks: true,
  policies: true,
  max_files: true,
  max_chars_per_file: true,
  max_total_chars: true,
  max_tokens: true,
  onCase: true,
};
const DRIFT: KeysOf<DriftRequest> = { dir: true, slice: true };
const PROJECT: KeysOf<ProjectOptions> = { dir: true };
const OUT: KeysOf<{ path: string; as: Rendering }> = { path: true, as: true };
const REPLAY: KeysOf<ReplayRequest> = { workspace: true, dir: true };
const RECEIPTS: KeysOf<ReceiptRequest> = { dir: true, workspace: true, event: true };

export type LoaderUseCases = ReturnType<typeof loaderUseCases>;

export function loaderNamespace(app: AppContext, loader: () => Promise<LoaderUseCases>): Loader {
  const past = loadOnce(async () => (await import('../loader/evaluate-past.ts')).evaluateUseCases(app));
  const replays = loadOnce(async () => (await import('../loader/replay/replay.ts')).replayUseCases(app));
  const receipts = loadOnce(async () => (await import('../loader/receipts.ts')).receiptUseCases(app));
  return {
    load: async (request = {}) => {
      const given = knownKeys(request, LOAD, 'loader.load');
      return traced({ name: 'retrieval', facts: () => ({ 'gen_ai.operation.name': 'retrieval' }) }, async (span) => {
        const bundle = await (await loader()).loadContext(given);
        if (span.isOn) tellBundle(span, bundle, app.variables);
        return bundle;
      });
    },
    async save(request, out) {
      knownKeys(out, OUT, 'loader.save');
      return (await loader()).saveBundle(knownKeys(request, LOAD, 'loader.save'), out);
    },
    render: async (bundle, as) => (await loader()).renderBundle(bundle, as),
    explain: async (path, request = {}) =>
      (await loader()).explainPath(path, knownKeys(request, LOAD, 'loader.explain')),
    readBundle: async (path) => (await loader()).readBundle(path),
    diff: async (before, after) => (await loader()).diffBundles(before, after),
    drift: async (bundle, options = {}) => (await loader()).driftOf(bundle, knownKeys(options, DRIFT, 'loader.drift')),
    evaluate: async (request = {}) => (await past()).evaluate(knownKeys(request, EVALUATE, 'loader.evaluate')),
    showPolicy: async (name, options = {}) =>
      (await loader()).showPolicy(name, knownKeys(options, PROJECT, 'loader.showPolicy')),
    checkPolicy: async (path, options = {}) =>
      (await loader()).checkPolicy(path, knownKeys(options, PROJECT, 'loader.checkPolicy')),
    replay: async (sessionId, request = {}) =>
      (await replays()).replay(sessionId, knownKeys(request, REPLAY, 'loader.replay')),
    listReceipts: async (request = {}) =>
      (await receipts()).listReceipts(knownKeys(request, RECEIPTS, 'loader.listReceipts')),
    async checkReceipt(request) {
      const keys: KeysOf<CheckRequest> = { ...RECEIPTS, maxAgeMs: true, except: true };
      return (await receipts()).checkReceipt(knownKeys(request, keys, 'loader.checkReceipt'));
    },
  };
}
