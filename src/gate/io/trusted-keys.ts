import { join } from 'node:path';
import { canonicalLine } from '../../canonical-json.ts';
import { atomicWrite } from '../../files/atomic-write.ts';
import { readPlainFile } from '../../files/open-file.ts';
import { isRecord } from '../../json-record.ts';
import type { Signature } from '../ledger/entry.ts';
import type { Signer } from '../ledger/ledger.ts';
import { isSignedByOwn, type OwnKeys } from './person-key.ts';

/** Another person's key whose decisions count. Signed by the owner of the home: nobody else can add one. */
export interface TrustedKey {
  fingerprint: string;
  at: string;
  sig: Signature;
}

function trustedKeysPath(home: string): string {
  return join(home, 'trusted_keys.json');
}

export function trustedKeys(home: string, own: Pick<OwnKeys, 'publicKeys'> | null): TrustedKey[] {
  return own === null ? [] : readKeys(home).filter((key) => isSignedByOwn(own, trustText(key), key.sig));
}

export function trustKey(home: string, key: Omit<TrustedKey, 'sig'>, signer: Signer): void {
  const others = readKeys(home).filter(({ fingerprint }) => fingerprint !== key.fingerprint);
  save(home, [...others, { ...key, sig: signer.sign(trustText(key)) }]);
}

/** False: it was not trusted. */
export function untrustKey(home: string, fingerprint: string): boolean {
  const keys = readKeys(home);
  const others = keys.filter((key) => key.fingerprint !== fingerprint);
  if (others.length < keys.length) save(home, others);
  return others.length < keys.length;
}

function save(home: string, keys: TrustedKey[]): void {
  atomicWrite(trustedKeysPath(home), `${JSON.stringify(keys, null, 2)}\n`, 0o600);
}

/** What is signed. */
export function trustText({ fingerprint, at }: Omit<TrustedKey, 'sig'>): string {
  return canonicalLine({ trust: fingerprint, at });
}

function readKeys(home: string): TrustedKey[] {
  try {
    const value: unknown = JSON.parse(readPlainFile(trustedKeysPath(home)).toString('utf8'));
    return Array.isArray(value) ? value.filter(isKey) : [];
  } catch {
    return [];
  }
}

function isKey(value: unknown): value is TrustedKey {
  return (
    isRecord(value) &&
    typeof value.fingerprint === 'string' &&
    typeof value.at === 'string' &&
    (typeof value.sig === 'string' || isRecord(value.sig))
  );
}
