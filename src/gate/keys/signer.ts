import { BearingsError, invalidInput } from '../../errors.ts';
import { sha256 } from '../../files/sha256.ts';
import type { Settings } from '../../settings/app-context.ts';
import { type PersonKey, personKey } from '../io/person-key.ts';
import { readHome } from '../io/read-standing.ts';
import { fingerprintOf, isSignedBy } from '../io/signatures.ts';
import { DraftEnds, isDraft, type PasskeyAct, type Signer } from '../ledger/ledger.ts';

/** What the level in force asks for beside the person's yes. */
export interface Proof {
  /** Only at `confirm: passphrase`. Never kept. */
  passphrase?: string | undefined;
  /** Only at `confirm: passkey`, from the page. */
  passkey?: PasskeyAct | undefined;
}

/** The person's key and the keys in force, as the home's chain names them. */
export function ownKey({ home }: Pick<Settings, 'home'>): PersonKey & { inForce: ReadonlySet<string> } {
  const { keys } = readHome(home).state;
  return { ...personKey(home, keys), inForce: keys };
}

export function signerFor(settings: Settings, { passphrase, passkey }: Proof): Signer {
  const key = ownKey(settings);
  if (key.level === 'passkey') {
    if (passkey && key.inForce.has(passkey.publicKey)) return passkeySigner(passkey);
    throw new BearingsError('awaiting_person', 'Decisions here are signed by your authenticator, on the page.', {
      hint: 'Open it: bearings ui',
    });
  }
  const signer = key.unlock(passphrase ?? null);
  if (signer) return signer;
  if (passphrase !== undefined) throw wrongPassphrase();
  throw new BearingsError('awaiting_person', 'Decisions here need the passphrase.', {
    hint: 'Decide on a terminal: bearings review',
  });
}

/** Gives what the authenticator signed, for the texts of the draft and for no other. */
export function passkeySigner(act: PasskeyAct): Signer {
  const { publicKey, signature } = act;
  const fingerprint = fingerprintOf(publicKey);
  return {
    publicKey,
    fingerprint,
    level: 'passkey',
    act,
    sign(text) {
      if (isDraft(act) || signature === null) {
        act.hashes.push(sha256(text));
        throw new DraftEnds();
      }
      if (!act.hashes.includes(sha256(text)))
        throw new BearingsError('conflict', 'Something was written while you were asked. Nothing was decided.', {
          hint: 'Look at it again, and confirm it once more.',
        });
      if (isSignedBy({ text, sig: signature, publicKey, fingerprint })) return signature;
      throw invalidInput(
        'This is not the signature of your authenticator for what was shown, made on this page with you verified.',
        'Nothing was decided. Try again.',
      );
    },
  };
}

export function wrongPassphrase(): BearingsError {
  return invalidInput('The passphrase is wrong.', 'Nothing was changed. Try again.', { passphrase: 'wrong' });
}
