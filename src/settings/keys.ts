// The one table of settings: what `config list` prints, what `config check` accepts, what the docs list.
export interface ConfigKey {
  name: string;
  kind: 'folder' | 'program' | 'whole_number' | 'choice' | 'names' | 'models' | 'heading';
  about: string;
  /** Variables that set it, first non-empty wins. */
  variables: readonly string[];
  /** Null: worked out from the home folder. */
  fallback: string | number | null;
  /** Only these may be in a project's own file: nothing that runs a program, names an address or a place. */
  allowedInProject: boolean;
  min?: number;
  max?: number;
  choices?: readonly string[];
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
  {
    name: 'on_session_end',
    kind: 'choice',
    about: 'what happens to undecided proposals at a clean end: discard or keep',
    variables: [],
    fallback: 'discard',
    allowedInProject: false,
    choices: ['discard', 'keep'],
  },
  {
    name: 'propose_brief',
    kind: 'choice',
    about: 'whether an agent may propose a change of a brief: on or off',
    variables: [],
    fallback: 'off',
    allowedInProject: false,
    choices: ['on', 'off'],
  },
  {
    name: 'elicitation_off',
    kind: 'names',
    about: 'clients that are not asked by elicitation, as comma-separated names; * for all',
    variables: [],
    fallback: '',
    allowedInProject: false,
  },
  {
    name: 'ask_timeout_seconds',
    kind: 'whole_number',
    about: 'how long a question to the person through a client may stay open',
    variables: [],
    fallback: 300,
    allowedInProject: false,
    min: 1,
    max: 3600,
  },
  {
    name: 'keep_served',
    kind: 'whole_number',
    about: 'megabytes of served contexts to store for later, for 90 days; 0 stores none',
    variables: [],
    fallback: 50,
    allowedInProject: false,
    min: 0,
    max: 10_000,
  },
  {
    name: 'hook.prompts',
    kind: 'choice',
    about: 'whether a hook adds notes and places to a prompt: on or off',
    variables: [],
    fallback: 'on',
    allowedInProject: false,
    choices: ['on', 'off'],
  },
  {
    name: 'hook.max_tokens',
    kind: 'whole_number',
    about: 'tokens that a hook adds to one prompt at most',
    variables: [],
    fallback: 1_500,
    allowedInProject: false,
    min: 100,
    max: 8_000,
  },
  {
    name: 'hook.wrap_up',
    kind: 'choice',
    about: 'whether the first prompt after a compaction asks the agent to propose what it learnt: on or off',
    variables: [],
    fallback: 'off',
    allowedInProject: false,
    choices: ['on', 'off'],
  },
  {
    name: 'models',
    kind: 'models',
    about: 'models by name: provider, model, base_url, key_variable, timeout_seconds',
    variables: [],
    fallback: '',
    allowedInProject: false,
  },
  limitKey('max_turns', 'questions to a model in one step of a run', 20, 1_000),
  limitKey('max_context_tokens', 'tokens of a question with its context in a step of a run', 100_000, 10_000_000),
  limitKey('max_output_tokens', 'tokens of an answer in a step of a run', 8_000, 1_000_000),
  headingKey('inherited', 'Context'),
  headingKey('accumulated', 'What earlier steps found'),
  headingKey('fresh', 'Related files'),
  headingKey('results', 'Results to combine'),
  headingKey('task', 'Task'),
  {
    name: 'run_task',
    kind: 'choice',
    about: 'whether agents get the MCP tool run_task: on or off',
    variables: [],
    fallback: 'off',
    allowedInProject: false,
    choices: ['on', 'off'],
  },
  {
    name: 'model_command',
    kind: 'program',
    about: 'command line of the model "command": prompt on its input, answer from its output',
    variables: [],
    fallback: '',
    allowedInProject: false,
  },
  {
    name: 'model_command_env',
    kind: 'names',
    about: 'variables that model_command may see beside the usual ones, as comma-separated names',
    variables: [],
    fallback: '',
    allowedInProject: false,
  },
];

function limitKey(name: string, about: string, fallback: number, max: number): ConfigKey {
  return { name, kind: 'whole_number', about, variables: [], fallback, allowedInProject: false, min: 1, max };
}

function headingKey(part: string, fallback: string): ConfigKey {
  const about = `heading over the part "${part}" of a prompt`;
  return { name: `heading_${part}`, kind: 'heading', about, variables: [], fallback, allowedInProject: false };
}
