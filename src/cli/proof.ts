import { BearingsError } from '../errors.ts';
import type { Proof } from '../gate/keys/confirm-level.ts';
import type { PasskeyAct } from '../gate/ledger/ledger.ts';
import type { Call } from './command.ts';

const MAX_TRIES = 3;
/** A browser breaks lines by itself. */
export const PAGE_COLUMNS = 1000;

/** Undefined: the level asks for none; null: the person left it. A wrong one is asked for again, before anything else is. */
export async function askPassphrase({
  bearings,
  terminal,
}: Pick<Call, 'bearings' | 'terminal'>): Promise<string | undefined | null> {
  const gate = await bearings.gate();
  if ((await gate.confirmLevel()) !== 'passphrase') return undefined;
  for (let tries = 1; ; tries += 1) {
    const typed = await terminal.askSecret('passphrase: ');
    if (typed === null) return null;
    try {
      await gate.checkPassphrase(typed);
      return typed;
    } catch (error) {
      if (!(error instanceof BearingsError) || error.data.passphrase !== 'wrong' || tries === MAX_TRIES) throw error;
      terminal.print('The passphrase is wrong. Once more; Ctrl-C leaves it.');
    }
  }
}

/** At `passkey`: the page opens for this one yes and shows what it is about. Null: the person left it. */
export async function askOnPage<T>(
  { terminal, openPage }: Pick<Call, 'terminal' | 'openPage'>,
  asked: { title: string; text: readonly string[] },
  work: (proof: { via: 'page'; passkey: PasskeyAct }) => Promise<T>,
): Promise<T | null> {
  terminal.print('Decisions here are signed by your authenticator: the page opens for this one.');
  let outcome: T | null = null;
  await openPage({
    title: asked.title,
    lines: [],
    text: asked.text.join('\n'),
    kind: 'sign',
    async run({ act }) {
      outcome = await work({ via: 'page', passkey: act });
    },
  });
  return outcome;
}

/** For a word that was typed as a command: whatever the level asks for beside it. Null: the person left it. */
export async function withProof<T>(call: Call, title: string, work: (proof: Proof) => Promise<T>): Promise<T | null> {
  if ((await (await call.bearings.gate()).confirmLevel()) === 'passkey')
    return askOnPage(call, { title, text: [title] }, ({ passkey }) => work({ passkey }));
  const passphrase = call.terminal.canAsk ? await askPassphrase(call) : undefined;
  return passphrase === null ? null : work({ passphrase });
}
