import { HOOK_EVENTS } from '../../clients/client-hooks.ts';
import { HOOK_CLIENTS } from '../../hooks/client-forms.ts';
import { isRecord, parseJson } from '../../json.ts';
import { defineCommand, EXIT, needed, oneOf } from '../command.ts';

// Some clients never close their input. A tool that is about to run is waited for longer: what comes late is held all the same.
const INPUT_MS = 1_000;
const TOOL_INPUT_MS = 20_000;

export const command = defineCommand({
  help: `
    bearings hook EVENT [--client NAME] [--workspace ID]

    EVENT: ${HOOK_EVENTS.join(', ')}.

    Reads what the client says from its input and answers in the client’s own form: the context at the start of a
    session, notes and places for a prompt, notes for a file, and the rules that you signed before a tool runs. It
    never fails: what is wrong becomes a line of the answer, and what it can't read a line of the error stream.

    --client NAME  whose form: ${HOOK_CLIENTS.join(', ')}
    --workspace ID  the workspace (default: that of the project)

    bearings hook session-start < /dev/null  what Claude Code gets at its start
    echo '{"prompt":"mend the parser"}' | bearings hook prompt  what a prompt gets
  `,
  maxWords: 1,
  noJson: true,
  async run({ words: [event], text, terminal, bearings }) {
    const typed = needed(event, 'hook needs an event.', 'For example: bearings hook prompt');
    const name = await oneOf('hook', typed, HOOK_EVENTS);
    const client = await oneOf('--client', text('client') ?? 'claude-code', HOOK_CLIENTS);
    const limit = name === 'before-tool' ? TOOL_INPUT_MS : INPUT_MS;
    const read = terminal.canAsk ? '' : await terminal.readInput(limit).catch(() => '');
    // Half a call that never ends says as little as none: what would run is not known.
    const input = terminal.inputHasEnded() || isRecord(parseJson(read.replace(/^\uFEFF/, ''))) ? read : '';
    const answer = await (await bearings.hooks()).answerHook(client, name, input, text('workspace'));
    if (answer !== '') terminal.print(answer);
    return EXIT.done;
  },
});
