import { awaitingPerson, conflict, invalidInput, notFound } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { join, realPath } from '../../files/paths.ts';
import { canonicalLine } from '../../json.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { beginDecision, type Domains, homeWord } from '../domains/domains.ts';
import { randomId } from '../io/marks.ts';
import {
  type Authenticator,
  fingerprintOf,
  isPasskeyKey,
  isSignedBy,
  type KeyFile,
  keyFile,
  keyFileFor,
  newKeyPair,
  type PersonKey,
  passkeyChallenge,
  passkeyOf,
  passkeyPort,
  personKey,
  setRecordAside,
} from '../io/person-key.ts';
import { readHome } from '../io/read-standing.ts';
import type { ConfirmLevel } from '../ledger/entry.ts';
import { DraftEnds, draftAct, isDraft, type PasskeyAct, type Signer } from '../ledger/ledger.ts';

/** What the level in force asks for beside the person's yes. */
export interface Proof {
  /** Only at `confirm: passphrase`. Never kept. */
  passphrase?: string | undefined;
  /** Only at `confirm: passkey`, from the page. */
  passkey?: PasskeyAct | undefined;
}

/** The person's key and the keys in force, as the home's chain names them. */
export function ownKey({ home }: Pick<Settings, 'home'>): PersonKey {
  return personKey(home, readHome(home).state.keys);
}

export function signerFor(settings: Settings, { passphrase, passkey }: Proof): Signer {
  const key = ownKey(settings);
  if (key.level === 'passkey') {
    if (passkey && key.inForce.has(passkey.publicKey)) return passkeySigner(passkey);
    throw awaitingPerson('Decisions here are signed by your authenticator, on the page.', 'Open it: bearings ui');
  }
  const signer = key.unlock(passphrase ?? null);
  if (signer) return signer;
  if (passphrase !== undefined)
    throw invalidInput('The passphrase is wrong.', 'Nothing was changed. Try again.', { passphrase: 'wrong' });
  throw awaitingPerson('Decisions here need the passphrase.', 'Decide on a terminal: bearings review');
}

/** Gives what the authenticator signed, for the texts of the draft and for no other. */
function passkeySigner(act: PasskeyAct): Signer {
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
        throw conflict('Something was written while you were asked. Nothing was decided.', 'Look at it again.');
      if (isSignedBy({ text, sig: signature, publicKey, fingerprint })) return signature;
      throw invalidInput(
        'This is not the signature of your authenticator for what was shown, made on this page with you verified.',
        'Nothing was decided. Try again.',
      );
    },
  };
}

