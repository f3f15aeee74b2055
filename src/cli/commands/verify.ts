import { BearingsError, invalidInput } from '../../errors.ts';
import type { ConfirmLevel } from '../../gate/ledger/entry.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needsTerminal, oneOf } from '../command.ts';
import { askPassphrase, withProof } from '../proof.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { ageOf, counted, padTo, wrap } from '../views/columns.ts';

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

export const command = defineCommand({
  help: `
    bearings verify [--expect CODE | --by FINGERPRINT… | --trust FINGERPRINT | --untrust FINGERPRINT | --new-key]
    bearings verify key [add]

    Checks every ledger: each signature, the chain, and its end against what the home remembers. With a passphrase
    set it asks for it: only then can it say that the key is yours. Exit code 1 when something is wrong.

    It prints a code of 26 letters: note it down away from this machine. --expect tells also where key, home and
    ledgers were put back or replaced together. --by is for a runner of CI: it trusts nobody for later, and names
    every line that none of these keys covers.

    verify key shows the key that signs your decisions, and what to keep for the day that a machine, a passphrase or
    an authenticator is lost. add registers another authenticator, confirmed by one you have.

    --expect CODE  fail unless the state with this code, or the key with this fingerprint, is here
    --by FINGERPRINT …  fail unless all memory of this repository was decided by one of these keys; repeatable
    --new-key  make a new key where yours is lost; asks first, and earlier decisions are no longer called yours
    --trust FINGERPRINT  count the decisions of this key, a team mate’s, from now on; asks first
    --untrust FINGERPRINT  count them no longer

    bearings verify --by 5c36…e1 --by 9c56…07  in CI: only these two decided
    bearings verify key  what to write down, and what to back up
  `,
  maxWords: 100,
  async run(call) {
    const { words, bearings, terminal, text, list, flag } = call;
    if (list('by').length > 0) return verifyBy(call, [...list('by'), ...words]);
    if (words.length > 0) {
      await oneOf('verify', words.join(' '), ['key', 'key add']);
      return words.length === 1 ? showKey(call) : addAuthenticator(call);
    }
    if (flag('new-key')) return newKey(call);
    const [trust, untrust] = [text('trust'), text('untrust')];
    if (trust !== undefined) return setTrust(call, trust);
    if (untrust === undefined) return verifyAll(call);
    await withProof(call, `Trust ${untrust} no longer`, async (proof) => {
      await (await bearings.gate()).untrustKey(untrust, proof);
      terminal.print(`${untrust} is no longer trusted`);
    });
    return EXIT.done;
  },
});

async function verifyBy({ bearings, terminal, answer }: Call, keys: string[]): Promise<number> {
  const ledgers = await (await bearings.gate()).verifyBy(keys);
  const told = ledgers.flatMap(({ ledger, faults, unaccounted }) => [
    ...faults.map(({ chain, message }) => `${ledger}: ${chain === null ? '' : `${chain}: `}${message}`),
    ...unaccounted.map(({ file, line }) => `${ledger}: ${file}:${line}: no decision by one of these keys covers it`),
  ]);
  const problems = ledgers.length > 0 ? told : ['there is no memory in this repository'];
  const end = problems.length === 0 ? 'all of it was decided by these keys' : counted(problems.length, 'problem');
  const lines = () => [...problems.map((line) => terminal.paint('red', showHidden(line))), end];
  return answer({ ok: problems.length === 0, ledgers }, lines, problems.length === 0);
}

