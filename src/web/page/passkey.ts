import type { Unsigned } from '../wire.ts';
import { ApiError, post } from './api.ts';

const STORED = 'bearings-authenticator';
/** One that is not there is waited for no longer. */
const PATIENCE_MS = 60_000;

// A yes that may need the signature of an authenticator: the server says so, and what it is to sign.
export async function postSigned<T extends object>(
  path: string,
  body: object,
  credentials: readonly string[] = [],
): Promise<T> {
  const credential = localStorage.getItem(STORED) ?? undefined;
  const answer = await post<T | Unsigned>(path, { ...body, ...(credential === undefined ? {} : { credential }) });
  if (!('unsigned' in answer)) return answer;
  const { id, challenge, credential: asked } = answer.unsigned;
  return post<T>('/api/sign', { id, signature: await signature(challenge, asked, credentials) });
}

async function signature(challenge: string, credential: string, credentials: readonly string[]) {
  const asked: PublicKeyCredentialRequestOptions = {
    challenge: bytes(challenge),
    rpId: 'localhost',
    userVerification: 'required',
    timeout: PATIENCE_MS,
    allowCredentials: [{ type: 'public-key', id: bytes(credential) }],
  };
  const got = await navigator.credentials.get({ publicKey: asked }).catch(() => null);
  if (!(got instanceof PublicKeyCredential)) {
    // Each is asked by itself: it signs what names it. The next try goes to the next one.
    const next = credentials[(credentials.indexOf(credential) + 1) % credentials.length];
    if (next !== undefined) localStorage.setItem(STORED, next);
    const other = credentials.length > 1 ? ' Try again to use another one of yours.' : ' Try again.';
    throw new ApiError('not_signed', `Your authenticator did not sign: nothing was decided.${other}`, 0);
  }
  localStorage.setItem(STORED, credential);
  const response = got.response as AuthenticatorAssertionResponse;
  return {
    credential: got.id,
    authenticator_data: text(response.authenticatorData),
    client_data: text(response.clientDataJSON),
    signature: text(response.signature),
  };
}

export interface Registered {
  credential: string;
  public_key: string;
}

/** A new key in an authenticator of the person's; none that is registered already. */
export async function registered(known: readonly string[]): Promise<Registered> {
  const options: PublicKeyCredentialCreationOptions = {
    rp: { name: 'Bearings', id: 'localhost' },
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'bearings', displayName: 'Bearings' },
    challenge: crypto.getRandomValues(new Uint8Array(32)),
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    excludeCredentials: known.map((id) => ({ type: 'public-key', id: bytes(id) })),
  };
  const made = await navigator.credentials.create({ publicKey: options }).catch(() => null);
  const key =
    made instanceof PublicKeyCredential ? (made.response as AuthenticatorAttestationResponse).getPublicKey() : null;
  if (!made || key === null)
    throw new ApiError('not_registered', 'No authenticator was registered: nothing was changed. Try again.', 0);
  return { credential: made.id, public_key: btoa(String.fromCharCode(...new Uint8Array(key))) };
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
