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
  key('workspaces', 'folder', 'folder that holds one folder per workspace', {
    variables: ['BEARINGS_WORKSPACES'],
    fallback: null,
  }),
  key('tastes', 'folder', 'folder that holds _default.md and one file per genre', {
    variables: ['BEARINGS_TASTES_DIR', 'CHEMIGRAM_TASTES_DIR'],
    fallback: null,
  }),
  key('editor', 'program', 'program that `bearings edit` opens', { variables: ['VISUAL', 'EDITOR'], fallback: 'vi' }),
  {
    ...count('max_chars', 'characters per text that an agent gets through MCP', 60_000, [1_000, 1_000_000]),
    allowedInProject: true,
  },
  {
    ...count(
      'max_record_chars',
      'characters per log or gap record that an agent gets through MCP',
      4_000,
      [200, 100_000],
    ),
    allowedInProject: true,
  },
  key('on_session_end', 'choice', 'what happens to undecided proposals at a clean end: discard or keep', {
    fallback: 'discard',
    choices: ['discard', 'keep'],
  }),
  onOff('propose_brief', 'whether an agent may propose a change of a brief: on or off', 'off'),
  key('elicitation_off', 'names', 'clients that are not asked by elicitation, as comma-separated names; * for all'),
  count('ask_timeout_seconds', 'how long a question to the person through a client may stay open', 300, [1, 3600]),
  count('keep_served', 'megabytes of served contexts to store for later, for 90 days; 0 stores none', 50, [0, 10_000]),
  onOff('hook.prompts', 'whether a hook adds notes and places to a prompt: on or off', 'on'),
  count('hook.max_tokens', 'tokens that a hook adds to one prompt at most', 1_500, [100, 8_000]),
  onOff(
    'hook.wrap_up',
    'whether the first prompt after a compaction asks the agent to propose what it learnt: on or off',
    'off',
  ),
  key('models', 'models', 'models by name: provider, model, base_url, key_variable, timeout_seconds'),
  count('max_turns', 'questions to a model in one step of a run', 20, [1, 1_000]),
  count('max_context_tokens', 'tokens of a question with its context in a step of a run', 100_000, [1, 10_000_000]),
  count('max_output_tokens', 'tokens of an answer in a step of a run', 8_000, [1, 1_000_000]),
  heading('inherited', 'Context'),
  heading('accumulated', 'What earlier steps found'),
  heading('fresh', 'Related files'),
  heading('results', 'Results to combine'),
  heading('task', 'Task'),
  onOff('run_task', 'whether agents get the MCP tool run_task: on or off', 'off'),
  key('model_command', 'program', 'command line of the model "command": prompt on its input, answer from its output'),
  key(
    'model_command_env',
    'names',
    'variables that model_command may see beside the usual ones, as comma-separated names',
  ),
];

function key(name: string, kind: ConfigKey['kind'], about: string, more: Partial<ConfigKey> = {}): ConfigKey {
  return { name, kind, about, variables: [], fallback: '', allowedInProject: false, ...more };
}

function count(name: string, about: string, fallback: number, [min, max]: readonly [number, number]): ConfigKey {
  return key(name, 'whole_number', about, { fallback, min, max });
}

function onOff(name: string, about: string, fallback: 'on' | 'off'): ConfigKey {
  return key(name, 'choice', about, { fallback, choices: ['on', 'off'] });
}

function heading(part: string, fallback: string): ConfigKey {
  return key(`heading_${part}`, 'heading', `heading over the part "${part}" of a prompt`, { fallback });
}
