import { relative, resolve, sep } from 'node:path';
import { BearingsError, invalidInput, notFound } from '../errors.ts';
import { readBundleText, writeBundleText } from '../io/bundle-file.ts';
import { isInside } from '../io/path-scope.ts';
import { readPolicyFile } from '../io/policy-file.ts';
import { openProject, type Project, projectFolder } from '../io/project.ts';
import { sha256 } from '../io/sha256.ts';
import { TOKENIZER, tokenCounter } from '../io/tokens.ts';
import { writeYaml } from '../io/yaml-tree.ts';
import { argumentsOf, normaliseArguments } from '../loader/arguments.ts';
import { type BuiltBundle, type Bundle, limitsAsked } from '../loader/bundle.ts';
import { canonicalJson } from '../loader/canonical-json.ts';
import { type BundleDiff, diffBundles } from '../loader/diff.ts';
import { type Explanation, explainPath } from '../loader/explain.ts';
import { BUILT_IN } from '../loader/extend-policy.ts';
import { whyNotPath } from '../loader/pattern.ts';
import type { Policy } from '../loader/policy.ts';
import { renderMarkdown } from '../loader/render-markdown.ts';
import { renderXml } from '../loader/render-xml.ts';
import { keepOnOneLine } from '../loader/sanitise.ts';
import { parseTime } from '../loader/time.ts';
import { parseRecord } from '../memory/records.ts';
import type { Doors } from './house.ts';
import { knownAdapters, readAdapters, unknownAdapter } from './loader-adapters.ts';
import type {
  AllowedAnswer,
  DriftAnswer,
  LoadRequest,
  PolicyAnswer,
  PolicyCheck,
  Rendering,
  TrustAnswer,
} from './loader-answers.ts';
import { choosePolicy, OWN_POLICY, tacticalMemory } from './loader-inputs.ts';
import { buildLookedAt, cleaner, cleanMemory } from './loader-safety.ts';
import { needsWord, trustQuestion, trustStore } from './trust.ts';

interface Loaded extends BuiltBundle {
  project: Project;
  policy: Policy;
  /** Real paths of everything that went in. */
  opened: ReadonlySet<string>;
}

