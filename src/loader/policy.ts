import type { Limits } from './limits.ts';

export const POLICY_VERSION = 1;
export const DEFAULT_KEY = 'default';

/** One file at a fixed place. */
export interface ControlFile {
  path: string;
  required: boolean;
  /** The file must hold a JSON object. Default: where the name ends in `.json`. */
  json: boolean;
  /** Fields of that object which may hold the project's own word for its health, first that does wins. */
  health: string[];
}

/** The first of several names that is there: a manifest, a README. */
interface ControlChoice {
  first: string[];
  required: boolean;
}

/** The newest files of some patterns, by the numbers in their names. */
export interface ControlNewest {
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

export const ADAPTER_KINDS = ['file'] as const;

export interface AdapterConfig {
  name: string;
  kind: (typeof ADAPTER_KINDS)[number];
  /** Inside the project. */
  path: string;
  /** Older than this counts as stale. */
  stale_after_hours: number;
}

interface Share {
  files: number;
  chars: number;
}

/** Room per slice, written for one budget (`of`) and used in proportion for every other. The task gets the rest. */
export interface Shares {
  of: Share;
  control_plane: Share;
  tactical: Share;
  adapter: Share;
}

/** What each slice may select. Built-in policies and YAML files have this one shape. */
export interface Policy {
  name: string;
  about: string;
  control_plane: ControlEntry[];
  intents: Intent[];
  exclude: string[];
  tactical: TacticalSource[];
  adapters: AdapterConfig[];
  budget: Limits;
  partitions: Shares;
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
