import { BearingsError, invalidInput, notFound } from '../../errors.ts';
import { sha256 } from '../../files/file-fingerprint.ts';
import { join, realPath } from '../../files/paths.ts';
import { canonicalLine } from '../../json.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { type Domains, homeWord } from '../domains/domains.ts';
import { randomId } from '../io/marks.ts';
import { beginDecision } from '../io/new-entry.ts';
import {
  type Authenticator,
  fingerprintOf,
  isPasskeyKey,
  isSignedBy,
  type KeyFile,
  keyFile,
  keyFileFor,
  newKeyPair,
  openedKeyFile,
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

function wrongPassphrase(): BearingsError {
  return invalidInput('The passphrase is wrong.', 'Nothing was changed. Try again.', { passphrase: 'wrong' });
}

// How the level is changed: the key in force names the next one in the home's chain, and nothing else can.
export function confirmLevelUseCases(app: AppContext, domains: Domains) {
  const fileOf = ({ home }: Settings): KeyFile => {
    const file = keyFile(home, readHome(home).state.keys);
    if (file) return file;
    throw notFound('There is no key in the home.', 'See what is wrong: bearings verify');
  };

  return {
    async confirmLevel(): Promise<ConfirmLevel> {
      return ownKey(await app.settings()).level;
    },

    /** Fails where it does not open the key. */
    async checkPassphrase(passphrase: string): Promise<void> {
      signerFor(await app.settings(), { passphrase });
    },

    /** The key that signs: what a person compares with what they wrote down. */
    async keyInfo() {
      const { fingerprint, level, madeAt, authenticators, inForce } = ownKey(await app.settings());
      return {
        ...{ fingerprint, level, made_at: madeAt },
        /** At `passkey`: each with its own fingerprint. */
        authenticators: authenticators
          .filter(({ public_key }) => inForce.has(public_key))
          .map(({ public_key, added_at }) => ({ fingerprint: fingerprintOf(public_key), added_at })),
      };
    },

    // Only after the person has said that the earlier key is lost: what it signed is nobody's from here on, and is told so.
    async replaceLostKey(): Promise<void> {
      const settings = await app.settings();
      if (realPath(join(settings.home, 'key.json')) !== null)
        throw invalidInput('There is already a key in the home.', 'See it: bearings verify');
      const domain = domains.home(settings);
      await domain.lock.run(() => setRecordAside(settings.home, app.now()));
      const signer = signerFor(settings, {});
      await domain.lock.run(() => beginDecision(domain, { signer, at: app.now().toISOString() }));
    },

    async setPassphrase(passphrase: string): Promise<void> {
      assertLongEnough(passphrase);
      const settings = await app.settings();
      const { level } = ownKey(settings);
      if (level === 'passphrase')
        throw invalidInput('A passphrase is set already.', 'Remove it first: bearings config confirm ask');
      // What authenticators hold is given up with one of them alone.
      const signer = signerFor(settings, {});
      const pair = newKeyPair();
      const next = keyFileFor(pair, app.now().toISOString(), passphrase);
      await homeWord(app, domains, settings, {
        signer,
        next,
        decision: 'level',
        subject: pair.publicKey,
        to: 'passphrase',
      });
    },

    async removePassphrase(passphrase: string): Promise<void> {
      const settings = await app.settings();
      const signer = signerFor(settings, { passphrase });
      const opened = openedKeyFile(fileOf(settings), passphrase);
      if (!opened) throw wrongPassphrase();
      // The same key: recorded before it is done, so that after a crash it is still locked.
      const word = { decision: 'level', subject: signer.publicKey, to: 'ask' } as const;
      await homeWord(app, domains, settings, { signer, next: opened, ...word });
    },

    async registerPasskey(credential: string, { passphrase, passkey: act }: Proof & { passkey: PasskeyAct }) {
      const settings = await app.settings();
      if (ownKey(settings).level === 'passkey')
        throw invalidInput('An authenticator is registered already.', 'Add another one: bearings verify key add');
      const signer = signerFor(settings, { passphrase });
      const first: Authenticator = { public_key: act.publicKey, credential, added_at: act.at };
      const next: KeyFile = { version: 1, public_key: act.publicKey, made_at: act.at, passkeys: [first] };
      // It signs that it is there; a draft ends here.
      passkeySigner(act).sign(canonicalLine({ authenticator: act.publicKey, credential, added_at: act.at }));
      await homeWord(app, domains, settings, {
        signer,
        next,
        decision: 'level',
        subject: act.publicKey,
        to: 'passkey',
      });
    },

    /** Another authenticator next to those that are there, by the word of one of them. */
    async addAuthenticator(next: Omit<Authenticator, 'added_at'>, act: PasskeyAct): Promise<void> {
      const settings = await app.settings();
      const signer = signerFor(settings, { passkey: act });
      const file = fileOf(settings);
      const added = { ...file, passkeys: [...(file.passkeys ?? []), { ...next, added_at: act.at }] };
      await homeWord(app, domains, settings, { signer, next: added, decision: 'key', subject: next.public_key });
    },

    // The authenticator signs which key comes after it; then that one takes its place.
    async leavePasskey(passphrase: string | null, act: PasskeyAct): Promise<void> {
      if (passphrase !== null) assertLongEnough(passphrase);
      const settings = await app.settings();
      act.next ??= newKeyPair();
      const signer = signerFor(settings, { passkey: act });
      const next = keyFileFor(act.next, act.at, passphrase);
      const to = passphrase === null ? 'ask' : 'passphrase';
      await homeWord(app, domains, settings, { signer, next, decision: 'level', subject: act.next.publicKey, to });
    },
  };
}

function assertLongEnough(passphrase: string): void {
  if ([...passphrase].length < 8)
    throw invalidInput('The passphrase is too short.', 'Use at least 8 characters; a sentence is best.');
}

/** What a browser says of an authenticator that it registered. */
export interface Registration {
  /** Base64url. */
  credential: string;
  /** SubjectPublicKeyInfo, base64. */
  public_key: string;
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

    /** Goes through it without writing: what the browser has to ask the authenticator for. Null: there is nothing to sign, and it is done. */
    async questionFor(act: PasskeyAct, credential: string, work: (act: PasskeyAct) => Promise<unknown>) {
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

function keyOf(spki: string, port: number): string {
  if (isPasskeyKey(spki)) return passkeyOf({ port, spki });
  throw invalidInput('This authenticator has no key of a kind that is known here (ES256).', 'Use another one.');
}
