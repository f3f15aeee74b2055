import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf, isSignedBy, passkeyChallenge, passkeyOf } from '../../src/gate/io/person-key.ts';
import type { PasskeySignature } from '../../src/gate/ledger/entry.ts';
import { realBrowser } from '../support/page/page-browser.ts';

const chrome = realBrowser();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const TEXT = '{"decision":"accept","seq":1}';
let server: Server;
let page: Page;
let publicKey = '';

interface Asked {
  challenge: string;
  verification?: 'required' | 'discouraged';
}

// What the page of a browser does, with Chromium's own virtual authenticator behind it.
const CREATE = `(async () => {
  const made = await navigator.credentials.create({ publicKey: {
    rp: { name: 'Bearings', id: 'localhost' }, user: { id: new Uint8Array([1]), name: 'p', displayName: 'p' },
    challenge: new Uint8Array(32), pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { userVerification: 'required', residentKey: 'required' } } });
  return btoa(String.fromCharCode(...new Uint8Array(made.response.getPublicKey())));
})()`;
const sign = ({ challenge, verification = 'required' }: Asked): Promise<PasskeySignature> =>
  page.evaluate(`(async () => {
    const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
    const got = await navigator.credentials.get({ publicKey: {
      challenge: bytes('${challenge}'), rpId: 'localhost', userVerification: '${verification}' } });
    return { alg: 'webauthn', credential: got.id, authenticator_data: text(got.response.authenticatorData),
      client_data: text(got.response.clientDataJSON), signature: text(got.response.signature) };
  })()`);
const isSigned = (text: string, sig: PasskeySignature, key = publicKey) =>
  isSignedBy({ text, sig, publicKey: key, fingerprint: fingerprintOf(key) });

const portOf = () => (server.address() as AddressInfo).port;

beforeEach(async () => {
  server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  page = await (await chrome.newContext()).newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  await page.goto(`http://localhost:${portOf()}/`);
  publicKey = passkeyOf({ port: portOf(), spki: await page.evaluate<string>(CREATE) });
});
afterEach(() => void server.close());

describe('a signature of an authenticator, made in a real browser', () => {
  it('M46 over the hash of an entry counts for that entry and for no other', async () => {
    const sig = await sign({ challenge: passkeyChallenge([sha256(TEXT)]) });
    expect([isSigned(TEXT, sig), isSigned(`${TEXT} `, sig)]).toEqual([true, false]);
  });

  it('M46 over a list that was shown counts for each of it, and for nothing else', async () => {
    const texts = ['{"seq":1}', '{"seq":2}'];
    const list = texts.map(sha256);
    const sig = { ...(await sign({ challenge: passkeyChallenge(list) })), list };
    expect(texts.map((text) => isSigned(text, sig))).toEqual([true, true]);
    expect(isSigned('{"seq":3}', sig)).toBe(false);
    expect(isSigned('{"seq":3}', { ...sig, list: [...list, sha256('{"seq":3}')] })).toBe(false);
  });

  it('M46 does not count without the person verified, from another origin, type or party, or when any of it is changed', async () => {
    const challenge = passkeyChallenge([sha256(TEXT)]);
    const sig = await sign({ challenge });
    const clientData = JSON.parse(Buffer.from(sig.client_data, 'base64url').toString('utf8'));
    const said = (changed: object) => Buffer.from(JSON.stringify({ ...clientData, ...changed })).toString('base64url');
    const flagged = (flags: number) => {
      const data = Buffer.from(sig.authenticator_data, 'base64url');
      data[32] = flags;
      return data.toString('base64url');
    };
    const forged: Partial<PasskeySignature>[] = [
      { client_data: said({ origin: 'http://localhost.evil.example:80' }) },
      { client_data: said({ type: 'webauthn.create' }) },
      { client_data: said({ crossOrigin: true }) },
      { client_data: said({ challenge: passkeyChallenge([sha256('other')]) }) },
      { client_data: said({ more: 1 }) },
      { authenticator_data: flagged(0x01) },
      { authenticator_data: flagged(0x04) },
      { authenticator_data: Buffer.alloc(37, 5).toString('base64url') },
      { signature: '' },
      { client_data: 'no JSON' },
      { alg: 'other' as 'webauthn' },
    ];
    expect(isSigned(TEXT, sig)).toBe(true);
    for (const change of forged) expect([change, isSigned(TEXT, { ...sig, ...change })]).toEqual([change, false]);
    const unverified = await sign({ challenge, verification: 'discouraged' });
    const flags = Buffer.from(unverified.authenticator_data, 'base64url')[32] ?? 0;
    expect(isSigned(TEXT, unverified)).toBe((flags & 0x04) !== 0);
  });

  it('M46 counts on the port it was registered on, and on no other', async () => {
    const sig = await sign({ challenge: passkeyChallenge([sha256(TEXT)]) });
    const spki = publicKey.split(':')[2] ?? '';
    const elsewhere = passkeyOf({ port: portOf() + 1, spki });
    expect([isSigned(TEXT, sig), isSigned(TEXT, sig, elsewhere), isSigned(TEXT, sig, spki)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(fingerprintOf(elsewhere)).not.toBe(fingerprintOf(publicKey));
  });

  it('M46 of another authenticator does not count', async () => {
    const sig = await sign({ challenge: passkeyChallenge([sha256(TEXT)]) });
    const other = await page.evaluate<string>(CREATE.replace('new Uint8Array([1])', 'new Uint8Array([2])'));
    expect(isSigned(TEXT, sig, passkeyOf({ port: portOf(), spki: other }))).toBe(false);
  });
});
