import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { Rooms } from '../../../src/bearings.ts';
import { type PasskeyAct, signedAct } from '../../../src/gate/ledger/ledger.ts';
import { enterRaw, post, type Raw, raw, withCredentials } from './page-requests.ts';
import type { RunningUi } from './page-server.ts';

/** What a signature says; each part can be wrong, and is signed all the same. */
interface Said {
  challenge: string;
  origin?: string;
  type?: string;
  party?: string;
  /** User present 1, user verified 4. */
  flags?: number;
}

/** An authenticator in software: it signs whatever it is told, as no real one does. */
export function softAuthenticator(port: number) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const credential = createHash('sha256').update(spki).digest('base64url');
  return {
    registration: { credential, public_key: spki },
    public_key: `passkey:${port}:${spki}`,
    signature({ challenge, origin, type = 'webauthn.get', party = 'localhost', flags = 5 }: Said) {
      const data = { type, challenge, origin: origin ?? `http://localhost:${port}`, crossOrigin: false };
      const clientData = Buffer.from(JSON.stringify(data));
      const counter = Buffer.alloc(4);
      const authenticator = Buffer.concat([createHash('sha256').update(party).digest(), Buffer.from([flags]), counter]);
      const over = Buffer.concat([authenticator, createHash('sha256').update(clientData).digest()]);
      return {
        credential,
        authenticator_data: authenticator.toString('base64url'),
        client_data: clientData.toString('base64url'),
        signature: sign('sha256', over, privateKey).toString('base64url'),
      };
    },
  };
}

export type SoftAuthenticator = ReturnType<typeof softAuthenticator>;

/** The person confirms with it, as the page would have it done: a draft, the signature, then for real. */
export async function signedWith<T>(
  bearings: Rooms,
  authenticator: SoftAuthenticator,
  work: (act: PasskeyAct) => Promise<T>,
  first?: PasskeyAct,
): Promise<T> {
  const { credential } = authenticator.registration;
  const gate = await bearings.gate();
  const question = await gate.questionFor(first ?? (await gate.actFor(credential)), credential, work);
  if (!question) throw new Error('There was nothing to sign.');
  const { act, challenge } = question;
  return work(signedAct(act, { alg: 'webauthn', ...authenticator.signature({ challenge }) }));
}

/** Up to `passkey`, from `ask` or with the passphrase. */
export async function raised(
  bearings: Rooms,
  authenticator: SoftAuthenticator,
  { port, passphrase }: { port: number; passphrase?: string },
): Promise<void> {
  const { registration } = authenticator;
  const act = await (await bearings.gate()).firstAct(registration, port);
  const register = async (passkey: PasskeyAct) =>
    (await bearings.gate()).registerPasskey(registration.credential, { passphrase, passkey });
  await signedWith(bearings, authenticator, register, act);
}

/** What a program sends that has the code of the page. */
export async function pageVisit(ui: RunningUi) {
  const entered = await enterRaw(ui);
  if (!entered) throw new Error('The code was refused.');
  const headers = { ...withCredentials(entered), host: new URL(ui.address).host };
  const send = async (path: string, body: unknown) => asAnswer(await post(ui, path, body, headers));
  return { send, look: async (path: string) => asAnswer(await raw(ui, path, { headers })) };
}

interface Answer {
  status: number;
  value: Record<string, unknown> & {
    unsigned?: { id: string; challenge: string; credential: string };
    error?: { code: string; message: string };
  };
}

function asAnswer({ status, text }: Raw): Answer {
  return { status, value: JSON.parse(text) };
}
