import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call, Command } from '../command.ts';
import { EXIT, needsTerminal } from '../command.ts';
import { askPassphrase } from '../proof.ts';
import { ageOf } from '../views/age.ts';
import { counted, padTo } from '../views/columns.ts';

const WORDS: Record<string, string> = {
  yours: 'signed by you',
  earlier: 'signed by you with an earlier key',
  trusted: 'signed by a key you trust',
  unproven: 'signed by the key in your home',
  foreign: 'signed by a key you do not know',
  retired: 'signed by a key you gave up',
  unsigned: 'unsigned',
  broken: 'broken',
};

export const command: Command = {
  summary: 'check that every decision is yours',
  usage: [
    'bearings verify [--expect FINGERPRINT]',
    'bearings verify --trust FINGERPRINT',
    'bearings verify --untrust FINGERPRINT',
    'bearings verify --new-key',
  ],
  details: [
    'Checks every ledger: each signature, the chain, and its end against what the home remembers.',
    'With a passphrase set it asks for it: only then can it say that the key is yours.',
    'Exit code 1 when something is wrong. Text that you wrote by hand is counted, and no problem.',
    'It prints the fingerprint of your key: write it down elsewhere. --expect compares the key with it,',
    'and so tells also where key and ledgers were replaced together.',
    '--new-key makes another key where yours is lost; it asks first, and earlier decisions are no longer called yours.',
    '--trust counts the decisions of a key that a ledger here holds, a team mate’s; it asks first.',
  ],
  options: {
    expect: { type: 'string', value: 'FINGERPRINT', about: 'fail unless your key is this one' },
    'new-key': { type: 'boolean', about: 'make a new key where yours is lost' },
    trust: { type: 'string', value: 'FINGERPRINT', about: 'count the decisions of this key from now on' },
    untrust: { type: 'string', value: 'FINGERPRINT', about: 'count them no longer' },
  },
  waitingFor: 'checking every decision',
  maxWords: 0,
  examples: [
    { line: 'bearings verify', about: 'one line per ledger' },
    { line: 'bearings verify --json', about: 'every entry' },
  ],
  async run({ bearings, terminal, json, text, flag }) {
    if (flag('new-key')) return newKey({ bearings, terminal });
    const expected = fingerprintIn(text('expect'));
    const [trust, untrust] = [text('trust'), text('untrust')];
    if (trust !== undefined) return setTrust({ bearings, terminal }, trust);
    if (untrust !== undefined) {
      await bearings.internal.untrustKey(untrust);
      terminal.print(`${untrust} is no longer trusted`);
      return EXIT.done;
    }
    const asks = (await bearings.gate.confirmLevel()) === 'passphrase' && terminal.canAsk;
    const passphrase = asks ? await terminal.askSecret('passphrase (empty: do not prove): ') : null;
    const reports = await bearings.gate.verify(passphrase || null, expected);
    const key = await bearings.internal.keyInfo();
    const isOther = expected !== undefined && expected !== key.fingerprint;
    const answers = await bearings.internal.unbackedAnswers();
    const runs = answers.map(({ run, key }) => `run ${run}: the answer at ${key} has no decision of yours behind it`);
    const problems = [
      ...(isOther ? ['the key in your home is not the one you expect: it was replaced'] : []),
      ...reports.flatMap((report) => report.problems),
      ...runs,
    ];
    if (json)
      terminal.print(JSON.stringify({ ok: problems.length === 0, key, ledgers: reports, runs: answers }, null, 2));
    else if (reports.length === 0 && problems.length === 0) terminal.print('no decision was made yet');
    else {
      for (const { ledger, machine, entries, findings, unaccounted } of reports) {
        const kinds = new Map<string, number>();
        for (const { verdict } of entries) kinds.set(verdict, (kinds.get(verdict) ?? 0) + 1);
        const summary = [...kinds].map(([verdict, count]) => `${count} ${WORDS[verdict] ?? verdict}`).join(', ');
        terminal.print(`${padTo(ledger, 20)}  ${padTo(machine, 24)}  ${summary}`);
        for (const line of told(findings)) terminal.print(`  ${terminal.paint('red', showHidden(line))}`);
        for (const { seq, at, decision, erased = 0 } of entries)
          if (decision === 'erase')
            terminal.print(
              `  entry ${seq}: a text was erased on ${at.slice(0, 10)}, ${counted(erased, 'record')} of it here`,
            );
        for (const { file, count } of unaccounted)
          terminal.print(`  ${counted(count, 'block')} of ${showHidden(file)} by hand, unaccounted: bearings review`);
      }
      for (const line of runs) terminal.print(terminal.paint('red', showHidden(line)));
      if (isOther) terminal.print(terminal.paint('red', problems[0] ?? ''));
      terminal.print(
        `your key ${key.fingerprint} · ${key.level} · ${key.made_at ? `made ${ageOf(key.made_at, new Date())}` : 'of the first format'}`,
      );
      terminal.print(problems.length === 0 ? 'all is well' : `${counted(problems.length, 'problem')}`);
    }
    return problems.length === 0 ? EXIT.done : EXIT.checkFailed;
  },
};

