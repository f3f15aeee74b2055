import type { MemoryPart } from '../../memory/fit-context.ts';
import type { ItemField, ItemState } from '../slices/adapter-items.ts';
import type { Limits } from './limits.ts';

export const POLICY_VERSION = 1;
export const DEFAULT_KEY = 'default';

interface AnyControl {
  /** At most this much of each file, inside the budget. */
  max_chars?: number;
}

/** One file at a fixed place. */
export interface ControlFile extends AnyControl {
  path: string;
  required: boolean;
  /** The file must hold a JSON object. Default: where the name ends in `.json`. */
  json: boolean;
  /** Fields of that object which may hold the project's own word for its health, first that does wins. */
  health: string[];
}

/** The first of several names that is there: a manifest, a README. */
interface ControlChoice extends AnyControl {
  first: string[];
  required: boolean;
}

/** The newest files of some patterns, by the numbers in their names. */
export interface ControlNewest extends AnyControl {
  newest: string[];
  count: number;
  /** Leave out what its header, or the JSON report named by `inactive_in`, marks as superseded, retired or rejected. */
  active: boolean;
  inactive_in: string | null;
}

export type ControlEntry = ControlFile | ControlChoice | ControlNewest;

/** What a task is about: the first intent with one of its words in the task text gives the patterns. */
export interface Intent {
  key: string;
  about: string;
  /** Whole words, any case, with their regular plurals. None: the default intent. */
  words: string[];
  include: string[];
}

export const TACTICAL_SOURCES = ['notes', 'log', 'gaps'] as const;
export type TacticalSource = (typeof TACTICAL_SOURCES)[number];

/** Where an item's fields are in what a source gives: dotted paths, a step into a list takes every element. */
type ItemMap = Partial<Record<ItemField, string>>;

interface AnyAdapter {
  name: string;
  /** Older than this counts as stale. */
  stale_after_hours: number;
  /** So many of its items, the best first, are in its entry; default 4. */
  max_items?: number;
  /** Where the list of items is, for example `data.issues`. Default: the whole, or its `items`. */
  items?: string;
  map?: ItemMap;
  /** The source's words for a state, in ours; `omit` leaves such items out. */
  states?: Record<string, ItemState | 'omit'>;
  /** Where the time of the payload is. Default: `fetched_at`. */
  fetched_at?: string;
}

export interface FileAdapter extends AnyAdapter {
  kind: 'file';
  /** Inside the project. */
  path: string;
}

interface ProgramAdapter extends AnyAdapter {
  /** The program and its arguments; no shell reads them. */
  command: string[];
  /** Names of variables it may see beyond the usual ones. */
  env?: string[];
  timeout_ms: number;
  max_bytes: number;
  /** In the home's file only: it runs nothing of a project's, so that no project is asked about. */
  anywhere?: boolean;
}

export interface CommandAdapter extends ProgramAdapter {
  kind: 'command';
}

/** A tool or a resource of an MCP server over stdio. */
export interface McpAdapter extends ProgramAdapter {
  kind: 'mcp';
  tool?: string;
  arguments?: Record<string, unknown>;
  resource?: string;
}

export type AdapterConfig = FileAdapter | CommandAdapter | McpAdapter;
/** Those that run something: they need the person's word. */
export type RunningAdapter = CommandAdapter | McpAdapter;

interface Share {
  files: number;
  chars: number;
}

/** Room per slice, written for one budget (`of`) and used in proportion for every other. The task gets the rest. */
export interface Shares {
  of: Share;
  /** `min_files`: in a small budget it still has so many files, out of the task's room, which keeps one. */
  control_plane: Share & { min_files?: number };
  tactical: Share;
  adapter: Share;
}

/** Where a policy has it, the task text also selects by what files say, not only by where they are. */
export interface MatchRule {
  /** Who competes. None: the patterns of all intents. */
  include: string[];
  /** How many commits may help to rank; null: none, and the bundle is the same in every clone. */
  history: number | null;
}

/** Slices that a profile may turn on; adapters are named one by one. */
export const PROFILE_SLICES = ['control_plane', 'task', 'tactical'] as const;
type ProfileSlice = (typeof PROFILE_SLICES)[number];

/** For whom a bundle or a context is: `--for NAME`. */
export interface Profile {
  name: string;
  about: string;
  slices: ProfileSlice[];
  adapters: string[];
  /** In place of the policy's own limits, one by one. */
  budget: Partial<Limits>;
  /** What of the lasting context is read, and how many tokens it may take in all. */
  memory: { parts: MemoryPart[]; max_tokens: number };
}

/** What each slice may select. Built-in policies and YAML files have this one shape. */
export interface Policy {
  name: string;
  about: string;
  control_plane: ControlEntry[];
  intents: Intent[];
  match: MatchRule | null;
  exclude: string[];
  tactical: TacticalSource[];
  adapters: AdapterConfig[];
  budget: Limits;
  partitions: Shares;
  /** Once one was applied there are none: the rest says what it says. */
  profiles?: Profile[];
}

export const DEFAULT_BUDGET: Limits = {
  max_files: 12,
  max_chars_per_file: 2_500,
  max_total_chars: 30_000,
  max_tokens: null,
};

export const DEFAULT_PARTITIONS: Shares = {
  of: { files: 12, chars: 30_000 },
  control_plane: { files: 7, chars: 12_000 },
  tactical: { files: 1, chars: 3_000 },
  adapter: { files: 1, chars: 3_000 },
};