// The loader itself. It is loaded by the first call that needs it.
export function openLoader(doors: Doors) {
  const load = async (request: LoadRequest): Promise<Loaded> => {
    const { dir, ...options } = request;
    const given = normaliseArguments({ ...options, policy: policyName(options.policy ?? null, dir) });
    let policy: Policy | null = null;
    const project = openProject(folderOf(dir), () => policy?.exclude ?? []);
    const chosen = await choosePolicy(project, given.policy);
    policy = chosen.policy;
    const limits = limitsAsked(given, policy.budget);
    const adapters = await readAdapters(policy, given, { project, doors, clean: cleaner() });
    const memory = given.tactical ? await tacticalMemory(doors, given, project) : null;
    const tactical = memory && (await cleanMemory(memory.memory, cleaner()));
    const built = await buildLookedAt({
      arguments: given,
      policy,
      policySource: chosen.source,
      source: project,
      tactical: tactical?.memory ?? null,
      adapters,
      now: given.now === null ? null : parseTime(given.now),
      warnings: [...(memory?.warnings ?? []), ...(tactical?.warnings ?? [])],
      sanitise: keepOnOneLine,
      sha256,
      tokenizer: limits.max_tokens === null ? null : { name: TOKENIZER, count: await tokenCounter() },
    });
    return { ...built, project, policy, opened: new Set([...project.opened(), ...(memory?.opened ?? [])]) };
  };

  const folderOf = (dir: string | undefined): string => {
    const folder = projectFolder(resolve(doors.cwd, dir ?? '.'));
    if (folder === null) throw notFound('The project folder is not there.', 'Name a folder: bearings load DIR');
    return folder;
  };

  // A file is named from where the person stands, and kept relative to the project.
  const policyName = (written: string | null, dir: string | undefined): string | null => {
    if (written === null || Object.hasOwn(BUILT_IN, written)) return written;
    const project = folderOf(dir);
    const here = [resolve(project, written), resolve(doors.cwd, written)].find((path) => isInside(project, path));
    const path = here && relative(project, here).split(sep).join('/');
    if (!path || whyNotPath(path)) {
      throw invalidInput(
        'A policy is repo, cortex or a YAML file inside the project.',
        'For example: --policy .bearings/policy.yaml',
      );
    }
    return path;
  };

  return {
    async loadContext(request: LoadRequest = {}): Promise<Bundle> {
      return (await load(request)).bundle;
    },

    // Builds, renders and writes in one go, because only the build knows which files it must not write over.
    async saveBundle(request: LoadRequest, out: { path: string; as: Rendering }): Promise<Bundle> {
      const { bundle, opened } = await load(request);
      writeBundleText(out.path, renderBundle(bundle, out.as), { cwd: doors.cwd, opened });
      return bundle;
    },

    // The same bundle in another dress.
    renderBundle,

    async explainPath(path: string, request: LoadRequest = {}): Promise<Explanation> {
      const loaded = await load(request);
      const { project } = loaded;
      const whole = resolve(doors.cwd, path);
      const asFile = isInside(project.root, whole) ? relative(project.root, whole).split(sep).join('/') : path;
      const known = [path, asFile].find((name) => isNamed(loaded, name)) ?? asFile;
      return explainPath(known, { ...loaded, source: project, exists: project.exists });
    },

    async readBundle(path: string): Promise<Bundle> {
      return parseBundle(readBundleText(resolve(doors.cwd, path), path));
    },

    diffBundles: (before: Bundle, after: Bundle): BundleDiff => diffBundles(before, after, sha256),

    async driftOf(bundle: Bundle, request: { dir?: string | undefined } = {}): Promise<DriftAnswer> {
      const { bundle: now } = await load({ ...argumentsOf(bundle), dir: request.dir });
      const drifted = canonicalJson(bundle) !== canonicalJson(now);
      return { drifted, now, diff: diffBundles(bundle, now, sha256) };
    },

    async showPolicy(name?: string, request: { dir?: string | undefined } = {}): Promise<PolicyAnswer> {
      const project = openProject(folderOf(request.dir), () => []);
      const { policy, source } = await choosePolicy(project, policyName(name ?? null, request.dir));
      return { name: policy.name, source, policy, yaml: await writeYaml({ version: 1, ...policy }) };
    },

    // What a person would have to allow before it runs; with a name, also what is allowed already.
    async trustQuestions(name?: string, request: { dir?: string | undefined; policy?: string | undefined } = {}) {
      const project = openProject(folderOf(request.dir), () => []);
      const { policy } = await choosePolicy(project, policyName(request.policy ?? null, request.dir));
      const known = await knownAdapters(policy, doors);
      const named = known.filter(({ config }) => name === undefined || config.name === name);
      if (name !== undefined && named.length === 0) unknownAdapter(name, known);
      const trust = trustStore(doors);
      return named.flatMap((adapter): TrustAnswer[] => {
        const question = needsWord(adapter, project.root);
        if (question === null) return [];
        return [{ ...question, shownProject: doors.forPerson(project.root), allowed: trust.isAllowed(question) }];
      });
    },

    // Only after a person has seen the question. It holds for exactly what was shown.
    async allowAdapter(question: TrustAnswer): Promise<void> {
      const now = trustQuestion(question.adapter, question.project);
      if (now.sha256 !== question.sha256)
        throw new BearingsError('stale', 'What it would run has changed since it was shown.', {
          hint: 'Nothing was allowed. Look again: bearings policy allow',
        });
      trustStore(doors).allow(question);
    },

    async allowedAdapters(): Promise<AllowedAnswer[]> {
      return trustStore(doors)
        .list()
        .map((entry) => ({ ...entry, project: doors.forPerson(entry.project) }));
    },

    async revokeAdapters(name?: string, request: { dir?: string | undefined } = {}): Promise<number> {
      return trustStore(doors).revoke(folderOf(request.dir), name);
    },

    async checkPolicy(path?: string, request: { dir?: string | undefined } = {}): Promise<PolicyCheck> {
      const project = openProject(folderOf(request.dir), () => []);
      const file = policyName(path ?? OWN_POLICY, request.dir) ?? OWN_POLICY;
      if (Object.hasOwn(BUILT_IN, file)) return { file, problems: [] };
      const read = await readPolicyFile(project, file);
      if (read === null) throw notFound(`${file} is not there.`, 'See one that works: bearings policy show repo');
      return { file, problems: read.problems };
    },
  };
}

function isNamed({ bundle, dropped, passedOver }: Loaded, name: string): boolean {
  return (
    bundle.files.some(({ path }) => path === name) || dropped.some(({ path }) => path === name) || passedOver.has(name)
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
