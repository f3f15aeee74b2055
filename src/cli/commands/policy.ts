import { invalidInput } from '../../errors.ts';
import { defineCommand, EXIT } from '../command.ts';
import { allowAdapters, listAllowed, revokeAllowed } from '../views/allow-view.ts';
import { forReader, padTo } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings policy show [NAME|FILE]
    bearings policy check [FILE]
    bearings policy profiles [NAME|FILE]
    bearings policy allow [ADAPTER]
    bearings policy allowed
    bearings policy revoke [ADAPTER]

    Built in are repo and cortex. A project has its own in .bearings/policy.yaml, which may
    start with \`extends: repo\`. check ends with exit code 1 and names line and column.
    A profile says what someone gets with --for NAME: which slices, within which budget.
    An adapter that runs a program runs only once you allowed it: allow shows exactly what would
    run and asks, in a terminal. A change asks again.

    --policy FILE  for allow: another policy than the one in force

    bearings policy show  the policy in force here, as YAML
    bearings policy show repo  a built-in one
    bearings policy check  is .bearings/policy.yaml valid?
    bearings policy profiles  what load and read take with --for
    bearings policy allow work  look at what it would run, then say yes or no
  `,
  maxWords: 2,
  async run(call) {
    const {
      words: [verb = 'show', name],
      bearings,
      terminal,
      json,
    } = call;
    if (verb === 'allow') return allowAdapters(call, name);
    if (verb === 'allowed') return listAllowed(call);
    if (verb === 'revoke') return revokeAllowed(call, name);
    const loader = await bearings.loader();
    if (verb === 'show') {
      const { yaml, source, policy } = await loader.showPolicy(name);
      if (json) terminal.print(JSON.stringify({ source, policy }, null, 2));
      else {
        terminal.print(forReader(`# source: ${source}\n${yaml}`.replace(/\n$/, ''), terminal));
        if (terminal.interactive && source === 'built-in')
          terminal.warn(
            '\nof your own: write .bearings/policy.yaml, with `extends: repo` and what differs;\nthen: bearings policy check',
          );
      }
      return EXIT.done;
    }
    if (verb === 'profiles') {
      const { profiles = [] } = (await loader.showPolicy(name)).policy;
      if (json) terminal.print(JSON.stringify(profiles, null, 2));
      else for (const each of profiles) terminal.print(forReader(`${padTo(each.name, 12)}  ${each.about}`, terminal));
      return EXIT.done;
    }
    if (verb !== 'check')
      throw invalidInput(
        `policy takes show, check, profiles, allow, allowed or revoke, not "${verb}".`,
        'See: bearings policy --help',
      );
    const { file, problems } = await loader.checkPolicy(name);
    const ok = problems.length === 0;
    if (json) terminal.print(JSON.stringify({ ok, file, problems }, null, 2));
    else if (ok) terminal.print(`${file} is valid · see all of it: bearings policy show`);
    else
      for (const { line, column, message } of problems)
        terminal.print(forReader(`${file}:${line}:${column}  ${message}`, terminal));
    return ok ? EXIT.done : EXIT.checkFailed;
  },
});
