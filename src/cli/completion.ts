import { type Call, optionsOf } from './command.ts';

export const SHELLS = ['bash', 'zsh'] as const;

// Commands that take the id of a workspace.
const TAKE_ID = 'read|review|show|edit|why|history|undo';
const IDS = '$(bearings workspaces list 2>/dev/null | while read -r id rest; do echo "$id"; done)';
const offer = (words: string) => `COMPREPLY=($(compgen -W "${words}" -- "$word"))`;

/** The script of bash runs in zsh too; zsh only has to be told so. */
export async function completionScript(shell: (typeof SHELLS)[number], commands: Call['commands']): Promise<string> {
  const cases = Object.entries(commands).map(async ([name, { load }]) => {
    const names = Object.keys(optionsOf((await load()).command)).map((option) => `--${option}`);
    return `    ${name}) options="${names.join(' ')}" ;;`;
  });
  return [
    ...(shell === 'zsh' ? ['autoload -Uz compinit bashcompinit', 'compinit -u', 'bashcompinit'] : []),
    '_bearings() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" options=""',
    '  COMPREPLY=()',
    `  if [ "$COMP_CWORD" -eq 1 ]; then ${offer(Object.keys(commands).join(' '))}; return; fi`,
    `  if [ "\${COMP_WORDS[COMP_CWORD-1]}" = "--workspace" ]; then ${offer(IDS)}; return; fi`,
    '  case "${COMP_WORDS[1]}" in',
    ...(await Promise.all(cases)),
    '  esac',
    `  if [[ "$word" == -* ]]; then ${offer('$options')}; return; fi`,
    `  case "\${COMP_WORDS[1]}" in ${TAKE_ID}) ${offer(IDS)} ;; esac`,
    '}',
    'complete -o default -F _bearings bearings',
  ].join('\n');
}
