import { invalidInput } from '../../errors.ts';
import type { KeyInfo } from '../../gate/keys/confirm-level.ts';
import type { Call, Command } from '../command.ts';
import { EXIT, needsTerminal } from '../command.ts';
import { ageOf } from '../views/age.ts';
import { wrap } from '../views/columns.ts';

export const command: Command = {
  summary: 'the key that signs your decisions, and what to do if it is lost',
  usage: ['bearings key', 'bearings key add'],
  details: [
    'Shows its fingerprint, its level, your authenticators, and what to keep for the day that a machine, a passphrase',
    'or an authenticator is lost. add registers another authenticator, confirmed by one you have.',
  ],
  options: {},
  maxWords: 1,
  examples: [
    { line: 'bearings key', about: 'what to write down, and what to back up' },
    { line: 'bearings key add', about: 'a second authenticator, before the first is lost' },
  ],
  async run(call) {
    const [verb] = call.words;
    if (verb === 'add') return add(call);
    if (verb !== undefined) throw invalidInput(`key takes add, not "${verb}".`, 'To see your key: bearings key');
    const { bearings, terminal, json } = call;
    const gate = await bearings.gate();
    const key = await gate.keyInfo();
    const page = await gate.passkeys();
    if (json) {
      terminal.print(JSON.stringify({ ...key, port: page?.port ?? null, advice: ADVICE[key.level] }, null, 2));
      return EXIT.done;
    }
    terminal.print(`fingerprint    ${key.fingerprint}`);
    terminal.print(`level          ${key.level}`);
    terminal.print(`made           ${key.made_at ? ageOf(key.made_at, new Date()) : 'with the first format'}`);
    if (page) terminal.print(`page           http://localhost:${page.port}/`);
    for (const [index, { fingerprint, added_at }] of key.authenticators.entries())
      terminal.print(`authenticator  ${index + 1}, added ${added_at.slice(0, 10)}, ${fingerprint.slice(0, 16)}…`);
    terminal.print('');
    for (const line of ADVICE[key.level])
      for (const row of wrap(line, Math.min(terminal.columns, 100))) terminal.print(row);
    return EXIT.done;
  },
};

const WRITE_DOWN =
  'Write the fingerprint down where no program of this machine can change it: bearings verify --expect compares it.';
const LOST =
  'If the key is lost with every backup: move key.json away, then bearings verify --new-key. Earlier decisions are no longer called yours until you trust the key that signed them: bearings verify --trust.';

/** What to do before, and after. */
const ADVICE: Record<KeyInfo['level'], string[]> = {
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
    'Register a second authenticator and keep it elsewhere: bearings key add. Keep a copy of the home: key.json holds no secret, but says which authenticators are yours.',
    'On a new machine restore the home: an authenticator that you can plug in, or that your devices share, signs there too. One that is built into the old machine does not.',
    'If one is lost or stolen, leave the level with another one (bearings config confirm ask), then register again (bearings config confirm passkey): after that nothing that the lost one gives counts.',
    LOST,
  ],
};

async function add({ bearings, terminal, openPage }: Call): Promise<number> {
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may add an authenticator.');
  if ((await (await bearings.gate()).confirmLevel()) !== 'passkey')
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
      if (!registration) return;
      const gate = await bearings.gate();
      await gate.addAuthenticator(await gate.authenticatorOf(registration, port), act);
    },
  });
  terminal.print(isAdded ? 'added · bearings key' : 'nothing changed');
  return EXIT.done;
}
