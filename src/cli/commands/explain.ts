import { showHidden } from '../../safety/hidden-characters.ts';
import { defineCommand, needed } from '../command.ts';
import { LOAD_OPTIONS, loadRequest } from '../load-options.ts';

const WORDS = { in: 'is in', cut: 'is in, cut', dropped: 'is left out', out: 'is not in' } as const;

export const command = defineCommand({
  help: `
    bearings explain PATH [DIR] [the flags of load]

    Give it the same flags as load: the answer is about that bundle.

    ${LOAD_OPTIONS}

    bearings explain README.md --task "fix the build"  in, cut or out, and why
  `,
  maxWords: 2,
  async run(call) {
    const [first, dir] = call.words;
    const path = needed(first, 'explain needs a path.', 'For example: bearings explain README.md');
    const { bearings, terminal, answer } = call;
    const explained = await (await bearings.loader()).explainPath(path, await loadRequest(call, dir));
    return answer(explained, () => [
      `${terminal.paint('bold', showHidden(explained.path))} ${WORDS[explained.verdict]}`,
      ...explained.reasons.map((reason) => `  ${showHidden(reason)}`),
      'see the whole bundle: bearings load with the same flags',
    ]);
  },
});