// How the level is changed: the key in force names the next one in the home's chain, and nothing else can.
export function confirmLevelUseCases(app: AppContext, domains: Domains) {
  const now = () => app.now().toISOString();
  const draft = (publicKey: string): PasskeyAct => draftAct({ publicKey, at: now(), seed: randomId(32) });
  return {
    confirmLevel: (settings: Settings): ConfirmLevel => ownKey(settings).level,

    /** Fails where it does not open the key. */
    checkPassphrase(settings: Settings, passphrase: string): void {
      signerFor(settings, { passphrase });
    },

    /** The key that signs: what a person compares with what they wrote down. */
    keyInfo(settings: Settings) {
      const { fingerprint, level, madeAt: made_at, authenticators: all } = ownKey(settings);
      const authenticators = all.map(({ public_key: key, added_at }) => ({
        fingerprint: fingerprintOf(key),
        added_at,
      }));
      return { fingerprint, level, made_at, authenticators };
    },

    // Only after the person has said that the earlier key is lost: what it signed is nobody's from here on, and is told so.
    async replaceLostKey(settings: Settings): Promise<void> {
      if (realPath(join(settings.home, 'key.json')) !== null)
        throw invalidInput('There is already a key in the home.', 'See it: bearings verify');
      const domain = domains.home(settings);
      await domain.lock.run(() => setRecordAside(settings.home, app.now()));
      const signer = signerFor(settings, {});
      await domain.lock.run(() => beginDecision(domain, { signer, at: now() }));
    },

    /** From here on a new key signs, locked by this passphrase; null: an open one. The one in force says so. */
    async setPassphrase(settings: Settings, passphrase: string | null, proof: Proof = {}): Promise<void> {
      if (passphrase !== null && [...passphrase].length < 8)
        throw invalidInput('The passphrase is too short.', 'Use at least 8 characters; a sentence is best.');
      const to = passphrase === null ? 'ask' : 'passphrase';
      if (ownKey(settings).level === to)
        throw invalidInput(`The level is ${to} already.`, 'Another one: bearings config confirm LEVEL');
      const act = proof.passkey;
      const pair = act?.next ?? newKeyPair();
      // The second round writes what the first one had signed.
      if (act) act.next = pair;
      const signer = signerFor(settings, proof);
      const next = keyFileFor(pair, act?.at ?? now(), passphrase);
      await homeWord(app, domains, settings, { signer, next, decision: 'level', subject: pair.publicKey, to });
    },

    async registerPasskey(settings: Settings, credential: string, proof: Proof & { passkey: PasskeyAct }) {
      const { passphrase, passkey: act } = proof;
      if (ownKey(settings).level === 'passkey')
        throw invalidInput('An authenticator is registered already.', 'Add another one: bearings verify key add');
      const signer = signerFor(settings, { passphrase });
      const first: Authenticator = { public_key: act.publicKey, credential, added_at: act.at };
      const next: KeyFile = { version: 1, public_key: act.publicKey, made_at: act.at, passkeys: [first] };
      // It signs that it is there; a draft ends here.
      passkeySigner(act).sign(canonicalLine({ authenticator: act.publicKey, credential, added_at: act.at }));
      const word = { decision: 'level', subject: act.publicKey, to: 'passkey' } as const;
      await homeWord(app, domains, settings, { signer, next, ...word });
    },

    /** Another authenticator next to those that are there, by the word of one of them. */
    async addAuthenticator(settings: Settings, made: Registration, port: number, act: PasskeyAct) {
      const signer = signerFor(settings, { passkey: act });
      const file = keyFile(settings.home, readHome(settings.home).state.keys);
      if (!file) throw notFound('There is no key in the home.', 'See what is wrong: bearings verify');
      const added = { public_key: keyOf(made.public_key, port), credential: made.credential, added_at: act.at };
      const next = { ...file, passkeys: [...(file.passkeys ?? []), added] };
      await homeWord(app, domains, settings, { signer, next, decision: 'key', subject: added.public_key });
    },

    /** The authenticators and the port of the page that they sign on; null at another level. */
    passkeys(settings: Settings): { port: number; credentials: string[] } | null {
      const { publicKey, authenticators } = ownKey(settings);
      const port = passkeyPort(publicKey);
      return port === null ? null : { port, credentials: authenticators.map(({ credential }) => credential) };
    },

    /** A draft for the authenticator with this credential; without a name for the first. */
    actFor(settings: Settings, credential?: string): PasskeyAct {
      const { authenticators } = ownKey(settings);
      const found = authenticators.find((each) => credential === undefined || each.credential === credential);
      if (!found) throw invalidInput('No such authenticator is registered here.', 'Reload the page.');
      return draft(found.public_key);
    },

    /** A draft for one that is about to be registered. */
    firstAct: (_: Settings, { public_key }: Registration, port: number): PasskeyAct => draft(keyOf(public_key, port)),

    /** Goes through it without writing: what the browser has to ask the authenticator for. Null: there is nothing to sign, and it is done. */
    async questionFor(_: Settings, act: PasskeyAct, credential: string, work: (act: PasskeyAct) => Promise<unknown>) {
      try {
        await work(act);
      } catch (error) {
        if (!(error instanceof DraftEnds)) throw error;
      }
      if (act.hashes.length === 0) return null;
      return { act, credential, challenge: passkeyChallenge(act.hashes) };
    },
  };
}

/** What a browser says of an authenticator that it registered. */
export interface Registration {
  /** Base64url. */
  credential: string;
  /** SubjectPublicKeyInfo, base64. */
  public_key: string;
}

function keyOf(spki: string, port: number): string {
  if (isPasskeyKey(spki)) return passkeyOf({ port, spki });
  throw invalidInput('This authenticator has no key of a kind that is known here (ES256).', 'Use another one.');
}
