import { whyNotPattern } from '../../project/pattern.ts';
import {
  type LocatedNode,
  list,
  oneOf,
  type Reader,
  readMap,
  refuse,
  type TreeProblem,
  text,
  wholeNumber,
  yesOrNo,
} from '../../settings/tree-reader.ts';
import {
  type AdapterConfig,
  type ControlEntry,
  DEFAULT_KEY,
  type Intent,
  type MatchRule,
  POLICY_VERSION,
  type Policy,
  type Profile,
  type Shares,
  TACTICAL_SOURCES,
} from './policy.ts';
import { adapterList, path, plainName, whyNotAdapters } from './read-adapter.ts';
import { budget, MAX_WRITTEN, sentence } from './read-budget.ts';
import { profile } from './read-profile.ts';

/** A policy file: what it says itself, before the policy it extends fills in the rest. */
export interface WrittenPolicy {
  extends: 'repo' | 'cortex' | null;
  name: string | null;
  about: string | null;
  control_plane: ControlEntry[] | null;
  intents: Intent[] | null;
  /** Null: switched off; undefined: nothing is said. */
  match: Partial<MatchRule> | null | undefined;
  exclude: string[] | null;
  tactical: Policy['tactical'] | null;
  adapters: AdapterConfig[] | null;
  budget: Partial<Policy['budget']>;
  partitions: Partial<Shares>;
  profiles: Profile[];
}

const pattern = text(whyNotPattern);
const room = { files: wholeNumber(0, MAX_WRITTEN), chars: wholeNumber(0, MAX_WRITTEN) };
const share: Reader<{ files: number; chars: number }> = (node, problems) =>
  wholeRoom(node, readMap(node, room, problems), problems);
const controlShare: Reader<Shares['control_plane']> = (node, problems) => {
  const found = readMap(node, { ...room, min_files: wholeNumber(1, MAX_WRITTEN) }, problems);
  const whole = wholeRoom(node, found, problems);
  return whole && found?.min_files !== undefined ? { ...whole, min_files: found.min_files } : whole;
};

function wholeRoom(
  node: LocatedNode,
  found: { files?: number; chars?: number } | undefined,
  problems: TreeProblem[],
): { files: number; chars: number } | undefined {
  if (!found) return undefined;
  if (found.files === undefined || found.chars === undefined) return refuse(node, 'needs files and chars', problems);
  return { files: found.files, chars: found.chars };
}

// What a policy file says, with the place of everything that is wrong in it.
export function readPolicy(tree: LocatedNode): { written: WrittenPolicy; problems: TreeProblem[] } {
  const problems: TreeProblem[] = [];
  const found = readMap(
    tree,
    {
      version: oneOfNumbers(POLICY_VERSION),
      name: plainName,
      about: sentence,
      extends: oneOf(['repo', 'cortex'] as const),
      control_plane: list(controlEntry, { max: 50 }),
      intents: list(intent, { max: 50 }),
      match: matchRule,
      exclude: list(pattern, { max: 200 }),
      tactical: list(oneOf(TACTICAL_SOURCES), { max: TACTICAL_SOURCES.length }),
      adapters: adapterList,
      budget,
      partitions: (node, inner) =>
        readMap(node, { of: wholeShare, control_plane: controlShare, tactical: share, adapter: share }, inner),
      profiles: list(profile, { max: 20 }),
    },
    problems,
  );
  const written: WrittenPolicy = {
    extends: found?.extends ?? null,
    name: found?.name ?? null,
    about: found?.about ?? null,
    control_plane: found?.control_plane ?? null,
    intents: found?.intents ?? null,
    match: found?.match,
    exclude: found?.exclude ?? null,
    tactical: found?.tactical ?? null,
    adapters: found?.adapters ?? null,
    budget: found?.budget ?? {},
    partitions: found?.partitions ?? {},
    profiles: found?.profiles ?? [],
  };
  if (problems.length === 0) checkWhole(tree, written, problems);
  return { written, problems };
}

