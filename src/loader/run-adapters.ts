import { BearingsError, invalidInput, orNull } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { homeWord, openDomains } from '../gate/domains/domains.ts';
import { assertSound, readHome } from '../gate/io/read-standing.ts';
import { type Proof, signerFor } from '../gate/keys/confirm-level.ts';
import type { Signer } from '../gate/ledger/ledger.ts';
import { canonicalJson, canonicalLine } from '../json.ts';
import { openProject, type Project } from '../project/io/open-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import { VERSION } from '../version.ts';
import type { LoadArguments } from './bundle/bundle.ts';
import { choosePolicy, folderOf, OWN_POLICY, policyName } from './choose-policy.ts';
import { type Payload, parsePayloadBytes } from './io/adapter-command.ts';
import { type NamedFile, namedFiles } from './io/named-files.ts';
import type { AdapterConfig, RunningAdapter } from './policy/adapter-definitions.ts';
import type { Policy } from './policy/policy.ts';
import type { AdapterReading, CleanReading } from './slices/adapter-slice.ts';
import { type Clean, cleanPayload, cleanValue } from './slices/clean-payload.ts';

const FILE_ADAPTER = 'beads';

// The person's own first: a repository can't take the place of one by its name.
export async function knownAdapters(policy: Policy, app: AppContext): Promise<KnownAdapter[]> {
  const { ADAPTERS_FILE, readHomeAdapters } = await import('./policy-files.ts');
  const home = await readHomeAdapters(app.home);
  const [first] = home.problems;
  if (first)
    throw invalidInput(
      `${ADAPTERS_FILE}:${first.line}:${first.column}: ${first.message}.`,
      'Fix the file in the home, then run: bearings config check',
    );
  const own = home.adapters.map((config): KnownAdapter => ({ config, origin: 'home' }));
  const others = policy.adapters.filter(({ name }) => !own.some(({ config }) => config.name === name));
  return [...own, ...others.map((config): KnownAdapter => ({ config, origin: 'project' }))];
}

// All that were asked for, side by side.
export async function readAdapters(
  policy: Policy,
  given: LoadArguments,
  { project, app, clean }: { project: Project; app: AppContext; clean: Clean },
): Promise<CleanReading[]> {
  const known = await knownAdapters(policy, app);
  const named = given.adapters.map(
    (name) => known.find(({ config }) => config.name === name) ?? unknownAdapter(name, known),
  );
  const asked = [...fileAdapter(given), ...named];
  const reading = Promise.all(asked.map((adapter) => readOne(adapter, project, app)));
  // The scanner's rules load while the programs run.
  await cleanValue('ready', '', clean);
  const read = await reading;
  const cleaned: CleanReading[] = [];
  // One after the other: looking at words is work, not waiting.
  for (const reading of read) {
    const { config } = reading;
    // Only now: the person's word for a program is bound to its definition as it was written.
    cleaned.push(await cleanReading({ ...reading, config: asAsked(config, given) }, clean));
  }
  return cleaned;
}

// A file that the caller names needs no definition. Its shape, its name and its day of freshness are those of the loader
// that the policy `cortex` follows.
function fileAdapter({ adapter_file: path, adapters }: LoadArguments): KnownAdapter[] {
  if (path === undefined) return [];
  if (adapters.includes(FILE_ADAPTER))
    throw invalidInput(
      `Two adapters would have the name "${FILE_ADAPTER}".`,
      'Ask for the one of the policy, or for the file.',
    );
  return [{ config: { name: FILE_ADAPTER, kind: 'file', path, stale_after_hours: 24 }, origin: 'project' }];
}

function asAsked(config: AdapterConfig, given: LoadArguments): AdapterConfig {
  const { adapter_max_items: items, adapter_stale_seconds: seconds } = given;
  return {
    ...config,
    ...(items === undefined ? {} : { max_items: items }),
    ...(seconds === undefined ? {} : { stale_after_hours: seconds / 3600 }),
  };
}

