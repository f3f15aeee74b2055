import { showHidden } from '../../safety/hidden-characters.ts';
import { counted, padTo } from '../columns.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

const WORDS: Record<string, string> = {
  yours: 'signed by you',
  trusted: 'signed by a key you trust',
  unproven: 'signed by the key in your home',
  foreign: 'signed by a key you do not know',
  unsigned: 'unsigned',
  broken: 'broken',
};

export const command: Command = {
  summary: 'check that every decision is yours',
  usage: ['bearings verify'],
  details: [
    'Checks every ledger: each signature, the chain, and its end against what the home remembers.',
    'With a passphrase set it asks for it: only then can it say that the key is yours.',
    'Exit code 1 when something is wrong.',
  ],
  options: {},
  maxWords: 0,
  examples: [
    { line: 'bearings verify', about: 'one line per ledger' },
    { line: 'bearings verify --json', about: 'every entry' },
  ],
  async run({ bearings, terminal, json }) {
    const asks = (await bearings.confirmLevel()) === 'passphrase' && terminal.canAsk;
    const passphrase = asks ? await terminal.askSecret('passphrase (empty: do not prove): ') : null;
    const reports = await bearings.verify(passphrase || null);
    const problems = reports.flatMap((report) => report.problems);
    if (json) terminal.print(JSON.stringify({ ok: problems.length === 0, ledgers: reports }, null, 2));
    else if (reports.length === 0) terminal.print('no decision was made yet');
    else {
      for (const { ledger, machine, entries, problems } of reports) {
        const kinds = new Map<string, number>();
        for (const { verdict } of entries) kinds.set(verdict, (kinds.get(verdict) ?? 0) + 1);
        const summary = [...kinds].map(([verdict, count]) => `${count} ${WORDS[verdict] ?? verdict}`).join(', ');
        terminal.print(`${padTo(ledger, 20)}  ${padTo(machine, 24)}  ${summary}`);
        for (const problem of problems) terminal.print(`  ${terminal.paint('red', showHidden(problem))}`);
      }
      terminal.print(problems.length === 0 ? 'all is well' : `${counted(problems.length, 'problem')}`);
    }
    return problems.length === 0 ? EXIT.done : EXIT.checkFailed;
  },
};
