import { MEMORY_PARTS } from '../../memory/fit-context.ts';
import { whyNotPattern } from '../../project/pattern.ts';
import {
  type LocatedNode,
  list,
  oneOf,
  orNull,
  type ReadBy,
  type Reader,
  readMap,
  record,
  refuse,
  type TreeProblem,
  text,
  wholeNumber,
  yesOrNo,
} from '../../settings/tree-reader.ts';
import { type AdapterConfig, adapterList, path, plainName, refuseTwice } from './adapter-definitions.ts';
import { DEFAULT_KEY, type Limits, TACTICAL_SOURCES } from './limits.ts';

const POLICY_VERSION = 1;
// A cloned repository brings its own policy: it may not ask for more than a machine can bear.
const MAX_WRITTEN = 10_000_000;
const MAX_HISTORY = 10_000;
// Below this not even the empty shape of a context fits.
const LEAST_TOKENS = 200;

const amount = wholeNumber(1, MAX_WRITTEN);
const sentence = text((value) => (value.length > 500 ? 'is longer than 500 characters' : null));
const pattern = text(whyNotPattern);

const budget = record({
  max_files: amount,
  max_chars_per_file: amount,
  max_total_chars: amount,
  max_tokens: orNull(amount),
});

/** At most `max_chars` of each file, inside the budget. */
type Control<T> = T & { max_chars?: number };
/** One file at a fixed place. */
export type ControlFile = Control<{
  path: string;
  required: boolean;
  /** The file must hold a JSON object. Default: where the name ends in `.json`. */
  json: boolean;
  /** Fields of that object which may hold the project's own word for its health, first that does wins. */
  health: string[];
}>;
/** The newest files of some patterns, by the numbers in their names. */
export type ControlNewest = Control<{
  newest: string[];
  count: number;
  /** Leave out what its header, or the JSON report named by `inactive_in`, marks as superseded, retired or rejected. */
  active: boolean;
  inactive_in: string | null;
}>;
/** Or the first of several names that is there: a manifest, a README. */
export type ControlEntry = ControlFile | ControlNewest | Control<{ first: string[]; required: boolean }>;

const anyControl = record({
  path,
  first: list(path, { min: 1, max: 50 }),
  newest: list(pattern, { min: 1, max: 50 }),
  required: yesOrNo,
  max_chars: amount,
  json: yesOrNo,
  health: list(text(), { max: 20 }),
  count: wholeNumber(1, 100),
  active: yesOrNo,
  inactive_in: orNull(path),
});

function controlEntry(node: LocatedNode, problems: TreeProblem[]): ControlEntry | undefined {
  const found = anyControl(node, problems);
  if (!found) return undefined;
  const { path, first, newest, required = false, health = [], count = 3, active = true, inactive_in = null } = found;
  const most = found.max_chars === undefined ? {} : { max_chars: found.max_chars };
  if (path !== undefined) return { path, required, json: found.json ?? path.endsWith('.json'), health, ...most };
  if (first !== undefined) return { first, required, ...most };
  if (newest !== undefined) return { newest, count, active, inactive_in, ...most };
  return refuse(node, 'needs path, first or newest', problems);
}

/** What a task is about: the first intent with one of its words in the task text gives the patterns. */
export type Intent = ReadBy<typeof intent>;
const intent = record(
  {
    key: plainName,
    about: sentence,
    /** Whole words, any case, with their regular plurals. None: the default intent. */
    words: list(
      text((value) => (/[\p{L}\p{N}]/u.test(value) && value.length <= 60 ? null : 'is not a word')),
      { max: 100 },
    ),
    include: list(pattern, { max: 200 }),
  },
  { needs: ['key', 'include'], otherwise: { about: '', words: [] } },
);

/** Where a policy has it, the task text also selects by what files say, not only by where they are. */
type MatchRule = Required<NonNullable<ReadBy<typeof matchRule>>>;
const matchFields = {
  /** Who competes. None: the patterns of all intents. */
  include: list(pattern, { max: 200 }),
  /** How many commits may help to rank; null: none, and the bundle is the same in every clone. */
  history: orOff(wholeNumber(1, MAX_HISTORY)),
};
const matchRule = orOff((node, problems) =>
  node.kind === 'map'
    ? readMap(node, matchFields, problems)
    : refuse(node, 'must be off, or say include and history', problems),
);

function orOff<T>(reader: Reader<T>): Reader<T | null> {
  return (node, problems) =>
    node.kind === 'scalar' && (node.value === 'off' || node.value === false || node.value === null)
      ? null
      : reader(node, problems);
}

