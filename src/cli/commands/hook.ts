import { HOOK_EVENTS } from '../../clients/client-hooks.ts';
import { closest } from '../../closest.ts';
import { invalidInput } from '../../errors.ts';
import { HOOK_CLIENTS } from '../../hooks/client-forms.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

const INPUT_MS = 1_000;

export const command: Command = {
  summary: 'answer a hook of a client (install writes it)',
  usage: ['bearings hook EVENT [--client NAME] [--workspace ID]'],
  details: [
    `EVENT: ${HOOK_EVENTS.slice(0, 4).join(', ')},`,
    `${HOOK_EVENTS.slice(4).join(', ')}.`,
    'Reads what the client says from its input and answers in the client’s own form: the context',
    'at the start of a session, notes and places for a prompt, notes for a file, and the rules',
    'that you signed before a tool runs. It never fails: what is wrong becomes a line of the answer.',
  ],
  options: {
    client: { type: 'string', value: 'NAME', about: `whose form: ${HOOK_CLIENTS.join(', ')}` },
    workspace: { type: 'string', value: 'ID', about: 'the workspace (default: that of the project)' },
  },
  maxWords: 1,
  noJson: true,
  examples: [
    { line: 'bearings hook session-start < /dev/null', about: 'what Claude Code gets at its start' },
    { line: `echo '{"prompt":"mend the parser"}' | bearings hook prompt`, about: 'what a prompt gets' },
  ],
  async run({ words: [event], text, terminal, bearings }) {
    const known = HOOK_EVENTS.find((each) => each === event);
    const client = text('client') ?? 'claude-code';
    if (known === undefined)
      throw invalidInput(
        event === undefined ? 'hook needs an event.' : `There is no event "${event}".`,
        `Did you mean: bearings hook ${closest(event ?? '', [...HOOK_EVENTS]) ?? 'prompt'}`,
      );
    if (!HOOK_CLIENTS.includes(client))
      throw invalidInput(`There is no hook for "${client}".`, `Known: ${HOOK_CLIENTS.join(', ')}.`);
    const input = terminal.canAsk ? '' : await terminal.readInput(INPUT_MS).catch(() => '');
    const answer = await (await bearings.hooks()).answerHook(client, known, input, text('workspace'));
    if (answer !== '') terminal.print(answer);
    return EXIT.done;
  },
};
