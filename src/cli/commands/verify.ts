import { showHidden } from '../../safety/hidden-characters.ts';
import type { Call, Command } from '../command.ts';
import { EXIT, needsTerminal } from '../command.ts';
import { askPassphrase, withProof } from '../proof.ts';
import { ageOf } from '../views/age.ts';
import { counted, padTo } from '../views/columns.ts';

const WORDS: Record<string, string> = {
  yours: 'signed by you',
  earlier: 'signed by you with an earlier key',
  trusted: 'signed by a key you trust',
  unproven: 'signed by the key in your home',
  foreign: 'signed by a key you do not know',
  retired: 'signed by a key you gave up',
  clone: 'came with the folder',
  broken: 'not counted',
};

export const command: Command = {
  summary: 'check that every decision is yours',
  usage: [
    'bearings verify [--expect CODE]',
    'bearings verify --trust FINGERPRINT',
    'bearings verify --untrust FINGERPRINT',
    'bearings verify --new-key',
  ],
  details: [
    'Checks every ledger: each signature, the chain, and its end against what the home remembers.',
    'With a passphrase set it asks for it: only then can it say that the key is yours.',
    'Exit code 1 when something is wrong. Text that you wrote by hand is counted, and no problem.',
    'It prints a code of 26 letters: write it down elsewhere. --expect says whether everything of that moment is still',
    'there, and so tells also where key, home and ledgers were put back or replaced together.',
    '--new-key makes another key where yours is lost; it asks first, and earlier decisions are no longer called yours.',
    '--trust counts the decisions of a key that a ledger here holds, a team mate’s; it asks first.',
  ],
  options: {
    expect: {
      type: 'string',
      value: 'CODE',
      about: 'fail unless the state with this code, or the key with this fingerprint, is here',
    },
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
  async run(call) {
    const { bearings, terminal, json, text, flag } = call;
    if (flag('new-key')) return newKey({ bearings, terminal });
    const [trust, untrust] = [text('trust'), text('untrust')];
    if (trust !== undefined) return setTrust({ bearings, terminal }, trust);
    if (untrust !== undefined) {
      await withProof(call, `Trust ${untrust} no longer`, async (proof) => {
        await (await bearings.gate()).untrustKey(untrust, proof);
        terminal.print(`${untrust} is no longer trusted`);
      });
      return EXIT.done;
    }
    const gate = await bearings.gate();
    const asks = (await gate.confirmLevel()) === 'passphrase' && terminal.canAsk;
    const passphrase = asks ? await terminal.askSecret('passphrase (empty: do not prove): ') : null;
    const { ledgers, faults, code, contained } = await gate.verify(passphrase || null, text('expect') ?? null);
    const key = await gate.keyInfo();
    const answers = await (await bearings.runs()).unbackedAnswers();
    const runs = answers.map(({ run, key }) => `run ${run}: the answer at ${key} has no decision of yours behind it`);
    const problems = faults.filter(({ calm }) => !calm).length + runs.length;
    if (json)
      terminal.print(
        JSON.stringify({ ok: problems === 0, key, code, contained, ledgers, faults, runs: answers }, null, 2),
      );
    else if (ledgers.every(({ entries }) => entries.length === 0) && faults.length + runs.length === 0)
      terminal.print('no decision was made yet');
    else {
      for (const { ledger, entries, faults: own, unaccounted } of ledgers) {
        if (entries.length + own.length + unaccounted.length === 0) continue;
        const kinds = new Map<string, number>();
        for (const { status } of entries) kinds.set(status, (kinds.get(status) ?? 0) + 1);
        const summary = [...kinds].map(([status, count]) => `${count} ${WORDS[status] ?? status}`).join(', ');
        terminal.print(`${padTo(showHidden(ledger), 20)}  ${summary}`);
        for (const { chain, message, calm } of own)
          terminal.print(
            `  ${terminal.paint(calm ? 'yellow' : 'red', showHidden(chain === null ? message : `${chain}: ${message}`))}`,
          );
        for (const foreign of new Set(entries.flatMap(({ status, key: by }) => (status === 'foreign' ? [by] : []))))
          terminal.print(`  trust it: bearings verify --trust ${showHidden(foreign)}`);
        for (const { seq, at, decision, erased = 0 } of entries)
          if (decision === 'erase')
            terminal.print(
              `  entry ${seq}: a text was erased on ${at.slice(0, 10)}, ${counted(erased, 'record')} of it here`,
            );
        for (const { file, count } of unaccounted)
          terminal.print(`  ${counted(count, 'block')} of ${showHidden(file)} by hand, unaccounted: bearings review`);
      }
      for (const line of runs) terminal.print(terminal.paint('red', showHidden(line)));
      terminal.print(`your key ${key.fingerprint} · ${key.level} · made ${ageOf(key.made_at ?? '', new Date())}`);
      if (code !== null) terminal.print(`code ${code} · write it down: bearings verify --expect ${code}`);
      if (contained) terminal.print(`contained, ${counted(contained.since, 'decision')} since`);
      terminal.print(problems === 0 ? 'all is well' : counted(problems, 'problem'));
    }
    return problems === 0 ? EXIT.done : EXIT.checkFailed;
  },
};

async function newKey({ bearings, terminal }: Pick<Call, 'bearings' | 'terminal'>): Promise<number> {
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may say that a key is lost.');
  terminal.print('With a new key none of your earlier decisions is called yours any more, and verify says so.');
  const answer = (await terminal.ask('Is key.json lost, with every backup of it? Type new key: '))?.trim();
  if (answer !== 'new key') {
    terminal.print('nothing changed');
    return EXIT.done;
  }
  const gate = await bearings.gate();
  await gate.replaceLostKey();
  terminal.print(`made · ${(await gate.keyInfo()).fingerprint} · write it down · bearings verify`);
  return EXIT.done;
}

async function setTrust(
  { bearings, terminal }: Pick<Call, 'bearings' | 'terminal'>,
  fingerprint: string,
): Promise<number> {
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may trust a key.');
  const gate = await bearings.gate();
  const found = (await gate.unknownKeys()).find((key) => key.fingerprint === fingerprint);
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
  await gate.trustKey(fingerprint, { passphrase });
  terminal.print(`trusted · ${fingerprint} · bearings verify`);
  return EXIT.done;
}