async function verifyAll({ bearings, terminal, text, answer }: Call): Promise<number> {
  const gate = await bearings.gate();
  // Gone or damaged: the list goes on, and what to do is said beside it.
  const key = await gate.keyInfo().catch((error: unknown) => {
    if (!(error instanceof BearingsError)) throw error;
    terminal.warn(`warning: ${error.message} ${error.hint ?? ''}`);
    return null;
  });
  const asks = key?.level === 'passphrase' && terminal.canAsk;
  const passphrase = asks ? await terminal.askSecret('passphrase (empty: do not prove): ') : null;
  const { ledgers, faults, code, contained } = await gate.verify(passphrase || null, text('expect') ?? null);
  const runs = await (await bearings.runs()).unbackedAnswers();
  const calm = faults.filter((fault) => fault.calm).length;
  const problems = faults.length - calm + runs.length;
  const lines = () => {
    if (ledgers.every(({ entries }) => entries.length === 0) && faults.length + runs.length === 0)
      return 'no decision was made yet';
    // Of what another key signed the one in the home is no proof.
    const isReplaced = faults.some(({ kind }) => kind === 'key_replaced');
    const words = isReplaced ? { ...WORDS, unproven: 'signed by a key that is not in your home' } : WORDS;
    const red = (line: string) => terminal.paint('red', showHidden(line));
    return [
      ...ledgers.flatMap((ledger) => ledgerLines(ledger, terminal, words)),
      ...runs.map(({ run, key: at }) => red(`run ${run}: no decision of yours covers the answer at ${at}`)),
      ...(key ? [`your key ${key.fingerprint} · ${key.level} · made ${ageOf(key.made_at ?? '', new Date())}`] : []),
      ...(code === null
        ? []
        : [`code ${code} · note it down away from this machine: bearings verify --expect ${code}`]),
      ...(contained ? [`contained, ${counted(contained.since, 'decision')} since`] : []),
      // What has an ordinary cause is no problem, and is counted as `review` counts it.
      problems > 0
        ? counted(problems, 'problem')
        : calm === 0
          ? 'all is well'
          : `no problem, and ${counted(calm, 'fault')} to look at: bearings review`,
    ];
  };
  const ok = problems === 0;
  return answer({ ok, key, code, contained, ledgers, faults, runs }, lines, ok);
}

type Gate = Awaited<ReturnType<Call['bearings']['gate']>>;
type Ledger = Awaited<ReturnType<Gate['verify']>>['ledgers'][number];

function ledgerLines(
  { ledger, entries, faults, unaccounted }: Ledger,
  { paint }: Terminal,
  words: typeof WORDS,
): string[] {
  if (entries.length + faults.length + unaccounted.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { status } of entries) counts.set(status, (counts.get(status) ?? 0) + 1);
  const summary = [...counts].map(([status, count]) => `${count} ${words[status] ?? status}`).join(', ');
  const foreign = new Set(entries.flatMap(({ status, key }) => (status === 'foreign' ? [key] : [])));
  const erasures = entries.filter(({ decision }) => decision === 'erase');
  const how = foreign.size > 0 ? 'by hand or by such a key' : 'by hand';
  return [
    `${padTo(showHidden(ledger), 20)}  ${summary}`,
    ...faults.map(({ chain, message, calm }) =>
      paint(calm ? 'yellow' : 'red', `  ${showHidden(chain === null ? message : `${chain}: ${message}`)}`),
    ),
    ...[...foreign].map((key) => `  trust it: bearings verify --trust ${showHidden(key)}`),
    ...erasures.map(
      ({ seq, at, erased = 0 }) =>
        `  entry ${seq}: a text was erased on ${at.slice(0, 10)}, ${counted(erased, 'record')} of it here`,
    ),
    ...unaccounted.map(
      ({ file, count }) => `  ${counted(count, 'block')} of ${showHidden(file)} ${how}, unaccounted: bearings review`,
    ),
  ];
}

async function newKey({ bearings, terminal, answer }: Call): Promise<number> {
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may say that a key is lost.');
  terminal.print(
    terminal.fold('With a new key none of your earlier decisions is called yours any more, and verify says so.'),
  );
  const typed = (await terminal.ask('Is key.json lost, with every backup of it? Type new key: '))?.trim();
  if (typed !== 'new key') return answer(null, () => 'nothing changed');
  await (await bearings.gate()).replaceLostKey();
  const { fingerprint } = await (await bearings.gate()).keyInfo();
  return answer({ fingerprint }, () => `made · ${fingerprint} · write it down · bearings verify`);
}

