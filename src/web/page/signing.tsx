import { useState } from 'preact/hooks';
import type { Unsigned } from '../routes/sign.ts';
import { ApiError, type Posted, type PostPath, post, type Queue } from './api.ts';
import { Ask, Dialog } from './parts.tsx';
import { dotted } from './words.ts';

const STORED = 'bearings-authenticator';
/** One that is not there is waited for no longer. */
const PATIENCE_MS = 60_000;
// Held in memory for a while, never stored.
const CACHE_MS = 5 * 60_000;

export type Signing = ReturnType<typeof useSigning>;

/** Sends a yes at the level in force: asks for the passphrase, or has an authenticator sign. */
export function useSigning({ level, credentials }: Queue) {
  const [cached, setCached] = useState<{ secret: string; until: number } | null>(null);
  const [waiting, setWaiting] = useState<((secret: string | null) => void) | null>(null);
  const ask = (): Promise<string | null> =>
    cached && Date.now() < cached.until
      ? Promise.resolve(cached.secret)
      : new Promise((resolve) => setWaiting(() => resolve));
  const answer = (secret: string | null): void => {
    if (secret !== null) setCached({ secret, until: Date.now() + CACHE_MS });
    waiting?.(secret);
    setWaiting(null);
  };
  /** Null: the person was asked for their passphrase and went back. */
  const send = async <P extends PostPath>(path: P, body: object, isSigned = true): Promise<Posted<P> | null> => {
    const passphrase = isSigned && level === 'passphrase' ? await ask() : undefined;
    if (passphrase === null) return null;
    try {
      return await postSigned(path, { ...body, passphrase }, credentials);
    } catch (error) {
      // It may have been the wrong one.
      setCached(null);
      throw error;
    }
  };
  const dialog = waiting ? (
    <Dialog title="Your passphrase" onClose={() => answer(null)}>
      <p class="quiet">Decisions here are signed with a key that only it opens. It is not stored.</p>
      <Ask
        label="Passphrase"
        button="Go on"
        back="Cancel"
        type="password"
        onDone={(secret) => secret !== '' && answer(secret)}
        onBack={() => answer(null)}
      />
    </Dialog>
  ) : null;
  return { send, dialog };
}

/** What came of a decision, in a line. */
export function outcome({ status, target, ledger }: Posted<'/api/act'>): string {
  return dotted(status, target, ledger !== null && `ledger ${ledger}`);
}

// A yes that may need the signature of an authenticator: the server says so, and what it is to sign.
export async function postSigned<P extends PostPath>(
  path: P,
  body: object,
  credentials: readonly string[] = [],
): Promise<Posted<P>> {
  const credential = localStorage.getItem(STORED) ?? undefined;
  const answer: object | Unsigned = await post(path, { ...body, ...(credential === undefined ? {} : { credential }) });
  if (!('unsigned' in answer)) return answer as Posted<P>;
  const { id, challenge, credential: asked } = answer.unsigned;
  return post('/api/sign', { id, signature: await signature(challenge, asked, credentials) }) as Promise<Posted<P>>;
}

async function signature(challenge: string, credential: string, credentials: readonly string[]) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge,
    rpId: 'localhost',
    userVerification: 'required',
    timeout: PATIENCE_MS,
    allowCredentials: [{ type: 'public-key', id: credential }],
  });
  const got = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(got instanceof PublicKeyCredential)) {
    // Each is asked by itself: it signs what names it. The next try goes to the next one.
    const next = credentials[(credentials.indexOf(credential) + 1) % credentials.length];
    if (next !== undefined) localStorage.setItem(STORED, next);
    const other = credentials.length > 1 ? ' Try again to use another one of yours.' : ' Try again.';
    throw new ApiError('not_signed', `Your authenticator did not sign: nothing was decided.${other}`, 0);
  }
  localStorage.setItem(STORED, credential);
  const { response } = got.toJSON() as AuthenticationResponseJSON;
  return {
    ...{ credential: got.id, authenticator_data: response.authenticatorData },
    ...{ client_data: response.clientDataJSON, signature: response.signature },
  };
}

/** A new key in an authenticator of the person's; none that is registered already. */
export async function registered(known: readonly string[]) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    rp: { name: 'Bearings', id: 'localhost' },
    user: { id: crypto.randomUUID(), name: 'bearings', displayName: 'Bearings' },
    challenge: crypto.randomUUID(),
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    excludeCredentials: known.map((id) => ({ type: 'public-key', id })),
  });
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  const key =
    made instanceof PublicKeyCredential ? (made.response as AuthenticatorAttestationResponse).getPublicKey() : null;
  if (!made || key === null)
    throw new ApiError('not_registered', 'No authenticator was registered: nothing was changed. Try again.', 0);
  return { credential: made.id, public_key: btoa(String.fromCharCode(...new Uint8Array(key))) };
}
