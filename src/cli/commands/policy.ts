import { defineCommand, EXIT, oneOf } from '../command.ts';
import { allowAdapters, listAllowed, revokeAllowed } from '../views/allow-view.ts';
import { forReader } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings policy show [NAME|FILE]
    bearings policy check [FILE]
    bearings policy allow [ADAPTER]
    bearings policy allowed
    bearings policy revoke [ADAPTER]

    Built in are repo and cortex. A project has its own in .bearings/policy.yaml, which may
    start with \`extends: repo\`. check ends with exit code 1 and names line and column.
    Its profiles are what load and read take with --for NAME: which slices, within which budget.
    An adapter that runs a program runs only once you allowed it: allow shows exactly what would
    run and asks, in a terminal. A change asks again.

    --policy FILE  for allow: another policy than the one in force

    bearings policy show  the policy in force here, as YAML
    bearings policy allow work  look at what it would run, then say yes or no
  `,
  maxWords: 2,
  async run(call) {
    const { words, bearings, terminal, json, answer } = call;
    const [typed = 'show', name] = words;
    const verb = await oneOf('policy', typed, ['show', 'check', 'allow', 'allowed', 'revoke']);
    if (verb === 'allow') return allowAdapters(call, name);
    if (verb === 'allowed') return listAllowed(call);
    if (verb === 'revoke') return revokeAllowed(call, name);
    const loader = await bearings.loader();
    if (verb === 'show') {
      const { yaml, source, policy } = await loader.showPolicy(name);
      answer({ source, policy }, () => forReader(`# source: ${source}\n${yaml}`.replace(/\n$/, ''), terminal));
      if (!json && terminal.interactive && source === 'built-in')
        terminal.warn(
          '\nof your own: write .bearings/policy.yaml, with `extends: repo` and what differs;\nthen: bearings policy check',
        );
      return EXIT.done;
    }
    const { file, problems } = await loader.checkPolicy(name);
    const ok = problems.length === 0;
    const lines = problems.map(({ line, column, message }) =>
      forReader(`${file}:${line}:${column}  ${message}`, terminal),
    );
    const valid = `${file} is valid · see all of it: bearings policy show`;
    return answer({ ok, file, problems }, () => (ok ? valid : lines), ok);
  },
});
