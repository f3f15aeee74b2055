import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { decided, ledgerLines, openLibrary } from '../support/open-library.ts';
import { bringAxe, expectNoFinding, press, realBrowser } from '../support/page/page-browser.ts';
import { enterRaw, post, raw, withCredentials } from '../support/page/page-requests.ts';
import { startUi } from '../support/page/page-server.ts';
import { addAuthenticator, openInbox, registerPasskey } from '../support/page/passkey-person.ts';
import { person } from '../support/person.ts';

const WORKSPACE = '.bearings/workspaces/w';
const { place, at, run } = person({
  [`${WORKSPACE}/brief.md`]: 'About w.\n',
  [`${WORKSPACE}/notes.md`]: 'Group papers by method.\n\nRound prices to 2 decimals.\n',
});
const chrome = realBrowser();
const notes = () => readFileSync(at(`${WORKSPACE}/notes.md`), 'utf8');
const entries = () => ledgerLines(at(WORKSPACE)).map((line) => JSON.parse(line));
const pending = () => JSON.parse(run('review', '--list', '--json').stdout) as { content: string }[];

const SCRIPT = '<img src=x onerror="window.stolen=1">';
const FIRST = 'The parser drops the last token.';
const OTHERS = ['router', 'cache', 'index', 'ledger', 'worker'].map(
  (subject) => `The ${subject} stands for itself alone.\nIt is the ${subject} that counts, ${SCRIPT} or not.`,
);
const SEVEN = [FIRST, ...OTHERS, 'A page is read again before it is written.'];
const AGAINST = 'Never group papers by method.';

async function propose(texts: readonly string[], passphrase?: string) {
  const open = openLibrary(place.home);
  await (await open.gate()).adoptAll('all', { via: 'init' });
  if (passphrase !== undefined) await (await open.gate()).setPassphrase(passphrase);
  const session = await (await open.sessions()).openSession({ id: 'w' }, 'studio');
  const ids: string[] = [];
  const more = async (content: string) => {
    const answer = await (await open.gate()).propose(session, { kind: 'notes', content, reason: 'Seen twice.' });
    if (answer.status !== 'pending') throw new Error(`${content}: ${answer.status}`);
    ids.push(answer.proposal_id);
  };
  for (const text of texts) await more(text);
  return { open, session, ids, more };
}

const listNamed = (session: string) => encodeURIComponent(`l/${JSON.stringify([session, 'w', 'studio'])}`);
const button = (page: Page, name: string | RegExp) => page.locator('.bar').getByRole('button', { name });
const listShows = (page: Page, count: number) =>
  page.locator('.session-list h1', { hasText: `${count} proposals of one session` }).waitFor();
const said = (page: Page, text: string) => page.locator('.said', { hasText: text }).waitFor();
const toEnd = async (page: Page) => {
  await press(page, 'End');
  const counts = page.locator('.bar button:enabled', { hasText: /Accept all|All but \d/ });
  await counts.waitFor().catch(async () => {
    throw new Error(`Its end was never seen: ${await page.evaluate(WHERE_IT_IS)}`);
  });
};
const WHERE_IT_IS = `(() => {
  const box = document.querySelector('.scroll');
  const { scrollTop, clientHeight, scrollHeight } = box;
  const end = document.querySelector('.item-end')?.getBoundingClientRect().top;
  const [head, said, bar] = ['h1', '.said', '.bar'].map((part) => document.querySelector('.one ' + part)?.textContent);
  const { bottom } = box.getBoundingClientRect();
  return JSON.stringify({ scrollTop, clientHeight, scrollHeight, end, bottom, head, said, bar });
})()`;

