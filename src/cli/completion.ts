import type { Call } from './command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Known = Awaited<ReturnType<Call['allCommands']>>[number];

// Commands that take the id of a workspace.
const TAKE_ID = ['read', 'review', 'show', 'edit', 'why', 'history', 'undo'];
const IDS = 'bearings workspaces list 2>/dev/null';

export function completionScript(shell: (typeof SHELLS)[number], commands: Known[]): string {
  // The script of bash runs in zsh too; zsh only has to be told so.
  const zsh = ['autoload -Uz compinit bashcompinit', 'compinit -u', 'bashcompinit'];
  return shell === 'fish' ? fishScript(commands) : [...(shell === 'zsh' ? zsh : []), bashScript(commands)].join('\n');
}

function bashScript(commands: Known[]): string {
  const ids = `COMPREPLY=($(compgen -W "$(${IDS} | while read -r id rest; do echo "$id"; done)" -- "$word"))`;
  return [
    '_bearings() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" options=""',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word")); return`,
    '  fi',
    `  if [ "\${COMP_WORDS[COMP_CWORD-1]}" = "--workspace" ]; then ${ids}; return; fi`,
    '  case "${COMP_WORDS[1]}" in',
    ...commands.map(
      ({ name, options }) => `    ${name}) options="${options.map((option) => `--${option}`).join(' ')}" ;;`,
    ),
    '  esac',
    '  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); return; fi',
    `  case "\${COMP_WORDS[1]}" in ${TAKE_ID.join('|')}) ${ids} ;; esac`,
    '}',
    'complete -o default -F _bearings bearings',
  ].join('\n');
}

function fishScript(commands: Known[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  return [
    'complete -c bearings -f',
    ...commands.flatMap(({ name, summary, options }) => [
      `complete -c bearings -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...options.map((option) => `complete -c bearings -n '__fish_seen_subcommand_from ${name}' -l ${option}`),
    ]),
    `complete -c bearings -n '__fish_seen_subcommand_from ${TAKE_ID.join(' ')}' -a "(${IDS} | string split -f1 ' ')"`,
  ].join('\n');
}