export function unknownAdapter(name: string, known: KnownAdapter[]): never {
  const names = known.map(({ config }) => config.name).join(', ');
  throw invalidInput(
    `There is no adapter "${name.slice(0, 60)}" here.`,
    names === '' ? `Add one to ${OWN_POLICY} or to adapters.yaml in the home; see docs/loader.md` : `Known: ${names}`,
  );
}

async function readOne(known: KnownAdapter, project: Project, app: AppContext): Promise<AdapterReading> {
  const { config } = known;
  const question = needsWord(known, project.root);
  const trust = trustStore(app);
  if (question && !trust.isAllowed(question)) {
    const why = trust.isAnyAllowed()
      ? `you have not allowed it; in a terminal: bearings policy allow ${config.name}`
      : 'the record of your decisions does not add up; in a terminal: bearings review';
    return { config, status: 'disabled', reason: `it would run a program and ${why}` };
  }
  const payload = await payloadOf(config, project, app);
  return payload.status === 'ok'
    ? { config, status: 'loaded', payload: payload.value }
    : { config, status: 'degraded', reason: payload.reason };
}

// Each kind that runs a program is loaded by the first adapter of that kind: most bundles have none.
async function payloadOf(config: AdapterConfig, project: Project, app: AppContext): Promise<Payload> {
  const place = { root: project.root, variables: app.variables, version: VERSION };
  if (config.kind === 'command') return (await import('./io/adapter-command.ts')).commandPayload(config, place);
  if (config.kind === 'mcp') return (await import('./io/adapter-mcp.ts')).mcpPayload(config, place);
  const { path } = config;
  const bad = (reason: string): Payload => ({ status: 'bad', reason: `${path} ${reason}` });
  const file = project.readBytes(path);
  if (file.status === 'missing') return bad('is not there');
  if (file.status === 'unreadable') return bad(`can't be read: ${file.reason}`);
  const payload = parsePayloadBytes(file.value);
  return payload.status === 'ok' ? payload : bad(`can't be used: ${payload.reason}`);
}

async function cleanReading(reading: AdapterReading, clean: Clean): Promise<CleanReading> {
  if (reading.status !== 'loaded') return reading;
  const { config } = reading;
  const payload = await cleanPayload(reading.payload, config, clean);
  return payload === null
    ? { config, status: 'degraded', reason: 'its JSON holds no list of items' }
    : { config, status: 'loaded', payload };
}

/** What would run, as the person is shown it. */
export interface TrustAnswer extends TrustQuestion {
  /** The project with the person's own folder as `~`. */
  shownProject: string;
  allowed: boolean;
}

type Where = { dir?: string | undefined; policy?: string | undefined };

export function adapterUseCases(app: AppContext) {
  const trust = trustStore(app);
  return {
    // What runs only with a person's word, and whether that word was given.
    async trustQuestions(name?: string, { dir, policy: asked }: Where = {}): Promise<TrustAnswer[]> {
      const project = openProject(folderOf(app, dir));
      const { policy } = await choosePolicy(project, policyName(app, asked ?? null, dir));
      const known = await knownAdapters(policy, app);
      const named = known.filter(({ config }) => name === undefined || config.name === name);
      if (name !== undefined && named.length === 0) unknownAdapter(name, known);
      return named.flatMap((adapter): TrustAnswer[] => {
        const question = needsWord(adapter, project.root);
        if (question === null) return [];
        return [{ ...question, shownProject: app.forPerson(project.root), allowed: trust.isAllowed(question) }];
      });
    },

    // Only after a person has seen the question. It holds for exactly what was shown.
    async allowAdapter(question: TrustAnswer, proof: Proof = {}): Promise<void> {
      const now = trustQuestion(question.adapter, question.project);
      if (now.sha256 !== question.sha256)
        throw new BearingsError('stale', 'What it would run has changed since it was shown.', {
          hint: 'Nothing was allowed. Look again: bearings policy allow',
        });
      // The same key as for every other word of the person; where it is locked, only they open it.
      const settings = await app.settings();
      await trust.allow(question, signerFor(settings, proof));
    },

    async allowedAdapters(): Promise<Allowed[]> {
      return trust.list().map((entry) => ({ ...entry, project: app.forPerson(entry.project) }));
    },

    // Returns how many words were taken back.
    async revokeAdapters(name?: string, { dir, ...proof }: Where & Proof = {}): Promise<number> {
      const settings = await app.settings();
      return trust.revoke(folderOf(app, dir), name, () => signerFor(settings, proof));
    },
  };
}

