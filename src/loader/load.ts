import type { Span } from '@opentelemetry/api';
import { invalidInput, notFound } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { isInside, relative, resolve, sep } from '../files/paths.ts';
import { canonicalJson, parseRecord } from '../json.ts';
import { cutWarnings } from '../matching/query.ts';
import { type Corpus, openProject, type Project } from '../project/io/open-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import { traced } from '../settings/io/tracing.ts';
import { writeYaml } from '../settings/io/yaml-tree.ts';
import type { TreeProblem } from '../settings/tree-reader.ts';
import { TOKENIZER, tokenCounter } from '../tokens.ts';
import { VERSION } from '../version.ts';
import { argumentsOf, type LoadOptions, normaliseArguments } from './bundle/arguments.ts';
import { type BuiltBundle, type Bundle, type BundleInput, type LoadArguments, limitsAsked } from './bundle/bundle.ts';
import { type BundleDiff, diffBundles, sliceDiff } from './bundle/diff.ts';
import { type Explanation, explainPath, isCalled } from './bundle/explain.ts';
import { SLICES, type Slice } from './bundle/partitions.ts';
import { renderMarkdown } from './bundle/render-markdown.ts';
import { renderXml } from './bundle/render-xml.ts';
import { parseTime } from './bundle/time.ts';
import { adapterFile, choosePolicy, folderOf, OWN_POLICY, ownPatterns, policyName } from './choose-policy.ts';
import { readBundleText, writeBundleText } from './io/bundle-file.ts';
import { buildScanned, clean, cleanMemory, scannedTexts } from './io/clean-texts.ts';
import { applyProfile, BUILT_IN, profileNamed, withProfile } from './policy/extend-policy.ts';
import type { Policy } from './policy/policy.ts';
import type { CleanReading } from './slices/adapter-slice.ts';

// The setting that all GenAI instrumentations share: without it no text of anybody leaves with a span.
const WITH_TEXTS = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
// Another number for every change of the rules: what was scanned before is scanned again.
const SCAN_RULES = 3;

export interface LoadRequest extends LoadOptions {
  /** The project. Default: the working directory. */
  dir?: string | undefined;
  /** Keep a receipt of the bundle in the workspace: `new_session`, `window_rollover`, `pre_mutation`, `pre_closeout`. */
  receipt?: string | undefined;
  /** Told while files are read for the first time. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export type Rendering = 'json' | 'markdown' | 'xml';

export interface DriftAnswer {
  drifted: boolean;
  /** The bundle as it would be now. */
  now: Bundle;
  diff: BundleDiff;
}

interface Loaded extends BuiltBundle {
  project: Project;
  policy: Policy;
  /** Real paths of everything that went in. */
  opened: ReadonlySet<string>;
}

