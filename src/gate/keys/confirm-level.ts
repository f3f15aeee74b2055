import { invalidInput } from '../../errors.ts';
import { sha256 } from '../../files/sha256.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { accountedFiles } from '../accounting/accounted-files.ts';
import type { Domains } from '../domains.ts';
import { readLedgers } from '../io/ledger-file.ts';
import { beginDecision, NOTHING_DECIDED, newEntry } from '../io/new-entry.ts';
import {
  type EarlierKey,
  earlierText,
  personKey,
  replaceKey,
  replaceLostKey,
  savePasskeys,
  writtenPasskeys,
} from '../io/person-key.ts';
import { fingerprintOf } from '../io/signatures.ts';
import { type TrustedKey, trustedKeys, trustKey, trustText } from '../io/trusted-keys.ts';
import type { ConfirmLevel, DecisionRecord } from '../ledger/entry.ts';
import { headAfter, parseEntry, type Signer } from '../ledger/ledger.ts';
import { type Authenticator, authenticatorText } from './io/authenticators.ts';
import { newKeyPair } from './io/key-material.ts';
import { isDraft, type PasskeyAct } from './passkey-act.ts';
import { type Proof, passkeySigner, signatureOf, signerFor, wrongPassphrase } from './signer.ts';

/** The key that signs: what a person compares with what she wrote down. */
export interface KeyInfo {
  fingerprint: string;
  level: ConfirmLevel;
  made_at: string | null;
  /** At `passkey`: each with its own fingerprint. */
  authenticators: { fingerprint: string; added_at: string }[];
}

