import { invalidInput } from '../errors.ts';
import type { Project } from '../project/io/open-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import { VERSION } from '../version.ts';
import { type KnownAdapter, needsWord, trustStore } from './adapter-trust.ts';
import type { LoadArguments } from './bundle/bundle.ts';
import { OWN_POLICY } from './choose-policy.ts';
import { type Payload, parsePayloadBytes } from './io/adapter-payload.ts';
import type { AdapterConfig } from './policy/adapter-definitions.ts';
import type { Policy } from './policy/policy.ts';
import { ADAPTERS_FILE, readHomeAdapters } from './policy-files.ts';
import type { AdapterReading, CleanReading } from './slices/adapter-slice.ts';
import { type Clean, cleanPayload, cleanValue } from './slices/clean-payload.ts';

const FILE_ADAPTER = 'beads';

// The person's own first: a repository can't take the place of one by its name.
export async function knownAdapters(policy: Policy, app: AppContext): Promise<KnownAdapter[]> {
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
    names === ''
      ? `Add one to ${OWN_POLICY} or to ${ADAPTERS_FILE} in the home; see docs/loader.md`
      : `Known: ${names}`,
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