// Builds bundles, each with what the build knows beyond it.
export function bundleLoader(app: AppContext): (request: LoadRequest) => Promise<Loaded> {
  // Loaded only for who asks: it brings processes, trust and the home's own file.
  const askedAdapters = async (policy: Policy, given: LoadArguments, project: Project): Promise<CleanReading[]> => {
    if (given.adapters.length === 0 && given.adapter_file === undefined) return [];
    return (await import('./run-adapters.ts')).readAdapters(policy, given, { project, app, clean });
  };

  return async (request) => {
    const { dir, receipt: _, onProgress, ...options } = request;
    const given = normaliseArguments({
      ...options,
      policy: policyName(app, options.policy ?? null, dir),
      adapter_file: adapterFile(app, options.adapter_file ?? null, dir),
    });
    const root = folderOf(app, dir);
    const corpus: Corpus = { own: await ownPatterns(app, root), exclude: [], heedIgnored: false };
    const project = openProject(root, corpus);
    const chosen = await choosePolicy(project, given.policy);
    const profile = given.for === undefined ? null : profileNamed(chosen.policy, given.for);
    const wanted = withProfile(given, profile);
    const policy = applyProfile(chosen.policy, profile);
    // What git ignores a policy of the project can't bring in; the original of `cortex` reads what is there.
    Object.assign(corpus, { exclude: policy.exclude, heedIgnored: chosen.source !== 'built-in' });
    const adapters = [...restingAdapters(policy, wanted), ...(await askedAdapters(policy, wanted, project))];
    const placeOf = ({ name }: { name: string }) => policy.adapters.findIndex((known) => known.name === name);
    adapters.sort((a, b) => placeOf(a.config) - placeOf(b.config));
    const memory = wanted.tactical
      ? await (await import('./tactical-memory.ts')).tacticalMemory(app, given, project)
      : null;
    const tactical = memory && (await cleanMemory(memory.memory, clean));
    const limits = limitsAsked(given, policy.budget);
    const matching =
      policy.match === null || given.task === ''
        ? { matched: null, warnings: [] }
        : await (await import('./match-task.ts')).matchTask({ task: given.task, policy, project, app, onProgress });
    const input: BundleInput = {
      arguments: given,
      policy,
      policySource: chosen.source,
      source: project,
      matched: matching.matched,
      tactical: tactical?.memory ?? null,
      adapters,
      now: given.now === null ? null : parseTime(given.now),
      warnings: [
        ...cutWarnings(given.task),
        ...(memory?.warnings ?? []),
        ...(tactical?.warnings ?? []),
        ...matching.warnings,
      ],
      sha256,
      tokenizer: limits.max_tokens === null ? null : { name: TOKENIZER, count: await tokenCounter() },
    };
    const built = await buildScanned(input, scannedTexts(app.home, `${VERSION} ${SCAN_RULES}`));
    return { ...built, project, policy, opened: new Set([...project.opened(), ...(memory?.opened ?? [])]) };
  };
}

// What the loader does for the faces.
export function loaderUseCases(app: AppContext) {
  const load = bundleLoader(app);

  // Null: no receipt is asked for. Where one has no place, that is said before anything is built.
  const receiptFor = async ({ receipt, dir, workspace }: LoadRequest) => {
    if (receipt === undefined) return null;
    const { receiptWriter } = await import('./receipts.ts');
    await (await import('../files/lock.ts')).assertWritable();
    return receiptWriter(app, receipt, folderOf(app, dir), workspace ?? undefined);
  };

  return {
    async loadContext(request: LoadRequest = {}): Promise<Bundle> {
      const facts = () => ({ 'gen_ai.operation.name': 'retrieval' });
      return traced({ name: 'retrieval', facts }, async (span) => {
        const receipt = await receiptFor(request);
        const loaded = await load(request);
        await receipt?.(loaded);
        if (span) tellBundle(span, loaded.bundle, app.variables[WITH_TEXTS] === 'true');
        return loaded.bundle;
      });
    },

    // Builds, renders and writes in one go, because only the build knows which files it must not write over.
    async saveBundle(request: LoadRequest, out: { path: string; as: Rendering }): Promise<Bundle> {
      const receipt = await receiptFor(request);
      const loaded = await load(request);
      const { bundle, opened, project } = loaded;
      writeBundleText(out.path, renderBundle(bundle, out.as), { cwd: app.cwd, opened, project: project.root });
      await receipt?.(loaded);
      return bundle;
    },

    // The same bundle in another form.
    renderBundle: async (bundle: Bundle, as: Rendering): Promise<string> => renderBundle(bundle, as),

    async explainPath(path: string, request: LoadRequest = {}): Promise<Explanation> {
      const loaded = await load(request);
      const { project } = loaded;
      const whole = resolve(app.cwd, path);
      const asFile = isInside(project.root, whole) ? relative(project.root, whole).split(sep).join('/') : path;
      const known = [path, asFile].find((name) => isNamed(loaded, name)) ?? asFile;
      const input = { ...loaded, source: project, exists: project.exists };
      const explained = explainPath(known, input);
      return { ...explained, reasons: [...explained.reasons, ...cutWarnings(loaded.bundle.task)] };
    },

    async readBundle(path: string): Promise<Bundle> {
      return parseBundle(readBundleText(resolve(app.cwd, path), path));
    },

    diffBundles: async (before: Bundle, after: Bundle): Promise<BundleDiff> => diffBundles(before, after, sha256),

    /** With a slice only this one has to be the same: `control_plane` for what must be stable. */
    async driftOf(
      bundle: Bundle,
      request: { dir?: string | undefined; slice?: string | undefined } = {},
    ): Promise<DriftAnswer> {
      const { bundle: now } = await load({ ...argumentsOf(bundle), dir: request.dir });
      const diff = diffBundles(bundle, now, sha256);
      if (request.slice === undefined) return { drifted: canonicalJson(bundle) !== canonicalJson(now), now, diff };
      const ofSlice = sliceDiff({ before: bundle, after: now, slice: assertSlice(request.slice) }, diff);
      return { drifted: !ofSlice.same, now, diff: ofSlice };
    },

    async showPolicy(name?: string, request: { dir?: string | undefined } = {}) {
      const project = openProject(folderOf(app, request.dir));
      const { policy, source } = await choosePolicy(project, policyName(app, name ?? null, request.dir));
      return { name: policy.name, source, policy, yaml: await writeYaml({ version: 1, ...policy }) };
    },

    async checkPolicy(
      path?: string,
      request: { dir?: string | undefined } = {},
    ): Promise<{ file: string; problems: TreeProblem[] }> {
      const project = openProject(folderOf(app, request.dir));
      const file = policyName(app, path ?? OWN_POLICY, request.dir) ?? OWN_POLICY;
      if (Object.hasOwn(BUILT_IN, file)) return { file, problems: [] };
      const read = await (await import('./policy-files.ts')).readPolicyFile(project, file);
      if (read === null) throw notFound(`${file} is not there.`, 'See one that works: bearings policy show repo');
      return { file, problems: read.problems };
    },
  };
}

