import { type ArgumentsOf, checkedMethods, type KeysOf, type SomeKeysOf } from '../known-keys.ts';
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
import type { EvaluateRequest, Evaluation, evaluateUseCases } from '../loader/evaluate-past.ts';
import type { loaderUseCases } from '../loader/load.ts';
import type { CheckRequest, ReceiptCheck, ReceiptRequest, receiptUseCases } from '../loader/receipts.ts';
import type { Replay, ReplayRequest, replayUseCases } from '../loader/replay/replay.ts';

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
  'dir?': 'text',
  'task?': 'text',
  'policy?': 'text|null',
  'max_files?': 'number|null',
  'max_chars_per_file?': 'number|null',
  'max_total_chars?': 'number|null',
  'max_tokens?': 'number|null',
  'fallback?': 'text',
  'tactical?': 'flag',
  'workspace?': 'text|null',
  'adapters?': 'texts',
  'adapter_file?': 'text|null',
  'adapter_max_items?': 'number|null',
  'adapter_stale_seconds?': 'number|null',
  'redact?': 'flag',
  'for?': 'text',
  'now?': 'text|null',
  'receipt?': 'text',
  'onProgress?': 'function',
};
const EVALUATE: KeysOf<EvaluateRequest> = {
  'dir?': 'text',
  'commits?': 'count',
  'tasks?': 'text|objects',
  'policies?': 'texts',
  'max_files?': 'count|null',
  'max_chars_per_file?': 'count|null',
  'max_total_chars?': 'count',
  'max_tokens?': 'count',
  'onCase?': 'function',
};
const RENDERINGS: readonly Rendering[] = ['json', 'markdown', 'xml'];
const DRIFT: KeysOf<DriftRequest> = { 'dir?': 'text', 'slice?': 'text' };
const PROJECT: KeysOf<ProjectOptions> = { 'dir?': 'text' };
const OUT: KeysOf<{ path: string; as: Rendering }> = { path: 'text', as: RENDERINGS };
const REPLAY: KeysOf<ReplayRequest> = { 'workspace?': 'text', 'dir?': 'text' };
const RECEIPTS: KeysOf<ReceiptRequest> = { 'dir?': 'text', 'workspace?': 'text', 'event?': 'text' };
const CHECK: KeysOf<CheckRequest> = { ...RECEIPTS, maxAgeMs: 'count', 'except?': 'texts' };
// Whatever else a saved bundle lacks or has, it is compared.
const SAVED: SomeKeysOf<Bundle> = { arguments: 'object', '...': 'object' };
const BUNDLE: SomeKeysOf<Bundle> = {
  policy: 'object',
  control_plane: 'object',
  files: 'objects',
  dropped: 'objects',
  adapters: 'objects',
  warnings: 'texts',
  '...': 'object',
};
const ARGUMENTS: ArgumentsOf<Loader> = {
  load: { 'request?': LOAD },
  save: { request: LOAD, out: OUT },
  render: { bundle: BUNDLE, as: RENDERINGS },
  explain: { path: 'text', 'request?': LOAD },
  readBundle: { path: 'text' },
  diff: { before: SAVED, after: SAVED },
  drift: { bundle: SAVED, 'options?': DRIFT },
  evaluate: { 'request?': EVALUATE },
  showPolicy: { 'name?': 'text', 'options?': PROJECT },
  checkPolicy: { 'path?': 'text', 'options?': PROJECT },
  replay: { sessionId: 'text', 'request?': REPLAY },
  listReceipts: { 'request?': RECEIPTS },
  checkReceipt: { request: CHECK },
};

interface Loads {
  loader(): Promise<ReturnType<typeof loaderUseCases>>;
  evaluation(): Promise<ReturnType<typeof evaluateUseCases>>;
  replays(): Promise<ReturnType<typeof replayUseCases>>;
  receipts(): Promise<ReturnType<typeof receiptUseCases>>;
}

export function loaderNamespace({ loader, evaluation: past, replays, receipts }: Loads): Loader {
  return checkedMethods('loader', ARGUMENTS, {
    load: async (request = {}) => (await loader()).loadContext(request),
    save: async (request, out) => (await loader()).saveBundle(request, out),
    render: async (bundle, as) => (await loader()).renderBundle(bundle, as),
    explain: async (path, request = {}) => (await loader()).explainPath(path, request),
    readBundle: async (path) => (await loader()).readBundle(path),
    diff: async (before, after) => (await loader()).diffBundles(before, after),
    drift: async (bundle, options = {}) => (await loader()).driftOf(bundle, options),
    evaluate: async (request = {}) => (await past()).evaluate(request),
    showPolicy: async (name, options = {}) => (await loader()).showPolicy(name, options),
    checkPolicy: async (path, options = {}) => (await loader()).checkPolicy(path, options),
    replay: async (sessionId, request = {}) => (await replays()).replay(sessionId, request),
    listReceipts: async (request = {}) => (await receipts()).listReceipts(request),
    checkReceipt: async (request) => (await receipts()).checkReceipt(request),
  });
}
