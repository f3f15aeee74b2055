import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { decided, ledgerLines, openLibrary, proposed } from '../support/open-library.ts';
import { everythingElse, press, realBrowser } from '../support/page/page-browser.ts';
import { raw } from '../support/page/page-requests.ts';
import { startPage, startUi } from '../support/page/page-server.ts';
import {
  addAuthenticator,
  confirmOnPage,
  enterWith,
  openInbox,
  registerPasskey,
  type VirtualAuthenticator,
} from '../support/page/passkey-person.ts';
import { pageVisit, raised, softAuthenticator } from '../support/page/soft-authenticator.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';
import { screen } from '../support/process/tmux.ts';
import { rawScan } from '../support/raw-scan.ts';
import { put } from '../support/temp-folder.ts';

const WORDS = 'seven quiet herons wait';

const WORKSPACE = '.bearings/workspaces/manta';
const NOTES = `${WORKSPACE}/notes.md`;
const TASTE = '.bearings/tastes/_default.md';
const { place, at } = person({
  [NOTES]: '# Manta\n',
  [`${WORKSPACE}/brief.md`]: 'Clean blue water.\n',
  [TASTE]: '- calm\n',
});
const chrome = realBrowser();
const read = (name: string) => readFileSync(at(name), 'utf8');
const lastEntry = (folder = WORKSPACE) => JSON.parse(ledgerLines(at(folder)).at(-1) ?? '{}');
const verify = (...args: string[]) => bearings(place, 'verify', ...args);
const said = (page: Page, text: string) => page.locator('.said', { hasText: text }).waitFor();
const shows = (page: Page, text: string) => page.locator('.item', { hasText: text }).first().waitFor();

let page: Page;
let authenticator: VirtualAuthenticator;
beforeEach(async () => {
  page = await (await chrome.newContext()).newPage();
  authenticator = await addAuthenticator(page);
});

async function atPasskey() {
  const open = openLibrary(place.home);
  await (await open.gate()).adoptAll('all', { via: 'init' });
  const registered = await registerPasskey(place, page);
  return { open, ...registered };
}

