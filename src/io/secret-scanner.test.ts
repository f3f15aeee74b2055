import { afterEach, describe, expect, test, vi } from 'vitest';
import { BENIGN } from '../../test/samples/benign.ts';
import { PLANTED } from '../../test/samples/secrets.ts';
import { findSecrets, redact } from '../safety/secrets.ts';
import { createSecretScanner } from './secret-scanner.ts';

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
const githubToken = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9aB3dE5gH7'].join('');

afterEach(() => {
  vi.doUnmock(PRESET);
  vi.resetModules();
});

describe('M28 L17 the scanner of both rule sets', () => {
  test('M28 L17 every planted secret is redacted', async () => {
    const scan = createSecretScanner();
    for (const { title, text, secret } of PLANTED) {
      expect(redact(text, await scan(text)), title).not.toContain(secret);
    }
  });

  test('M28 L17 no look-alike raises an alarm', async () => {
    const scan = createSecretScanner();
    for (const text of BENIGN) expect(await scan(text), text).toEqual([]);
  });

  test('L17 what only the maintained rules know is found', async () => {
    const text = `the runner uses ${['vc', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7'].join('')} today`;
    expect(findSecrets(text)).toEqual([]);
    expect(redact(text, await createSecretScanner()(text))).toBe('the runner uses [redacted:vercel_token] today');
  });

  test('L17 an AWS secret is marked at its value, not at its name', async () => {
    const value = ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYq8Zt3LmV0abc'].join('');
    const text = `AWS_SECRET_ACCESS_KEY = ${value}`;
    expect(await createSecretScanner()(text)).toEqual([
      { kind: 'secret', start: text.indexOf(value), end: text.length },
    ]);
  });

  test('L17 a text cannot switch the scanner off', async () => {
    const text = `/* secretlint-disable */ ${githubToken} // secretlint-disable-line`;
    expect(redact(text, await createSecretScanner()(text))).not.toContain(githubToken);
  });

  test('L17 many calls leave nothing behind in the process', async () => {
    const scan = createSecretScanner();
    await scan('first');
    const before = performance.getEntries().length;
    for (let call = 0; call < 50; call += 1) await scan(`call ${call}`);
    expect(performance.getEntries().length).toBe(before);
  });

  test('L17 a scanner that cannot be loaded rejects, without the cause', async () => {
    vi.doMock(PRESET, () => {
      throw new Error(`no such package near ${githubToken}`);
    });
    const { createSecretScanner: create } = await import('./secret-scanner.ts');
    await expect(create()('text')).rejects.toThrow(/^the secret scanner failed$/);
  });

  test('L17 a rule that throws rejects, without the cause', async () => {
    const rule = {
      meta: { id: '@secretlint/secretlint-rule-broken' },
      create: () => ({ file: () => Promise.reject(new Error(`bad ${githubToken}`)) }),
    };
    vi.doMock(PRESET, () => ({ rules: [rule] }));
    const { createSecretScanner: create } = await import('./secret-scanner.ts');
    await expect(create()('text')).rejects.toEqual(new Error('the secret scanner failed'));
  });

  test('L17 an empty rule set is a failure, not a clean text', async () => {
    vi.doMock(PRESET, () => ({ rules: [] }));
    const { createSecretScanner: create } = await import('./secret-scanner.ts');
    await expect(create()('text')).rejects.toThrow('the secret scanner failed');
  });
});