async function setTrust(call: Call, fingerprint: string): Promise<number> {
  const { bearings, terminal, answer } = call;
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may trust a key.');
  const key = (await (await bearings.gate()).unknownKeys()).find((each) => each.fingerprint === fingerprint);
  if (key) {
    const signed = `signed ${counted(key.decisions, 'decision')} of ${key.ledger}, as ${key.who} on ${key.machine}.`;
    terminal.print(terminal.fold(showHidden(`${fingerprint} ${signed}`)));
    const typed = await terminal.ask('Did its owner tell you this fingerprint? Type yes to trust it: ');
    if (typed?.trim() !== 'yes') return answer(null, () => 'nothing changed');
  }
  await (await bearings.gate()).trustKey(fingerprint, { passphrase: (await askPassphrase(call)) ?? undefined });
  return answer({ fingerprint }, () => `trusted · ${fingerprint} · bearings verify`);
}

async function showKey({ bearings, terminal, answer }: Call): Promise<number> {
  const key = await (await bearings.gate()).keyInfo();
  const page = await (await bearings.gate()).passkeys();
  const advice = ADVICE[key.level];
  return answer({ ...key, port: page?.port ?? null, advice }, () => [
    `fingerprint    ${key.fingerprint}`,
    `level          ${key.level}`,
    `made           ${key.made_at ? ageOf(key.made_at, new Date()) : 'with the first format'}`,
    ...(page ? [`page           http://localhost:${page.port}/`] : []),
    ...key.authenticators.map(
      ({ fingerprint, added_at }, index) =>
        `authenticator  ${index + 1}, added ${added_at.slice(0, 10)}, ${fingerprint.slice(0, 16)}…`,
    ),
    '',
    ...advice.flatMap((line) => wrap(line, Math.min(terminal.columns, 100))),
  ]);
}

const WRITE_DOWN =
  'Write the fingerprint down where no program of this machine can change it: bearings verify --expect compares it.';
const LOST =
  'If the key is lost with every backup: move key.json away, then bearings verify --new-key. Earlier decisions are no longer called yours until you trust the key that signed them: bearings verify --trust.';

/** What to do before, and after. */
const ADVICE: Record<ConfirmLevel, string[]> = {
  ask: [
    WRITE_DOWN,
    'Keep a copy of the home where only you can read it: whoever has key.json can sign as you. On a new machine restore it.',
    LOST,
  ],
  passphrase: [
    WRITE_DOWN,
    'Keep a copy of key.json (it is locked) and the passphrase, each in its own place: nobody can bring the passphrase back.',
    'On a new machine restore the home and go on. If the passphrase is forgotten, the key is lost.',
    LOST,
  ],
  passkey: [
    WRITE_DOWN,
    'Register a second authenticator and keep it elsewhere: bearings verify key add. Keep a copy of the home: key.json holds no secret, but says which authenticators are yours.',
    'On a new machine restore the home: an authenticator that you can plug in, or that your devices share, signs there too. One that is built into the old machine does not.',
    'If one is lost or stolen, leave the level with another one (bearings config confirm ask), then register again (bearings config confirm passkey): after that nothing that the lost one gives counts.',
    LOST,
  ],
};

async function addAuthenticator({ bearings, terminal, openPage, answer }: Call): Promise<number> {
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may add an authenticator.');
  const gate = await bearings.gate();
  if ((await gate.confirmLevel()) !== 'passkey')
    throw invalidInput(
      'No authenticator is registered yet.',
      'Register the first one: bearings config confirm passkey',
    );
  const isAdded = await openPage({
    title: 'Add an authenticator',
    lines: [
      'The new one will sign decisions like those you have.',
      'First it is registered, then one that you have signs that it is yours.',
    ],
    kind: 'add',
    async run({ act, registration, port }) {
      if (registration) await gate.addAuthenticator(registration, port, act);
    },
  });
  return answer({ added: isAdded }, () => (isAdded ? 'added · bearings verify key' : 'nothing changed'));
}
