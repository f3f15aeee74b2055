import { invalidInput } from '../../errors.ts';
import type { ConfirmLevel } from '../../gate/ledger/entry.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import { type Call, defineCommand, EXIT, needed, needsTerminal, subCommand } from '../command.ts';
import { askPassphrase } from '../proof.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { table } from '../views/columns.ts';

export const command = defineCommand({
  help: `
    bearings config [list]
    bearings config get KEY
    bearings config set KEY VALUE [--project]
    bearings config unset KEY [--project]
    bearings config check
    bearings config confirm ask|passphrase|passkey [--port N]

    Order: option, variable, .bearings/config.yaml of the project, config.yaml of the home, default.
    set writes one line of the home’s config.yaml and leaves all others as they are; unset takes it
    away. check ends with exit code 1 when a file has a problem, and names line and column.
    confirm says what a decision needs beside your yes: nothing (ask), a passphrase that opens the key, or your
    authenticator on the page (passkey). Leaving a level needs its own proof.

    --project  set, unset: in .bearings/config.yaml of the project
    --port N  with confirm passkey: the port your authenticator signs on for good

    bearings config set max_chars 40000  shorter texts for agents
    bearings config confirm passkey  register your authenticator on the page
  `,
  maxWords: 3,
  async run(call) {
    const words = call.words[0] === 'show' ? [] : call.words;
    return subCommand({ ...call, words }, 'config', { list, get, set: write, unset: write, check, confirm });
  },
});

async function list({ bearings, answer }: Call): Promise<number> {
  const settings = await (await bearings.settings()).showSettings();
  return answer(settings, () => table(settings.map(({ key, value, origin }) => [key, String(value), origin])));
}

async function get({ words: [name], bearings, answer }: Call): Promise<number> {
  const setting = await (await bearings.settings()).getSetting(wanted(name, 'get'));
  return answer(setting, () => String(setting.value ?? ''));
}

async function check({ bearings, answer }: Call): Promise<number> {
  const problems = await (await bearings.settings()).checkSettings();
  const ok = problems.length === 0;
  const lines = problems.map(({ file, line, column, message }) => `${file}:${line}:${column}  ${message}`);
  return answer({ ok, problems }, () => (ok ? 'the configuration is valid' : lines), ok);
}

async function write(
  { words: [name, value], flag, bearings, terminal, json, answer }: Call,
  verb: string,
): Promise<number> {
  const key = wanted(name, verb);
  const example = `For example: bearings config set ${showHidden(key)} VALUE`;
  const text = verb === 'unset' ? null : needed(value, `What should ${showHidden(key)} be?`, example);
  const settings = await bearings.settings();
  const written = await settings.setSetting(key, text, { project: flag('project') });
  const now = await settings.getSetting(written.key);
  const said = written.value === null ? `${written.key} is no longer set` : `${written.key} is ${written.value}`;
  // A variable or a project's own file comes first: the person should not wonder.
  const isOverridden = written.value !== null && String(now.value) !== String(written.value);
  if (!json && isOverridden && !now.origin.startsWith(written.file))
    terminal.warn(`warning: ${now.origin} overrides it with ${showHidden(String(now.value))}`);
  return answer({ ...written, now }, () => `${said} · ${written.file}`);
}

function wanted(key: string | undefined, verb: string): string {
  return needed(
    key,
    'Which setting?',
    `For example: bearings config ${verb} max_chars${verb === 'set' ? ' 40000' : ''}`,
  );
}

// The level is the state of the key itself: no file can lower it, only its own proof can.
async function confirm(call: Call): Promise<number> {
  const { words, bearings, terminal } = call;
  const [level] = words;
  if (level !== 'passphrase' && level !== 'ask' && level !== 'passkey')
    throw invalidInput('confirm takes ask, passphrase or passkey.', 'For example: bearings config confirm passkey');
  if (!terminal.canAsk) throw needsTerminal('This needs a terminal: only a person may change it.');
  const gate = await bearings.gate();
  const present = await gate.confirmLevel();
  if (present === level) {
    terminal.print(`confirm is ${level} already`);
    return EXIT.done;
  }
  const isChanged = level === 'passkey' ? await register(call) : await setLevel(call, present, level);
  terminal.print(isChanged ? `confirm is now ${level}` : 'nothing changed');
  if (isChanged) {
    const { fingerprint } = await gate.keyInfo();
    terminal.print(`your key ${fingerprint} · write it down elsewhere · bearings verify key`);
  }
  return EXIT.done;
}

// From a passkey the page asks for its proof; between the others what was typed is proof enough.
async function setLevel(call: Call, present: ConfirmLevel, level: 'ask' | 'passphrase'): Promise<boolean> {
  const { bearings, terminal, openPage } = call;
  const gate = await bearings.gate();
  const passphrase = level === 'passphrase' ? await newPassphrase(terminal) : null;
  if (level === 'passphrase' && !passphrase) return false;
  if (present === 'passkey')
    return openPage({
      title: `Lower the level to ${level}`,
      lines: [
        'From now on decisions are signed without your authenticator.',
        level === 'ask'
          ? 'A program with your account can then decide in your name.'
          : 'They need the passphrase that you typed in the terminal.',
      ],
      kind: 'sign',
      run: async ({ act }) => gate.setPassphrase(passphrase, { passkey: act }),
    });
  const proof = await askPassphrase(call);
  if (proof === null) return false;
  await gate.setPassphrase(passphrase, { passphrase: proof });
  return true;
}

async function newPassphrase(terminal: Terminal): Promise<string | null> {
  const passphrase = await terminal.askSecret('new passphrase: ');
  if (passphrase && (await terminal.askSecret('once more: ')) !== passphrase)
    throw invalidInput('The two do not match.', 'Nothing was changed. Try again.');
  return passphrase;
}

async function register(call: Call): Promise<boolean> {
  const { bearings, openPage, number } = call;
  const port = number('port', 1, 65_535) ?? 0;
  const passphrase = await askPassphrase(call);
  if (passphrase === null) return false;
  return openPage(
    {
      title: 'Sign decisions with an authenticator',
      lines: [
        'From now on nothing enters memory before your authenticator has signed it, on this page.',
        'It asks for your finger, face or PIN. You confirm twice: once to register it, once to sign that this key is yours.',
      ],
      kind: 'register',
      run: async ({ act, registration }) =>
        (await bearings.gate()).registerPasskey(registration?.credential ?? '', { passphrase, passkey: act }),
    },
    { port },
  );
}
