import type { Call } from './command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export function completionScript(shell: (typeof SHELLS)[number], commands: Known[]): string {
  // The script of bash runs in zsh too; zsh only has to be told so.
  const zsh = ['autoload -Uz compinit bashcompinit', 'compinit -u', 'bashcompinit'];
  return shell === 'fish' ? fishScript(commands) : [...(shell === 'zsh' ? zsh : []), bashScript(commands)].join('\n');
}

type Known = Awaited<ReturnType<Call['allCommands']>>[number];

// Commands whose first word is the id of a workspace.
const TAKE_ID = ['read', 'review'];
// Those whose first word is a file of memory, and whose second is the id.
const TAKE_FILE = ['why', 'history', 'undo'];
const SHOWN = 'brief notes tastes';
const FILES = 'notes.md brief.md tastes/_default.md';
const IDS = 'bearings workspaces list 2>/dev/null | while read -r id rest; do echo "$id"; done';

const PROFILES = 'bearings policy profiles 2>/dev/null | while read -r id rest; do echo "$id"; done';

function bashScript(commands: Known[]): string {
  return [
    '_bearings() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" options=""',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word")); return`,
    '  fi',
    `  if [ "$before" = "--workspace" ]; then COMPREPLY=($(compgen -W "$(${IDS})" -- "$word")); return; fi`,
    `  if [ "$before" = "--for" ]; then COMPREPLY=($(compgen -W "$(${PROFILES})" -- "$word")); return; fi`,
    '  case "${COMP_WORDS[1]}" in',
    ...commands.map(
      ({ name, options }) => `    ${name}) options="${options.map((option) => `--${option}`).join(' ')}" ;;`,
    ),
    '  esac',
    '  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); return; fi',
    `  case "\${COMP_WORDS[1]}:$COMP_CWORD" in`,
    `    show:2) COMPREPLY=($(compgen -W "${SHOWN}" -- "$word")) ;;`,
    `    ${TAKE_FILE.map((name) => `${name}:2`).join('|')}) COMPREPLY=($(compgen -W "${FILES}" -- "$word")) ;;`,
    `    ${[...TAKE_ID.map((name) => `${name}:*`), ...['show', ...TAKE_FILE].map((name) => `${name}:3`)].join('|')}) COMPREPLY=($(compgen -W "$(${IDS})" -- "$word")) ;;`,
    '  esac',
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
    `complete -c bearings -n '__fish_seen_subcommand_from load explain read' -l for -x -a "(bearings policy profiles 2>/dev/null | string split -f1 ' ')"`,
    `complete -c bearings -n '__fish_seen_subcommand_from show' -a '${SHOWN}'`,
    `complete -c bearings -n '__fish_seen_subcommand_from ${TAKE_FILE.join(' ')}' -a '${FILES}'`,
    `complete -c bearings -n '__fish_seen_subcommand_from ${TAKE_ID.join(' ')}' -a "(bearings workspaces list 2>/dev/null | string split -f1 ' ')"`,
  ].join('\n');
}