describe('M46 an authenticator signs each decision', () => {
  it('M46 registered on the page, then accept, edit and decline are signed, and verify checks them without the page', async () => {
    const { open, port, fingerprint } = await atPasskey();
    expect([await (await open.gate()).confirmLevel(), fingerprint]).toEqual([
      'passkey',
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    await proposed(open, 'Start from 5,400 K.');
    await proposed(open, 'Crop less.');
    await proposed(open, 'Push to main.');
    const ui = await openInbox(place, page);
    expect(ui.address).toBe(`http://localhost:${port}/`);
    await shows(page, 'Start from 5,400 K.');
    await press(page, 'a');
    await said(page, 'accepted · notes.md of manta');
    expect(read(NOTES)).toContain('\nStart from 5,400 K.\n');
    expect(lastEntry()).toMatchObject({
      ...{ decision: 'accept', level: 'passkey', via: 'page', key: fingerprint },
      sig: { alg: 'webauthn', credential: expect.any(String) },
    });
    await shows(page, 'Crop less.');
    await press(page, 'e');
    await page.locator('textarea').fill('Crop less, and never the fins.');
    await page.keyboard.press('Control+Enter');
    await shows(page, 'never the fins');
    await press(page, 'a');
    await shows(page, 'Push to main.');
    expect(lastEntry()).toMatchObject({ decision: 'accept', edited: true });
    await press(page, 'd');
    await page.locator('form.editor input').fill('Never.');
    await page.keyboard.press('Enter');
    await said(page, 'declined');
    await ui.stop();
    expect(read(NOTES)).not.toContain('Push to main.');
    const checked = verify('--expect', fingerprint);
    expect(checked.stdout).toContain('all is well');
    expect(checked.stdout).toContain('signed by you');
    expect(checked.code).toBe(0);
    expect(
      verify(
        '--expect',
        fingerprint.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
      ).code,
    ).toBe(1);
  });

  it('M46 what was there before and an undo are each signed once', async () => {
    await registerPasskey(place, page);
    const open = openLibrary(place.home);
    const ui = await openInbox(place, page);
    await everythingElse(page);
    await shows(page, 'What was there before');
    await press(page, 'y');
    await said(page, 'adopted');
    const adopted = [lastEntry(WORKSPACE), lastEntry('.bearings/tastes')];
    // Files of two ledgers, one assertion over the list.
    expect(new Set(adopted.map(({ sig }) => sig.signature)).size).toBe(1);
    expect(adopted.every(({ sig }) => sig.list.length >= 2)).toBe(true);

    await proposed(open, 'Four.');
    await shows(page, 'Four.');
    await press(page, 'a');
    await said(page, 'accepted');
    await press(page, 'u');
    await page.getByRole('dialog').getByRole('button', { name: 'Write it' }).click();
    await said(page, 'undone · notes.md of manta');
    expect(lastEntry()).toMatchObject({ decision: 'undo', sig: { alg: 'webauthn' } });
    expect(read(NOTES)).not.toContain('Four.');
    await ui.stop();
    expect(verify().stdout).toContain('all is well');
    expect((await (await open.memory()).readContext('manta')).warnings).toEqual([]);
  });

  it('M46 an authenticator that does not answer, or not for the person, decides nothing', async () => {
    const { open } = await atPasskey();
    await proposed(open, 'Not without a finger.');
    const { devtools, id: authenticatorId } = authenticator;
    const ui = await openInbox(place, page);
    await shows(page, 'Not without a finger.');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await press(page, 'a');
    await said(page, 'Your authenticator did not sign');
    expect(read(NOTES)).not.toContain('finger');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await press(page, 'a');
    await said(page, 'accepted');
    await ui.stop();
    expect(read(NOTES)).toContain('Not without a finger.');
  });

  it('M46 another authenticator is added with the first, and signs where the first is lost', async () => {
    const open = openLibrary(place.home);
    await (await open.gate()).adoptAll('all', { via: 'init' });
    const port = 20_000 + (process.pid % 12_000);
    const [first, second] = [softAuthenticator(port), softAuthenticator(port)];
    await raised(open, first, { port });
    const { fingerprint } = await (await open.gate()).keyInfo();
    const adding = await startPage(place, ['verify', 'key', 'add']);
    const desk = await pageVisit(adding);
    const asked = (await desk.send('/api/task', { registration: second.registration })).value.unsigned;
    // The one that is there signs, not the new one.
    expect(asked?.credential).toBe(first.registration.credential);
    const signature = first.signature({ challenge: asked?.challenge ?? '' });
    expect((await desk.send('/api/sign', { id: asked?.id, signature })).status).toBe(200);
    expect(await adding.ends()).toContain('added');
    const { authenticators } = await (await open.gate()).keyInfo();
    expect(authenticators).toHaveLength(2);
    const id = await proposed(open, 'By the second.');
    const ui = await startUi(place);
    const { send, look } = await pageVisit(ui);
    const { binding } = (await look(`/api/item?key=p/${id}`)).value;
    const { credential } = second.registration;
    const wanted = (await send('/api/act', { binding, action: 'accept', credential })).value.unsigned;
    expect(wanted?.credential).toBe(credential);
    const signed = second.signature({ challenge: wanted?.challenge ?? '' });
    expect((await send('/api/sign', { id: wanted?.id, signature: signed })).status).toBe(200);
    await ui.stop();
    expect(lastEntry()).toMatchObject({ key: authenticators[1]?.fingerprint });
    expect(verify('--expect', fingerprint).stdout).toContain('all is well');
  });
});

describe('M46 the level', () => {
  it('M46 is left only with the authenticator; what it signed stays yours, and the next key is the one it named', async () => {
    const { open } = await atPasskey();
    await proposed(open, 'By finger.');
    const ui = await openInbox(place, page);
    await shows(page, 'By finger.');
    await press(page, 'a');
    await said(page, 'accepted');
    await ui.stop();
    const left = await confirmOnPage(page, await startPage(place, ['config', 'confirm', 'ask']));
    expect(left).toContain('confirm is now ask');
    expect(await (await open.gate()).confirmLevel()).toBe('ask');
    await decided(open, await proposed(open, 'By key again.'));
    const checked = verify();
    expect(checked.stdout).toContain('signed by you with an earlier key');
    expect(checked.stdout).toContain('all is well');
    expect((await (await open.memory()).readContext('manta')).warnings).toEqual([]);
  });

  it('M46 M32 M40 M44 edit, undo and erase each open the page for that one thing; a text that is not confirmed is kept', async () => {
    const { open } = await atPasskey();
    writeFileSync(at('editor.sh'), '#!/bin/sh\nprintf "\\nwritten for hours\\n" >> "$1"\n', { mode: 0o755 });
    put(place.home, { '.bearings/config.yaml': `editor: ${at('editor.sh')}\n` });
    const before = read(NOTES);

    const left = await startPage(place, ['edit', 'notes', 'manta']);
    await left.stop();
    const [, path = ''] = /what you wrote is in (\S+text\.md)/.exec(left.shown().replace(/\s+/g, ' ')) ?? [];
    expect(readFileSync(path.replace(/^~/, place.home), 'utf8')).toBe(`${before}\nwritten for hours\n`);
    expect(read(NOTES)).toBe(before);

    const saved = await startPage(place, ['edit', 'notes', 'manta']);
    await enterWith(page, saved);
    await page.locator('.task pre', { hasText: '+ written for hours' }).waitFor();
    expect(await confirmOnPage(page, saved)).toContain('saved notes.md');
    expect(read(NOTES)).toBe(`${before}\nwritten for hours\n`);
    expect(lastEntry()).toMatchObject({ decision: 'edit', level: 'passkey', sig: { alg: 'webauthn' } });

    const undone = await startPage(place, ['undo']);
    expect(await confirmOnPage(page, undone)).toContain('undone · notes.md of manta');
    expect(read(NOTES)).toBe(before);
    expect(lastEntry()).toMatchObject({ decision: 'undo', via: 'page', sig: { alg: 'webauthn' } });

    const erased = await startPage(place, ['erase', 'written for hours']);
    await enterWith(page, erased);
    await page.locator('.task pre', { hasText: 'written for hours' }).waitFor();
    expect(await confirmOnPage(page, erased)).toContain('erased · ');
    expect(rawScan([at('.bearings')], 'written for hours')).toEqual([]);
    expect((await (await open.gate()).verify()).faults.map(({ message }) => message)).toEqual([]);
  });

  it('M46 goes up from passphrase with the passphrase alone', async () => {
    const open = openLibrary(place.home);
    await (await open.gate()).adoptAll('all', { via: 'init' });
    await (await open.gate()).setPassphrase(WORDS);
    const wrong = screen(place, ['config', 'confirm', 'passkey']);
    await wrong.shows('passphrase:');
    wrong.enter('other words entirely');
    await wrong.shows('The passphrase is wrong.');
    wrong.press('C-c');
    await wrong.shows('nothing changed');
    const { fingerprint } = await registerPasskey(place, page, [WORDS]);
    expect(await (await open.gate()).confirmLevel()).toBe('passkey');
    expect(verify('--expect', fingerprint).stdout).toContain('all is well');
    // And down to it again, with a new one.
    const down = await startPage(place, ['config', 'confirm', 'passphrase'], [WORDS, WORDS]);
    expect(await confirmOnPage(page, down)).toContain('confirm is now passphrase');
    await decided(open, await proposed(open, 'Under the new words.'), { passphrase: WORDS });
    const proven = await (await open.gate()).verify(WORDS);
    expect(proven.faults.map(({ message }) => message)).toEqual([]);
  });

  it('M46 key shows the key and what to do before it is lost, at every level', async () => {
    const key = (...args: string[]) => bearings(place, 'verify', 'key', ...args).stdout;
    expect(key()).toMatch(/fingerprint +[0-9a-f]{64}[\s\S]*level +ask[\s\S]*Write the fingerprint down/);
    await registerPasskey(place, page);
    const shown = key();
    for (const words of ['level          passkey', 'http://localhost:', 'authenticator  1', 'bearings verify key add'])
      expect(shown).toContain(words);
    expect(JSON.parse(key('--json'))).toMatchObject({
      level: 'passkey',
      authenticators: [{}],
      advice: expect.any(Array),
    });
    expect(bearings(place, 'verify', 'key', 'remove').code).toBe(2);
  });
});

describe('M46 every other way to decide leads to the page', () => {
  it('M46 review opens it, and policy allow has the authenticator sign there', async () => {
    const { open } = await atPasskey();
    await proposed(open, 'From the terminal.');
    const ui = await startPage(place, ['review']);
    expect(ui.shown()).toContain('signed by your authenticator, so the page asks for the yes');
    await enterWith(page, ui);
    await shows(page, 'From the terminal.');
    await press(page, 'a');
    await said(page, 'accepted');
    await ui.stop();
    expect(read(NOTES)).toContain('From the terminal.');
    put(place.home, {
      'project/.bearings/policy.yaml':
        'extends: repo\nadapters:\n  - name: work\n    kind: command\n    command: [echo, "[]"]\n',
    });
    const project = { ...place, cwd: at('project') };
    const asked = await startPage(project, ['policy', 'allow', 'work']);
    await enterWith(page, asked);
    await page.locator('.task', { hasText: '"echo" "[]"' }).waitFor();
    expect(await confirmOnPage(page, asked)).toContain('allowed');
    expect(JSON.parse(bearings(project, 'policy', 'allowed', '--json').stdout)).toMatchObject([{ adapter: 'work' }]);
  });

  it('M46 a page on another port, or under another name, is not the one', async () => {
    const { port } = await atPasskey();
    const other = screen(place, ['ui', '--port', String(port + 1)]);
    await other.shows(`Your authenticator signs on port ${port} alone`);
    const ui = await startUi(place);
    expect((await raw(ui, '/')).status).toBe(421);
    expect((await raw(ui, '/', { headers: { host: `localhost:${port}` } })).status).toBe(200);
    await ui.stop();
  });
});