// What only the file as a whole can get wrong.
function checkWhole(tree: LocatedNode, written: WrittenPolicy, problems: TreeProblem[]): void {
  const at = (key: string) =>
    (tree.kind === 'map' ? tree.entries.find((entry) => entry.key === key) : undefined) ?? tree;
  if (written.extends === null && written.control_plane === null)
    refuse(tree, 'needs control_plane, or `extends: repo` to take it from there', problems);
  const keys = (written.intents ?? []).map(({ key }) => key);
  if (new Set(keys).size < keys.length) refuse(at('intents'), 'the same key appears twice in intents', problems);
  if (written.extends === null && !keys.includes(DEFAULT_KEY))
    refuse(at('intents'), `intents needs one with the key ${DEFAULT_KEY}`, problems);
  for (const { key, words } of written.intents ?? []) {
    if (key === DEFAULT_KEY && words.length > 0) refuse(at('intents'), 'the default intent has no words', problems);
    if (key !== DEFAULT_KEY && words.length === 0) refuse(at('intents'), `the intent ${key} needs words`, problems);
  }
  const twice = whyNotAdapters(written.adapters ?? []);
  if (twice) refuse(at('adapters'), twice, problems);
  if (new Set(written.profiles.map(({ name }) => name)).size < written.profiles.length)
    refuse(at('profiles'), 'the same name appears twice in profiles', problems);
}

const MAX_HISTORY = 10_000;

const matchRule: Reader<Partial<MatchRule> | null> = (node, problems) => {
  if (isOff(node)) return null;
  if (node.kind !== 'map') return refuse(node, 'must be off, or say include and history', problems);
  return readMap(
    node,
    {
      include: list(pattern, { max: 200 }),
      history: (child, inner) => (isOff(child) ? null : wholeNumber(1, MAX_HISTORY)(child, inner)),
    },
    problems,
  );
};

function isOff(node: LocatedNode): boolean {
  return node.kind === 'scalar' && (node.value === 'off' || node.value === false || node.value === null);
}

const wholeShare: Reader<{ files: number; chars: number }> = (node, problems) => {
  const found = share(node, problems);
  return found && (found.files < 1 || found.chars < 1) ? refuse(node, 'needs files and chars from 1', problems) : found;
};

function oneOfNumbers(known: number): Reader<number> {
  return (node, problems) =>
    node.kind === 'scalar' && node.value === known ? known : refuse(node, `must be ${known}`, problems);
}

function controlEntry(node: LocatedNode, problems: TreeProblem[]): ControlEntry | undefined {
  const before = problems.length;
  const found = readMap(
    node,
    {
      path,
      first: list(path, { min: 1, max: 50 }),
      newest: list(pattern, { min: 1, max: 50 }),
      required: yesOrNo,
      max_chars: wholeNumber(1, 10_000_000),
      json: yesOrNo,
      health: list(text(), { max: 20 }),
      count: wholeNumber(1, 100),
      active: yesOrNo,
      inactive_in: (child, inner) => (child.kind === 'scalar' && child.value === null ? null : path(child, inner)),
    },
    problems,
  );
  if (!found || problems.length > before) return undefined;
  const most = found.max_chars === undefined ? {} : { max_chars: found.max_chars };
  if (found.path !== undefined) {
    const { json = found.path.endsWith('.json'), required = false, health = [] } = found;
    return { path: found.path, required, json, health, ...most };
  }
  if (found.first !== undefined) return { first: found.first, required: found.required ?? false, ...most };
  if (found.newest !== undefined) {
    const { count = 3, active = true, inactive_in = null } = found;
    return { newest: found.newest, count, active, inactive_in, ...most };
  }
  return refuse(node, 'needs path, first or newest', problems);
}

function intent(node: LocatedNode, problems: TreeProblem[]): Intent | undefined {
  const before = problems.length;
  const found = readMap(
    node,
    {
      key: plainName,
      about: sentence,
      words: list(
        text((value) => (/[\p{L}\p{N}]/u.test(value) && value.length <= 60 ? null : 'is not a word')),
        { max: 100 },
      ),
      include: list(pattern, { max: 200 }),
    },
    problems,
  );
  if (!found || problems.length > before) return undefined;
  if (found.key === undefined || found.include === undefined) return refuse(node, 'needs key and include', problems);
  return { key: found.key, about: found.about ?? '', words: found.words ?? [], include: found.include };
}