describe('M47 seven proposals of one session on the page', () => {
  it('M47 come on one list, whole and with why they matter; a word on all counts once its end was seen', async () => {
    await propose([...SEVEN, AGAINST]);
    const { page, complaints, foreign } = await chrome.enter(await startUi(place));
    await listShows(page, 8);
    const lines = page.locator('.listed');
    expect(await lines.count()).toBe(7);
    expect(await lines.locator('.listed-text').allInnerTexts()).toEqual(SEVEN);
    expect(await lines.first().innerText()).toContain('notes.md of w · "Seen twice."');
    const head = await page.locator('.session-list').innerText();
    expect(head).toMatch(/proposed by studio in w · just now/);
    expect(head).toContain('1 more comes by itself');
    expect(head).not.toContain(AGAINST);
    const before = entries().length;
    for (const name of [/^Accept all/, /^All but/, /^Decline all/])
      expect(await button(page, name).isDisabled()).toBe(true);
    for (const key of ['A', 'D']) {
      await press(page, key);
      await said(page, 'Scroll to the end of the list first');
    }
    expect([entries().length, pending().length]).toEqual([before, 8]);
    await toEnd(page);
    await press(page, 'A');
    await said(page, '7 decided, each as it was shown');
    const own = entries().slice(before);
    expect(own.map(({ decision }) => decision)).toEqual(Array(7).fill('accept'));
    expect(own.every(({ via, level }) => via === 'page' && level === 'ask')).toBe(true);
    for (const text of SEVEN) expect(notes().split(text)).toHaveLength(2);
    // What may contradict memory comes by itself.
    await page.locator('.item .warnings', { hasText: 'May contradict' }).waitFor();
    expect(pending().map(({ content }) => content)).toEqual([AGAINST]);
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    expect(run('verify').code).toBe(0);
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
  });

  it('M47 all but the marked: those come one by one', async () => {
    await propose(SEVEN);
    const { page } = await chrome.enter(await startUi(place));
    await listShows(page, 7);
    await toEnd(page);
    const marked = page.locator('.listed', { hasText: 'The cache stands' });
    await marked.getByRole('checkbox', { name: /Leave out/ }).focus();
    await press(page, 'Space');
    await button(page, /^All but 1/).waitFor();
    expect(await button(page, /^Accept all/).isDisabled()).toBe(true);
    await press(page, 'A');
    await said(page, 'Some are marked');
    await press(page, 'x');
    await said(page, '6 decided, each as it was shown');
    await page.locator('.diff', { hasText: 'The cache stands' }).waitFor();
    expect(pending().map(({ content }) => content)).toEqual([OTHERS[1]]);
    expect(notes()).toContain('The router stands');
    expect(notes()).not.toContain('The cache stands');
  });

  it('M47 M21 all are declined for good, with a reason', async () => {
    const { open, session } = await propose(SEVEN);
    const before = notes();
    const { page } = await chrome.enter(await startUi(place));
    await listShows(page, 7);
    await toEnd(page);
    await press(page, 'D');
    await page.locator('form.editor input').fill('none of it is true');
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: '7 decided, each as it was shown' }).waitFor();
    expect([notes(), pending()]).toEqual([before, []]);
    for (const content of SEVEN)
      expect(await (await open.gate()).propose(session, { kind: 'notes', content })).toMatchObject({
        status: 'declined_before',
        reason: 'none of it is true',
      });
  });

  it('M47 M18 at passphrase it is asked for once; a wrong one decides nothing and leaves the list as it is', async () => {
    await propose(SEVEN, 'correct horse battery');
    const before = notes();
    const { page } = await chrome.enter(await startUi(place));
    await listShows(page, 7);
    await toEnd(page);
    await press(page, 'A');
    const field = page.getByRole('textbox', { name: 'Passphrase' });
    await field.fill('something else');
    await page.keyboard.press('Enter');
    await said(page, 'The passphrase is wrong.');
    expect([notes(), pending().length]).toEqual([before, 7]);
    await press(page, 'A');
    await field.fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: '7 decided, each as it was shown' }).waitFor();
    expect(
      entries()
        .slice(-7)
        .every(({ level }) => level === 'passphrase'),
    ).toBe(true);
    expect(run('verify').code).toBe(0);
  });

  it('M47 M46 at passkey one assertion signs the list that was shown', async () => {
    const page = await (await chrome.newContext()).newPage();
    await addAuthenticator(page);
    const { ids } = await propose(SEVEN);
    await registerPasskey(place, page);
    await openInbox(place, page);
    await listShows(page, 7);
    await toEnd(page);
    await press(page, 'A');
    await page.locator('.empty', { hasText: '7 decided, each as it was shown' }).waitFor();
    const own = entries().slice(-7);
    expect(own.map(({ proposal_id }) => proposal_id).sort()).toEqual([...ids].sort());
    expect(new Set(own.map(({ sig }) => sig.signature)).size).toBe(1);
    expect(own.every(({ level, sig }) => level === 'passkey' && sig.list.length === 7)).toBe(true);
    expect(run('verify').code).toBe(0);
  });

  it('M47 M19 what cannot be decided ends it, and the answer says how far it came; nothing is written twice', async () => {
    const { open, ids, session } = await propose(OTHERS.concat(['A sixth of them.', 'And the seventh one here.']));
    const ui = await startUi(place);
    const right = withCredentials((await enterRaw(ui)) ?? { cookie: '', token: '' });
    const asked = await raw(ui, `/api/item?key=${listNamed(session.session_id)}`, { headers: right });
    const { lines } = JSON.parse(asked.text).body as { lines: { binding: object }[] };
    const acts = lines.map(({ binding }) => ({ binding, action: 'accept' }));
    expect(acts).toHaveLength(7);
    const forged = { binding: { type: 'proposal', shown: { proposal_id: ids[0] } }, action: 'accept' };
    expect((await post(ui, '/api/act-all', { acts: [forged] }, right)).status).toBe(400);
    await decided(open, ids[2] ?? '', { decision: 'decline' });
    const answer = await post(ui, '/api/act-all', { acts }, right);
    const { acted, problem } = JSON.parse(answer.text);
    expect([acted.length, problem]).toEqual([2, expect.stringContaining('It may have been decided already.')]);
    expect(pending()).toHaveLength(4);
    const after = notes();
    expect((await post(ui, '/api/act-all', { acts }, right)).status).toBe(409);
    expect([notes(), pending().length]).toEqual([after, 4]);
    for (const text of OTHERS.slice(0, 2)) expect(after.split(text)).toHaveLength(2);
  });

  it('M47 an error in the middle is said on the page with how far it came, and the list shows what still waits', async () => {
    const more = ['eighth', 'ninth', 'tenth'].map((place) => `A ${place} text that is like no other ${place} one.`);
    const { open, ids } = await propose([...OTHERS, 'A sixth of them.', 'And the seventh one here.', ...more]);
    const { page } = await chrome.enter(await startUi(place));
    await listShows(page, 10);
    await toEnd(page);
    // Decided elsewhere after the key was pressed, before it came to the server.
    await page.route('**/api/act-all', async (route) => {
      await decided(open, ids[2] ?? '', { decision: 'decline' });
      await route.continue();
    });
    await press(page, 'A');
    await said(page, 'Decided before that: 2 of 10; the other 8 were not.');
    await listShows(page, 7);
    expect(await button(page, /^Accept all/).isDisabled()).toBe(true);
    expect(pending()).toHaveLength(7);
    for (const [index, text] of OTHERS.entries()) expect(notes().split(text)).toHaveLength(index < 2 ? 2 : 1);
    expect(run('verify').code).toBe(0);
  });

  it('M47 M22 one by one and back; what is decided elsewhere is said, and the rest is to be read again', async () => {
    const { open, ids } = await propose([...SEVEN, 'Eight is enough for a list.', 'Nine is more than enough.']);
    const { page } = await chrome.enter(await startUi(place));
    await listShows(page, 9);
    await page.locator('.session-list').getByRole('button', { name: 'one by one' }).click();
    await page.locator('.item .by', { hasText: '1 of 9 that it proposed in one session' }).waitFor();
    await press(page, 'o');
    await listShows(page, 9);
    await toEnd(page);
    await decided(open, ids[1] ?? '');
    await said(page, 'Some of these were decided elsewhere.');
    await listShows(page, 8);
    expect(await button(page, /^Accept all/).isDisabled()).toBe(true);
    expect(await page.locator('.session-list').innerText()).not.toContain('The router stands');
  });

  it('M47 M22 what is being read by itself does not become a list when a seventh arrives', async () => {
    const { more } = await propose(SEVEN.slice(0, 6));
    const { page } = await chrome.enter(await startUi(place));
    await page.locator('.diff', { hasText: FIRST }).waitFor();
    await more('The seventh that came late.');
    await page.locator('.side .count', { hasText: '7' }).waitFor();
    await page.locator('.queue-scroll .group', { hasText: '7/7' }).waitFor();
    expect(await page.locator('.diff', { hasText: FIRST }).count()).toBe(1);
    await press(page, 'o');
    await listShows(page, 7);
  });
});

it('M47 the list fits from 360 to 1,600 px, with no serious finding of axe, in light and in dark', async () => {
  await propose([...SEVEN, AGAINST]);
  const ui = await startUi(place);
  const { page, foreign, complaints } = await chrome.enter(ui);
  await bringAxe(page);
  await page.reload();
  await listShows(page, 8);
  await expectNoFinding(page, 'list');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('.listed').nth(1).getByRole('checkbox').check();
  await toEnd(page);
  await expectNoFinding(page, 'list-end');
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});
