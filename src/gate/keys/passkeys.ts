import { invalidInput } from '../../errors.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { randomId } from '../io/random-id.ts';
import { isPasskeyKey, passkeyChallenge, passkeyOf, passkeyPort } from '../io/signatures.ts';
import { DraftEnds, draftAct, type PasskeyAct } from '../ledger/passkey-act.ts';
import { ownKey } from './signer.ts';

/** What a browser says of an authenticator that it registered. */
export interface Registration {
  /** Base64url. */
  credential: string;
  /** SubjectPublicKeyInfo, base64. */
  public_key: string;
}

/** What the browser has to ask an authenticator for. */
interface PasskeyQuestion {
  act: PasskeyAct;
  /** SHA-256 of what is to be signed, base64url. */
  challenge: string;
  /** Id of the one key that may answer, base64url. */
  credential: string;
}

// What the page needs to have a yes signed.
export function passkeyUseCases(app: AppContext) {
  const draft = (publicKey: string): PasskeyAct =>
    draftAct({ publicKey, at: app.now().toISOString(), seed: randomId(32) });
  // The file may name any; those count that the home's chain names.
  const counting = async () => {
    const { authenticators, inForce } = ownKey(await app.settings());
    return authenticators.filter(({ public_key }) => inForce.has(public_key));
  };
  return {
    /** The authenticators and the port of the page that they sign on; null at another level. */
    async passkeys(): Promise<{ port: number; credentials: string[] } | null> {
      const { publicKey } = ownKey(await app.settings());
      const port = passkeyPort(publicKey);
      return port === null ? null : { port, credentials: (await counting()).map(({ credential }) => credential) };
    },

    /** A draft for the authenticator with this credential; without a name for the first. */
    async actFor(credential?: string): Promise<PasskeyAct> {
      const found = (await counting()).find((each) => credential === undefined || each.credential === credential);
      if (!found) throw invalidInput('No such authenticator is registered here.', 'Reload the page.');
      return draft(found.public_key);
    },

    /** A draft for one that is about to be registered. */
    async firstAct({ public_key }: Registration, port: number): Promise<PasskeyAct> {
      return draft(keyOf(public_key, port));
    },

    /** As the home keeps it. */
    async authenticatorOf({ credential, public_key }: Registration, port: number) {
      return { credential, public_key: keyOf(public_key, port) };
    },

    /** Goes through it without writing. Null: there is nothing to sign, and it is done. */
    async questionFor(act: PasskeyAct, credential: string, work: (act: PasskeyAct) => Promise<unknown>) {
      try {
        await work(act);
      } catch (error) {
        if (!(error instanceof DraftEnds)) throw error;
      }
      if (act.hashes.length === 0) return null;
      return { act, credential, challenge: passkeyChallenge(act.hashes) } satisfies PasskeyQuestion;
    },
  };
}

function keyOf(spki: string, port: number): string {
  if (isPasskeyKey(spki)) return passkeyOf({ port, spki });
  throw invalidInput('This authenticator has no key of a kind that is known here (ES256).', 'Use another one.');
}
