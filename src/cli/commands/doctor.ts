import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import type { Style } from '../terminal/terminal.ts';
import { counted, padTo, widthOf } from '../views/columns.ts';

const STYLES: Record<string, Style> = { ok: 'green', hint: 'yellow', broken: 'red' };

export const command: Command = {
  summary: 'what is set up, what is broken, how to fix it',
  usage: ['bearings doctor', 'bearings doctor --fix config|repositories|ledger'],
  details: [
    'Checks node, home, key, cache, configuration, tastes, workspaces (files, permissions, locks,',
    'ledger, unfinished decisions, stale proposals) and clients, and names the one command that',
    'fixes each fault. It changes nothing and runs nothing of a project; a client’s entry is started only',
    'where it is what install would write here. Exit code 1: something is broken.',
    '--fix does what a line of the report names; what it replaces is saved next to it.',
  ],
  options: { fix: { type: 'string', value: 'WHAT', about: 'fix what the report names' } },
  waitingFor: 'checking what is set up',
  maxWords: 0,
  examples: [
    { line: 'bearings doctor', about: 'one line per thing that was checked' },
    { line: 'bearings doctor --json', about: 'the same for programs' },
    { line: 'bearings doctor --fix repositories', about: 'forget repositories that are gone' },
  ],
  async run({ text, bearings, terminal, json }) {
    const { print, paint } = terminal;
    const what = text('fix');
    const clients = await bearings.clients();
    if (what !== undefined) {
      const done = await clients.fix(what);
      print(json ? JSON.stringify({ fixed: what, done }, null, 2) : showHidden(done, { keepLines: true }));
      return EXIT.done;
    }
    const findings = await clients.examine();
    const broken = findings.filter(({ status }) => status === 'broken').length;
    if (json) print(JSON.stringify({ ok: broken === 0, findings }, null, 2));
    else {
      const width = Math.max(...findings.map(({ check }) => widthOf(check)));
      for (const { check, status, what, fix } of findings) {
        print(
          `${paint(STYLES[status] ?? 'dim', padTo(status, 6))}  ${padTo(showHidden(check), width)}  ${showHidden(what)}`,
        );
        if (fix !== null)
          print(`${' '.repeat(width + 10)}${status === 'broken' ? 'fix it' : 'you may'}: ${showHidden(fix)}`);
      }
      print(broken === 0 ? 'nothing is broken' : `${counted(broken, 'fault')}`);
    }
    return broken === 0 ? EXIT.done : EXIT.checkFailed;
  },
};
