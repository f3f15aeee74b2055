import { invalidInput } from '../../errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { forReader } from '../for-reader.ts';

export const command: Command = {
  summary: 'show or check what the loader may select',
  usage: ['bearings policy show [NAME|FILE]', 'bearings policy check [FILE]'],
  details: [
    'Built in are repo and cortex. A project has its own in .bearings/policy.yaml, which may',
    'start with `extends: repo`. check ends with exit code 1 and names line and column.',
  ],
  options: {},
  maxWords: 2,
  examples: [
    { line: 'bearings policy show', about: 'the policy in force here, as YAML' },
    { line: 'bearings policy show repo', about: 'a built-in one' },
    { line: 'bearings policy check', about: 'is .bearings/policy.yaml right?' },
  ],
  async run({ words: [verb = 'show', name], bearings, terminal, json }) {
    if (verb === 'show') {
      const { yaml, source, policy } = await bearings.showPolicy(name);
      if (json) terminal.print(JSON.stringify({ source, policy }, null, 2));
      else terminal.print(forReader(`# source: ${source}\n${yaml}`.replace(/\n$/, ''), terminal));
      return EXIT.done;
    }
    if (verb !== 'check')
      throw invalidInput(`policy knows show and check, not "${verb}".`, 'See: bearings policy --help');
    const { file, problems } = await bearings.checkPolicy(name);
    const ok = problems.length === 0;
    if (json) terminal.print(JSON.stringify({ ok, file, problems }, null, 2));
    else if (ok) terminal.print(`${file} is right · see it whole: bearings policy show`);
    else
      for (const { line, column, message } of problems)
        terminal.print(forReader(`${file}:${line}:${column}  ${message}`, terminal));
    return ok ? EXIT.done : EXIT.checkFailed;
  },
};