function assertSlice(name: string): Slice {
  const slice = SLICES.find((known) => known === name);
  if (!slice) throw invalidInput('There is no slice of that name.', `The slices are: ${SLICES.join(', ')}`);
  return slice;
}

function restingAdapters(policy: Policy, given: LoadArguments): CleanReading[] {
  return policy.adapters
    .filter(({ name }) => !given.adapters.includes(name))
    .map((config) => ({ config, status: 'disabled', reason: null }));
}

function isNamed({ bundle, dropped, ignored }: Loaded, name: string): boolean {
  return (
    bundle.files.some((file) => isCalled(file, name)) || dropped.some(({ path }) => path === name) || ignored.has(name)
  );
}

function renderBundle(bundle: Bundle, as: Rendering): string {
  if (as === 'markdown') return renderMarkdown(bundle);
  return as === 'xml' ? renderXml(bundle) : canonicalJson(bundle);
}

function parseBundle(text: string): Bundle {
  const value = parseRecord(text);
  argumentsOf(value);
  return value as unknown as Bundle;
}

// A bundle in figures, and each of its files by name, size and hash.
function tellBundle(span: Span, { policy, budget, files, ...bundle }: Bundle, withTexts: boolean): void {
  span.updateName(`retrieval ${policy.name}`);
  span.setAttributes({
    'gen_ai.data_source.id': policy.name,
    'bearings.task_key': bundle.task_key,
    'bearings.bundle.files': files.length,
    'bearings.bundle.chars': budget.used_chars,
    'bearings.bundle.sha256': bundle.bundle_sha256,
    ...(withTexts ? { 'gen_ai.retrieval.query.text': bundle.task } : {}),
  });
  for (const { path, source_class, chars, sha256: hash } of files)
    span.addEvent('bearings.file', { path, slice: source_class, chars, sha256: hash });
}