// What can be no fingerprint was mistyped or cut short: that says nothing of the key.
function fingerprintIn(given: string | undefined): string | undefined {
  const written = given?.replace(/\s/g, '').toLowerCase();
  if (written === undefined || /^[0-9a-f]{64}$/.test(written)) return written;
  throw invalidInput(
    '--expect takes a whole fingerprint: 64 digits from 0 to f.',
    'See the one of your key: bearings key',
  );
}

// A cloned ledger may hold thousands of entries by one key: one line says it.
function told(findings: readonly { kind: string; message: string }[]): string[] {
  const foreign = new Map<string, number>();
  const lines: string[] = [];
  for (const { kind, message } of findings) {
    if (kind !== 'foreign_key') lines.push(message);
    else {
      const key = /\(([^)]*)\)$/.exec(message)?.[1] ?? '';
      foreign.set(key, (foreign.get(key) ?? 0) + 1);
    }
  }
  for (const [key, count] of foreign)
    lines.push(
      `${counted(count, 'decision')} by a key you do not know: ${key} · trust it: bearings verify --trust ${key}`,
    );
  return lines;
}

async function newKey({ bearings, terminal }: Pick<Call, 'bearings' | 'terminal'>): Promise<number> {
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may say that a key is lost.');
  terminal.print('With a new key none of your earlier decisions is called yours any more, and verify says so.');
  const answer = (await terminal.ask('Is key.json lost, with every backup of it? Type new key: '))?.trim();
  if (answer !== 'new key') {
    terminal.print('nothing changed');
    return EXIT.done;
  }
  await bearings.internal.replaceLostKey();
  terminal.print(`made · ${(await bearings.internal.keyInfo()).fingerprint} · write it down · bearings verify`);
  return EXIT.done;
}

async function setTrust(
  { bearings, terminal }: Pick<Call, 'bearings' | 'terminal'>,
  fingerprint: string,
): Promise<number> {
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may trust a key.');
  const found = (await bearings.internal.unknownKeys()).find((key) => key.fingerprint === fingerprint);
  if (found)
    terminal.print(
      showHidden(
        `${fingerprint} signed ${counted(found.decisions, 'decision')} of ${found.ledger}, as ${found.who} on ${found.machine}.`,
      ),
    );
  const answer = found
    ? (await terminal.ask('Did its owner tell you this fingerprint? Type yes to trust it: '))?.trim()
    : '';
  if (found && answer !== 'yes') {
    terminal.print('nothing changed');
    return EXIT.done;
  }
  const passphrase = (await askPassphrase({ bearings, terminal })) ?? undefined;
  await bearings.internal.trustKey(fingerprint, { passphrase });
  terminal.print(`trusted · ${fingerprint} · bearings verify`);
  return EXIT.done;
}