/** Room per slice, written for one budget (`of`) and used in proportion for every other. The task gets the rest. */
export type Shares = Required<ReadBy<typeof shares>>;
const room = { files: wholeNumber(0, MAX_WRITTEN), chars: wholeNumber(0, MAX_WRITTEN) };
const share = record(room, { needs: ['files', 'chars'] });
const shares = record({
  of: wholeShare,
  /** `min_files`: in a small budget it still has so many files, out of the task's room, which keeps one. */
  control_plane: record({ ...room, min_files: amount }, { needs: ['files', 'chars'] }),
  tactical: share,
  adapter: share,
});

function wholeShare(node: LocatedNode, problems: TreeProblem[]) {
  const found = share(node, problems);
  return found && (found.files < 1 || found.chars < 1) ? refuse(node, 'needs files and chars from 1', problems) : found;
}

/** For whom a bundle or a context is: `--for NAME`. */
export type Profile = ReadBy<typeof profile>;
const profile = record(
  {
    name: plainName,
    about: sentence,
    /** Slices that it may turn on; adapters are named one by one. */
    slices: list(oneOf(['control_plane', 'task', 'tactical']), { min: 1, max: 3 }),
    adapters: list(plainName, { max: 20 }),
    /** In place of the policy's own limits, one by one. */
    budget,
    /** What of the lasting context is read, and how many tokens it may take in all. */
    memory: record(
      {
        parts: list(oneOf(MEMORY_PARTS), { min: 1, max: MEMORY_PARTS.length }),
        max_tokens: wholeNumber(LEAST_TOKENS, MAX_WRITTEN),
      },
      { otherwise: { parts: [...MEMORY_PARTS], max_tokens: 1_000 } },
    ),
  },
  {
    needs: ['name'],
    lacks: 'needs a name',
    otherwise: {
      about: '',
      slices: ['control_plane', 'task'],
      adapters: [],
      budget: {},
      memory: { parts: [...MEMORY_PARTS], max_tokens: 1_000 },
    },
  },
);

const SECTIONS = {
  version: (node: LocatedNode, problems: TreeProblem[]) =>
    node.kind === 'scalar' && node.value === POLICY_VERSION
      ? POLICY_VERSION
      : refuse(node, `must be ${POLICY_VERSION}`, problems),
  name: plainName,
  about: sentence,
  extends: oneOf(['repo', 'cortex']),
  control_plane: list(controlEntry, { max: 50 }),
  intents: list(intent, { max: 50 }),
  match: matchRule,
  exclude: list(pattern, { max: 200 }),
  tactical: list(oneOf(TACTICAL_SOURCES), { max: TACTICAL_SOURCES.length }),
  adapters: adapterList,
  budget,
  partitions: shares,
  profiles: list(profile, { max: 20 }),
};

/** A policy file: what it says itself, before the policy it extends fills in the rest. */
export type WrittenPolicy = { [K in keyof typeof SECTIONS]?: ReadBy<(typeof SECTIONS)[K]> };

/** What each slice may select. Built-in policies and YAML files have this one shape. */
export interface Policy {
  name: string;
  about: string;
  control_plane: ControlEntry[];
  intents: Intent[];
  match: MatchRule | null;
  exclude: string[];
  tactical: (typeof TACTICAL_SOURCES)[number][];
  adapters: AdapterConfig[];
  budget: Limits;
  partitions: Shares;
  /** Once one was applied there are none: the rest says what it says. */
  profiles?: Profile[];
}

// What a policy file says, with the place of everything that is wrong in it.
export function readPolicy(tree: LocatedNode): { written: WrittenPolicy; problems: TreeProblem[] } {
  const problems: TreeProblem[] = [];
  const written = readMap(tree, SECTIONS, problems) ?? {};
  if (problems.length === 0) checkWhole(tree, written, problems);
  return { written, problems };
}

// What only the file as a whole can get wrong.
function checkWhole(tree: LocatedNode, written: WrittenPolicy, problems: TreeProblem[]): void {
  const { intents = [] } = written;
  const wrong = (section: string) => (message: string) => {
    const entry = tree.kind === 'map' ? tree.entries.find(({ key }) => key === section) : undefined;
    refuse(entry ?? tree, message, problems);
  };
  const wrongIntents = wrong('intents');
  if (written.extends === undefined && written.control_plane === undefined)
    refuse(tree, 'needs control_plane, or `extends: repo` to take it from there', problems);
  const keys = intents.map(({ key }) => key);
  if (new Set(keys).size < keys.length) wrongIntents('the same key appears twice in intents');
  if (written.extends === undefined && !keys.includes(DEFAULT_KEY))
    wrongIntents(`intents needs one with the key ${DEFAULT_KEY}`);
  for (const { key, words } of intents) {
    if (key === DEFAULT_KEY && words.length > 0) wrongIntents('the default intent has no words');
    if (key !== DEFAULT_KEY && words.length === 0) wrongIntents(`the intent ${key} needs words`);
  }
  refuseTwice('adapters', written.adapters, wrong('adapters'));
  refuseTwice('profiles', written.profiles, wrong('profiles'));
}
