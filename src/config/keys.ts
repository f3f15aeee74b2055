// The one table of settings: what `config show` prints, what `config check` accepts, what the docs list.
export interface ConfigKey {
  name: string;
  kind: 'folder' | 'program' | 'whole_number';
  about: string;
  /** Variables that set it, first non-empty wins. */
  variables: readonly string[];
  /** Null: worked out from the home folder. */
  fallback: string | number | null;
  /** Only these may stand in a project's own file: nothing that runs a program, names an address or a place. */
  allowedInProject: boolean;
  min?: number;
  max?: number;
}

export const CONFIG_KEYS: readonly ConfigKey[] = [
  {
    name: 'workspaces',
    kind: 'folder',
    about: 'folder that holds one folder per workspace',
    variables: ['BEARINGS_WORKSPACES'],
    fallback: null,
    allowedInProject: false,
  },
  {
    name: 'tastes',
    kind: 'folder',
    about: 'folder that holds _default.md and one file per genre',
    variables: ['BEARINGS_TASTES_DIR', 'CHEMIGRAM_TASTES_DIR'],
    fallback: null,
    allowedInProject: false,
  },
  {
    name: 'editor',
    kind: 'program',
    about: 'program that `bearings edit` opens',
    variables: ['VISUAL', 'EDITOR'],
    fallback: 'vi',
    allowedInProject: false,
  },
  {
    name: 'max_chars',
    kind: 'whole_number',
    about: 'characters per text that an agent gets through MCP',
    variables: [],
    fallback: 60_000,
    allowedInProject: true,
    min: 1_000,
    max: 1_000_000,
  },
  {
    name: 'max_record_chars',
    kind: 'whole_number',
    about: 'characters per log or gap record that an agent gets through MCP',
    variables: [],
    fallback: 4_000,
    allowedInProject: true,
    min: 200,
    max: 100_000,
  },
];