// How the level is changed: up with the word of the key in force, down only with its own proof.
export function confirmLevelUseCases(app: AppContext, domains: Domains) {
  // A level that changed without an entry of its own was changed behind the person's back: `verify` tells.
  const record = async (settings: Settings, signer: Signer, about: Partial<DecisionRecord> = {}): Promise<void> => {
    const domain = await domains.tastes(settings);
    const { ledger } = domain.decisions;
    await domain.lock.run(() => {
      const at = app.now().toISOString();
      beginDecision(domain, settings.home, { signer, at });
      const entry = newEntry(ledger, { ...NOTHING_DECIDED, ...about, at }, { signer });
      if (!entry.draft) ledger.append({ line: entry.ledger_line, texts: entry.texts ?? [] });
    });
  };

  const trustAgain = (settings: Settings, trusted: readonly TrustedKey[], signer: Signer): void => {
    for (const { fingerprint, at } of trusted) trustKey(settings.home, { fingerprint, at }, signer);
  };

  return {
    async confirmLevel(): Promise<ConfirmLevel> {
      return personKey((await app.settings()).home).level;
    },

    /** Fails where it does not open the key. */
    async checkPassphrase(passphrase: string): Promise<void> {
      signerFor(await app.settings(), { passphrase });
    },

    async keyInfo(): Promise<KeyInfo> {
      const { fingerprint, level, madeAt, authenticators } = personKey((await app.settings()).home);
      return {
        ...{ fingerprint, level, made_at: madeAt },
        authenticators: authenticators.map(({ public_key, added_at }) => ({
          fingerprint: fingerprintOf(public_key),
          added_at,
        })),
      };
    },

    // Only after the person has said that the earlier key is lost. On record: `verify` tells the change.
    async replaceLostKey(): Promise<void> {
      const settings = await app.settings();
      replaceLostKey(settings.home);
      const signer = signerFor(settings, {});
      await record(settings, signer, { decision: 'key', subject: signer.fingerprint });
    },

    async setPassphrase(passphrase: string): Promise<void> {
      assertLongEnough(passphrase);
      const settings = await app.settings();
      const key = personKey(settings.home);
      if (key.level === 'passphrase')
        throw invalidInput('A passphrase is set already.', 'Remove it first: bearings config confirm ask');
      // What authenticators hold is given up with one of them alone.
      if (key.level === 'passkey') signerFor(settings, {});
      const trusted = trustedKeys(settings.home, key);
      key.lock(passphrase, { until: app.now().toISOString(), sealed: chainEnds(settings, key.publicKey) });
      const signer = signerFor(settings, { passphrase });
      trustAgain(settings, trusted, signer);
      await record(settings, signer);
    },

    // Recorded before it is done: after a crash in between the key is still locked, and nothing looks tampered with.
    async removePassphrase(passphrase: string): Promise<void> {
      const settings = await app.settings();
      const key = personKey(settings.home);
      await record(settings, { ...signerFor(settings, { passphrase }), level: 'ask' });
      if (!key.open(passphrase)) throw wrongPassphrase();
    },

    // From `ask` freely; from `passphrase` the locked key names the authenticator first, so that nobody else can.
    async registerPasskey(credential: string, { passphrase, passkey: act }: Proof & { passkey: PasskeyAct }) {
      const settings = await app.settings();
      const key = personKey(settings.home);
      if (key.level === 'passkey')
        throw invalidInput('An authenticator is registered already.', 'Add another one: bearings key add');
      const present = signerFor(settings, { passphrase });
      const signer = passkeySigner(act);
      const given = giveUp(settings, [key.publicKey], act.at);
      const earlier = [...key.earlier, ...given];
      const trusted = trustedKeys(settings.home, key);
      const first: Authenticator = { public_key: act.publicKey, credential, added_at: act.at };
      const own = signatureOf(signer, authenticatorText(first));
      const sealed = earlier.flatMap((each) => {
        const sig = signatureOf(signer, earlierText(each));
        return sig === null ? [] : [{ ...each, sig }];
      });
      for (const each of trusted) signatureOf(signer, trustText(each));
      if (key.level === 'passphrase')
        await record(settings, { ...present, act }, { decision: 'key', subject: signer.fingerprint });
      if (own !== null) {
        savePasskeys(settings.home, { passkeys: [{ ...first, sig: own }], madeAt: act.at, earlier: sealed });
        trustAgain(settings, trusted, signer);
      }
      await record(settings, signer);
    },

    /** Another authenticator beside those that are there, by the word of one of them. */
    async addAuthenticator(next: Omit<Authenticator, 'added_at'>, act: PasskeyAct): Promise<void> {
      const settings = await app.settings();
      const signer = signerFor(settings, { passkey: act });
      const added: Authenticator = { ...next, added_at: act.at };
      const sig = signatureOf(signer, authenticatorText(added));
      await record(settings, signer, { decision: 'key', subject: fingerprintOf(next.public_key) });
      if (sig === null) return;
      const { madeAt } = personKey(settings.home);
      savePasskeys(settings.home, {
        passkeys: [...writtenPasskeys(settings.home), { ...added, sig }],
        madeAt: madeAt ?? act.at,
      });
    },

    // The authenticator signs which key comes after it; then that one takes its place.
    async leavePasskey(passphrase: string | null, act: PasskeyAct): Promise<void> {
      if (passphrase !== null) assertLongEnough(passphrase);
      const settings = await app.settings();
      const key = personKey(settings.home);
      act.next ??= newKeyPair();
      const { next } = act;
      const trusted = trustedKeys(settings.home, key);
      const level = passphrase === null ? 'ask' : 'passphrase';
      const subject = fingerprintOf(next.publicKey);
      await record(settings, { ...signerFor(settings, { passkey: act }), level }, { subject });
      if (isDraft(act)) return;
      const earlier = [...key.earlier, ...giveUp(settings, key.publicKeys, act.at)];
      replaceKey(settings.home, next, { passphrase, madeAt: act.at, earlier });
      trustAgain(settings, trusted, signerFor(settings, passphrase === null ? {} : { passphrase }));
    },
  };
}

// A key that never signed anything needs no remembering.
function giveUp(settings: Settings, publicKeys: readonly string[], until: string): EarlierKey[] {
  return publicKeys
    .map((public_key) => ({ public_key, until, sealed: chainEnds(settings, public_key) }))
    .filter(({ sealed }) => sealed.length > 0);
}

// How far each chain that this key wrote has come: what comes later with it is not the person's any more.
function chainEnds(settings: Settings, publicKey: string): string[] {
  const places = new Map(accountedFiles(settings, 'all').map((place) => [place.ledgerFolder, place]));
  return [...places.values()].flatMap(({ ledgerFolder: folder, scope }) =>
    readLedgers({ folder, scope, home: settings.home }).flatMap(({ lines }) => {
      const last = lines.findLast((line) => parseEntry(line)?.public_key === publicKey);
      return last === undefined ? [] : [headAfter(last, sha256).hash];
    }),
  );
}

function assertLongEnough(passphrase: string): void {
  if ([...passphrase].length < 8)
    throw invalidInput('The passphrase is too short.', 'Use at least 8 characters; a sentence is best.');
}