/** An adapter with where its definition comes from. */
export interface KnownAdapter {
  config: AdapterConfig;
  origin: 'home' | 'project';
}

/** Exactly what would run, and what the person's word would be bound to. */
export interface TrustQuestion {
  adapter: RunningAdapter;
  project: string;
  files: NamedFile[];
  sha256: string;
}

// The definition, the project and what of it the command line names: a change in any of them is another question.
export function trustQuestion(adapter: RunningAdapter, project: string): TrustQuestion {
  const files = namedFiles(adapter.command, project);
  return { adapter, project, files, sha256: sha256(canonicalJson({ project, adapter, files })) };
}

// Also the home's own: `npm run status` is the person's line, and what it runs is the repository's. Only where the person
// says that it runs nothing of a project, and its line names nothing of this one, no project is asked about.
export function needsWord(known: KnownAdapter, project: string): TrustQuestion | null {
  if (known.config.kind === 'file') return null;
  const question = trustQuestion(known.config, project);
  const isVouchedFor = known.origin === 'home' && known.config.anywhere === true && question.files.length === 0;
  return isVouchedFor ? null : question;
}

/** The person's word that one program of one project may run, as it was when they saw it. */
export interface Allowed {
  project: string;
  adapter: string;
  command: string[];
  sha256: string;
  at: string;
}

// In the home's chain: a word counts by its own signature, and until it is taken back by another.
export function trustStore(app: AppContext) {
  const list = (): Allowed[] => {
    const allowed = new Map<string, Allowed>();
    for (const { entry, said: word } of readHome(app.home).permits) {
      const { decision, subject, at } = entry;
      if (decision === 'revoke') for (const [key, { sha256 }] of allowed) if (sha256 === subject) allowed.delete(key);
      const said = decision === 'allow' ? described(word.blocks[0]?.text ?? undefined) : null;
      if (said && subject) allowed.set(`${said.project} ${said.adapter}`, { ...said, sha256: subject, at });
    }
    return [...allowed.values()];
  };
  const word = async (said: Parameters<typeof homeWord>[3]) =>
    homeWord(app, openDomains(app), await app.settings(), said);
  return {
    list,
    isAllowed: (question: TrustQuestion): boolean =>
      list().some(({ project, sha256 }) => project === question.project && sha256 === question.sha256),

    /** While the record does not add up nothing is, whatever was said. */
    isAnyAllowed: (): boolean => readHome(app.home).decided.faults.length === 0,

    // The caller has shown the question to a person and heard a yes.
    async allow({ adapter, project, sha256: subject }: TrustQuestion, signer: Signer): Promise<void> {
      assertSound(readHome(app.home));
      const text = canonicalLine({ project, adapter: adapter.name, command: adapter.command });
      await word({ signer, decision: 'allow', subject, blocks: [{ text }] });
    },

    // Returns how many there were.
    async revoke(project: string, adapter: string | undefined, signer: () => Signer): Promise<number> {
      const gone = list().filter((known) => known.project === project && (adapter ?? known.adapter) === known.adapter);
      for (const { sha256: subject } of gone) await word({ signer: signer(), decision: 'revoke', subject });
      return gone.length;
    },
  };
}

function described(text: string | undefined): Pick<Allowed, 'project' | 'adapter' | 'command'> | null {
  return orNull(() => {
    const { project, adapter, command } = JSON.parse(text ?? '');
    return { project: String(project), adapter: String(adapter), command: [command].flat().map(String) };
  });
}
