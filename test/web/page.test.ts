import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { filesBelow, pendingBelow } from '../support/mcp/asking-client.ts';
import {
  accepted,
  endedUndecided,
  forger,
  ledgerLines,
  ledgerPath,
  openLibrary,
  proposed,
} from '../support/open-library.ts';
import { bringAxe, everythingElse, findings, press, realBrowser, type Visit } from '../support/page/page-browser.ts';
import { type RunningUi, startUi, until } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOME = '.bearings';
const WORKSPACE = `${HOME}/workspaces/manta`;
const NOTES = `${WORKSPACE}/notes.md`;
const DEFAULT = `${HOME}/tastes/_default.md`;
const { place, at } = person({
  [NOTES]: '# Manta\n\nKept the red channel at +0.15, no further.\n',
  [`${WORKSPACE}/brief.md`]: 'Tastes: underwater, macro\n\nClean blue water.\n',
  [DEFAULT]: '- calm\n\n- keep it quiet\n',
  [`${HOME}/tastes/underwater.md`]: '- Water stays blue.\n- lift shadows on the subject\n',
  [`${HOME}/tastes/macro.md`]: '- One plane in focus.\n- lift shadows on the subject\n',
});
const nobody = tempFolder();
const chrome = realBrowser();
const read = (name: string) => readFileSync(at(name), 'utf8');
const pending = () => pendingBelow(at(HOME));
const lastEntry = (folder = WORKSPACE) => JSON.parse(ledgerLines(at(folder)).at(-1) ?? '{}');
const settings = async () => {
  const opened = openLibrary(place.home);
  await (await opened.gate()).adoptAll('all', { via: 'init' });
  return opened;
};

const said = (page: Page, text: string) => page.locator('.said', { hasText: text }).waitFor();
const shows = (page: Page, text: string) => page.locator('.item', { hasText: text }).first().waitFor();
async function visit(options: Parameters<typeof chrome.enter>[1] = {}): Promise<Visit & { ui: RunningUi }> {
  const ui = await startUi(place);
  return { ui, ...(await chrome.enter(ui, options)) };
}
const clean = ({ foreign, complaints }: Visit) =>
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });

describe('the inbox', () => {
  it('M18 M19 M53 shows who, why, where, for which files and the exact change; one key accepts exactly that', async () => {
    const open = await settings();
    await proposed(open, 'WB runs cool; start from 5,400 K.', { reason: 'She warmed it twice.', paths: ['raw/**'] });
    const second = await proposed(open, 'The second one.');
    const before = read(NOTES);
    const visited = await visit();
    const { page } = visited;
    await shows(page, 'WB runs cool');
    const text = await page.locator('.item').innerText();
    for (const part of [
      'notes.md of manta',
      'proposed by studio',
      'She warmed it twice.',
      'For raw/**.',
      'Kept the red',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('in one session');
    await press(page, 'a');
    await said(page, 'accepted · notes.md of manta · ledger 3');
    expect(read(NOTES)).toBe(`${before}\nWB runs cool; start from 5,400 K.\n`);
    expect(lastEntry()).toMatchObject({ decision: 'accept', via: 'page', edited: false });
    await shows(page, 'The second one.');
    expect(pending()).toEqual([second]);
    // Who looked into the editor and changed nothing accepts it as it was proposed.
    await press(page, 'e');
    await page.keyboard.press('Control+Enter');
    await press(page, 'a');
    await page.locator('.empty').waitFor();
    expect(read(NOTES)).toContain('\nThe second one.\n');
    expect(lastEntry()).toMatchObject({ decision: 'accept', edited: false });
    clean(visited);
  });

  it('M18 a held key and one pressed too early decide nothing', async () => {
    const open = await settings();
    for (const name of ['one', 'two', 'three']) await proposed(open, `Note ${name}.`);
    const { page } = await visit();
    await shows(page, 'Note one.');
    await page.locator('.bar[aria-busy="false"]').waitFor();
    // The page's clock stands still: however busy the machine is, the next key comes in the moment of what is shown.
    const now = await page.evaluate<number>(
      '(() => { const at = performance.now(); performance.now = () => at; return at; })()',
    );
    await page.keyboard.down('a');
    for (let count = 0; count < 5; count += 1) await page.keyboard.down('a');
    await page.keyboard.up('a');
    await said(page, 'accepted');
    await shows(page, 'Note two.');
    await page.keyboard.press('a');
    await page.waitForTimeout(600);
    expect(pending()).toHaveLength(2);
    await page.evaluate(`performance.now = () => ${now + 1000}`);
    await page.keyboard.press('a');
    await shows(page, 'Note three.');
    expect(pending()).toHaveLength(1);
  });

  it('M20 edit, see it in place, accept: the edited text is written, both are recorded', async () => {
    const open = await settings();
    const id = await proposed(open, 'Start from 5,400 K.');
    const { page } = await visit();
    await shows(page, 'Start from');
    await press(page, 'e');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Start from 5,600 K,\nnever below.');
    await page.keyboard.press('Control+Enter');
    await shows(page, 'As you edited it');
    await shows(page, 'Start from 5,600 K,');
    await press(page, 'a');
    await said(page, 'accepted');
    expect(read(NOTES)).toContain('\nStart from 5,600 K,\nnever below.\n');
    expect(read(NOTES)).not.toContain('5,400');
    expect(lastEntry()).toMatchObject({ edited: true, proposal_id: id });
    const transcripts = Object.values(filesBelow(at(`${WORKSPACE}/sessions`))).join('');
    expect(transcripts).toContain('Start from 5,400 K.');
    expect(transcripts).toContain('never below.');
  });

  it('M21 decline with a reason; Escape goes back', async () => {
    const open = await settings();
    await proposed(open, 'A wrong idea.');
    const before = read(NOTES);
    const { page } = await visit();
    await shows(page, 'A wrong idea.');
    await press(page, 'd');
    await page.keyboard.press('Escape');
    expect(pending()).toHaveLength(1);
    await press(page, 'd');
    await page.keyboard.type('not true for this set');
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: 'Nothing waits for you' }).waitFor();
    expect(read(NOTES)).toBe(before);
    expect(lastEntry()).toMatchObject({ decision: 'decline', via: 'page' });
    const session = await (await open.sessions()).openSession({ id: 'manta' }, 'studio');
    expect(await (await open.gate()).propose(session, { kind: 'notes', content: 'A wrong idea.' })).toMatchObject({
      status: 'declined_before',
      reason: 'not true for this set',
    });
  });

  it('next and previous decide nothing', async () => {
    const open = await settings();
    for (const name of ['one', 'two', 'three', 'four']) await proposed(open, `Note ${name}.`);
    const { page } = await visit();
    await shows(page, 'Note one.');
    await press(page, 'j');
    await shows(page, 'Note two.');
    await press(page, 'k');
    await shows(page, 'Note one.');
    await press(page, 's');
    await shows(page, 'Note two.');
    expect(pending()).toHaveLength(4);
  });

  it('M40 `u` shows the text as it was before the last decision, and asks; a yes writes it', async () => {
    const open = await settings();
    const before = read(NOTES);
    await proposed(open, 'Strobes at half power.');
    const { page } = await visit();
    await shows(page, 'Strobes');
    await press(page, 'a');
    await page.locator('.empty', { hasText: 'accepted · notes.md of manta' }).waitFor();
    const grown = read(NOTES);
    expect(grown).toContain('Strobes at half power.');
    await press(page, 'u');
    const dialog = page.getByRole('dialog');
    await dialog.locator('.diff .removed', { hasText: 'Strobes at half power.' }).waitFor();
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    expect(read(NOTES)).toBe(grown);
    await press(page, 'u');
    await dialog.getByRole('button', { name: 'Write it' }).click();
    await page.locator('.empty', { hasText: 'undone · notes.md of manta' }).waitFor();
    expect(read(NOTES)).toBe(before);
    const decisions = ledgerLines(at(`${HOME}/workspaces/manta`)).map((line) => JSON.parse(line).decision);
    expect(decisions.slice(-2)).toEqual(['accept', 'undo']);
  });

  it('M40 a replaced taste comes back from the history of its file; any decision can be gone back to', async () => {
    const open = await settings();
    const before = read(DEFAULT);
    await proposed(open, '- keep it loud', { kind: 'taste', category: 'value', replaces: '- keep it quiet' });
    const { page } = await visit();
    await shows(page, 'keep it loud');
    expect(await page.locator('.diff .removed').innerText()).toContain('keep it quiet');
    await press(page, 'a');
    await until(() => read(DEFAULT).includes('loud'));
    await page.locator('.empty', { hasText: 'accepted' }).waitFor();
    await page.goto(new URL('/memory/tastes/_default', page.url()).href);
    await page.getByRole('button', { name: 'History' }).click();
    const newest = page.locator('.history li').first();
    expect(await newest.innerText()).toMatch(/accepted[\s\S]*keep it quiet[\s\S]*keep it loud/);
    await newest.getByRole('button', { name: 'undo this' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Write it' }).click();
    await until(() => read(DEFAULT) === before);
    await page.locator('.said', { hasText: 'undone · tastes/_default.md' }).waitFor();
    // The text first, then its account: both decisions are there, neither was rewritten.
    const decisions = () => ledgerLines(at(`${HOME}/tastes`)).map((line) => JSON.parse(line).decision);
    await until(() => decisions().slice(-2).join() === 'accept,undo');
  });

  it('M19 warns of a block that is gone, which can only be declined', async () => {
    const open = await settings();
    await proposed(open, '- calmer', { kind: 'taste', category: 'value', replaces: '- calm' });
    appendFileSync(at(DEFAULT), '\n- calm\n');
    const { page } = await visit();
    await page.locator('.warnings', { hasText: 'it can only be declined' }).waitFor();
    await press(page, 'a');
    await page.waitForTimeout(300);
    expect(pending()).toHaveLength(1);
  });

  it('M23 what was set aside can be revived, then decided', async () => {
    const open = await settings();
    const session = await (await open.sessions()).openSession({ id: 'manta' }, 'studio');
    await (await open.gate()).propose(session, { kind: 'notes', content: 'It came too late.' });
    await endedUndecided(open, session);
    const { page } = await visit();
    await page.locator('.empty', { hasText: 'Nothing waits for you' }).waitFor();
    await page.getByRole('button', { name: 'Look at everything else: 1' }).press('Enter');
    await shows(page, 'Set aside at the end of a session');
    await press(page, 'r');
    await page.locator('.by', { hasText: 'proposed by studio' }).waitFor();
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await press(page, 'a');
    await until(() => read(NOTES).includes('It came too late.'));
  });

  it('M32 the first look adopts with one question; a later block is adopted or taken out', async () => {
    const { page } = await visit();
    await everythingElse(page);
    await shows(page, 'What was there before');
    // Every block is shown, which is more than the screen: a yes before its end was seen adopts nothing.
    await press(page, 'y');
    await said(page, 'Scroll to its end first');
    expect(Object.keys(filesBelow(at(HOME))).filter((name) => name.includes('ledger/'))).toEqual([]);
    await press(page, 'End');
    await press(page, 'y');
    await page.locator('.empty').waitFor();
    expect(lastEntry()).toMatchObject({ decision: 'adopt', via: 'page' });
    const before = read(NOTES);
    appendFileSync(at(NOTES), '\nnobody decided on this\n');
    await everythingElse(page);
    await shows(page, 'nobody decided on this');
    await press(page, 't');
    await page.locator('.empty').waitFor();
    expect(read(NOTES)).toBe(before);
    appendFileSync(at(NOTES), '\nthis one is mine\n');
    await everythingElse(page);
    await shows(page, 'this one is mine');
    await press(page, 'a');
    await page.locator('.empty').waitFor();
    expect(read(NOTES)).toContain('this one is mine');
    expect(await (await openLibrary(place.home).gate()).unaccountedBlocks('all')).toEqual([]);
  });

  it('M26 M33 an unknown key is trusted, a merge tidied', async () => {
    const open = await settings();
    await accepted(open, 'A block that union doubled.');
    const own = ledgerPath(at(WORKSPACE));
    const other = forger();
    const entry = other.entry(ledgerLines(at(WORKSPACE))[0] ?? '', { who: 'mate', machine: 'other' }, null);
    writeFileSync(join(dirname(own), 'other.jsonl'), `${entry}\n`);
    appendFileSync(at(NOTES), '\nA block that union doubled.\n');
    const { page } = await visit();
    await everythingElse(page);
    await shows(page, 'A key you do not know');
    await press(page, 't');
    await shows(page, 'Tidied it reads');
    await press(page, 't');
    await until(() => read(NOTES).split('A block that union doubled.').length === 2);
    // The text first, then its account.
    const last = () => JSON.parse(readFileSync(own, 'utf8').trimEnd().split('\n').at(-1) ?? '{}');
    await until(() => last().decision === 'tidy' && last().via === 'page');
  });

  it('M51 opens with proposals, those of the workspace here first; everything else is one list behind one key, faults too', async () => {
    const open = await settings();
    await (await open.workspaces()).createWorkspace({ id: 'reef' });
    await proposed(open, 'Of another workspace.', { id: 'reef' });
    await proposed(open, 'Of this workspace.');
    appendFileSync(ledgerPath(at(WORKSPACE)), '{"seq":2,');
    const settled = async () => (await (await open.gate()).faults('all')).length === 0;
    expect(await settled()).toBe(false);
    const here = { ...place, cwd: tempFolder() };
    execFileSync('git', ['init', '-q', here.cwd]);
    expect(bearings(here, 'workspaces', 'link', 'manta').code).toBe(0);
    const ui = await startUi(here);
    const { page } = await chrome.enter(ui);
    await shows(page, 'Of this workspace.');
    expect(await page.locator('.queue-scroll .title').allInnerTexts()).toEqual([
      'Of this workspace.',
      'Of another workspace.',
    ]);
    await everythingElse(page);
    await shows(page, 'What does not verify does not count.');
    await press(page, 't');
    await said(page, 'settled · manta');
    await until(settled);
    // Nothing else waits: the proposals are there again.
    await shows(page, 'Of this workspace.');
  });

  it('M22 a proposal that somebody changed on disk is not shown, and the page says so', async () => {
    const open = await settings();
    const id = await proposed(open, 'As it was proposed.');
    const path = join(at(HOME), Object.keys(filesBelow(at(HOME))).find((name) => name.includes(id)) ?? '');
    writeFileSync(path, readFileSync(path, 'utf8').replace('As it was', 'Not as it was'));
    const visited = await visit();
    await visited.page.getByText('1 proposal of "manta" changed on disk').waitFor();
    await visited.page.locator('.empty').waitFor();
    clean(visited);
  });

  it('M22 is live: what is proposed or decided elsewhere shows by itself, and never takes away what is being read', async () => {
    const open = await settings();
    const visited = await visit();
    const { page } = visited;
    await page.locator('.empty').waitFor();
    await proposed(open, 'From another process.');
    await shows(page, 'From another process.');
    await proposed(open, 'And one more.');
    await page.locator('.side .count', { hasText: '2' }).waitFor();
    await shows(page, 'From another process.');
    clean(visited);
  });

  it('M22 M49 what is proposed in the instant a page opens shows: its first look tells, too', async () => {
    const open = await settings();
    const ui = await startUi(place);
    const page = await (await chrome.newContext()).newPage();
    let isFirst = true;
    await page.route('**/api/stamp', async (route) => {
      // The page has asked for what waits; then something changes; only then it looks.
      if (isFirst) await proposed(open, 'In between.');
      isFirst = false;
      await route.continue();
    });
    await page.goto(`${ui.address}#${ui.code()}`);
    await shows(page, 'In between.');
  });

  it('M22 what is proposed while a decision is on its way shows once that is done, whichever answer comes first', async () => {
    const open = await settings();
    await proposed(open, 'The first of two.');
    const { page } = await visit();
    await shows(page, 'The first of two.');
    let newest = () => {};
    const newestCame = new Promise<void>((resolve) => {
      newest = resolve;
    });
    let isFirst = true;
    await page.route('**/api/queue*', async (route) => {
      const isDelayed = isFirst;
      isFirst = false;
      const response = await route.fetch();
      // Read before the second was proposed, and given to the page after what was read later.
      if (isDelayed) {
        await proposed(open, 'The second of two.');
        await newestCame;
      }
      await route.fulfill({ response });
      if ((await response.text()).includes('The second of two.')) newest();
    });
    await press(page, 'a');
    await shows(page, 'The second of two.');
    await page.unrouteAll({ behavior: 'wait' });
    expect(read(NOTES)).toContain('The first of two.');
  });

  it('M18 at confirm: passphrase the page asks; a wrong one changes nothing', async () => {
    const open = await settings();
    await (await open.gate()).setPassphrase('correct horse battery');
    await proposed(open, 'Locked behind a secret.');
    const before = read(NOTES);
    const { page } = await visit();
    await shows(page, 'Locked behind a secret.');
    await press(page, 'a');
    await page.getByRole('textbox', { name: 'Passphrase' }).fill('something else');
    await page.keyboard.press('Enter');
    await page.locator('.said.problem', { hasText: 'The passphrase is wrong.' }).waitFor();
    expect(read(NOTES)).toBe(before);
    await press(page, 'a');
    await page.getByRole('textbox', { name: 'Passphrase' }).fill('correct horse battery');
    await page.keyboard.press('Enter');
    await page.locator('.empty').waitFor();
    expect(read(NOTES)).toContain('Locked behind a secret.');
    expect(lastEntry()).toMatchObject({ level: 'passphrase', via: 'page' });
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(stored).not.toContain('horse');
  });

  it('a proposal is decided by keyboard alone, from the code on, and without scrolling at 1,280 × 800', async () => {
    const open = await settings();
    await proposed(open, 'Only keys were used.', { reason: 'To see that no mouse is needed.' });
    const ui = await startUi(place);
    const context = await chrome.newContext();
    const page = await context.newPage();
    await page.goto(ui.address);
    await page.locator('.entry').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(ui.code().toLowerCase());
    await page.keyboard.press('Enter');
    await shows(page, 'Only keys were used.');
    for (const part of ['.item h1', '.reason', '.diff', '.bar button.main']) {
      const box = await page.locator(part).boundingBox();
      expect(box && box.y >= 0 && box.y + box.height <= 800, part).toBe(true);
    }
    const rest =
      'document.documentElement.scrollHeight - innerHeight + document.querySelector(".scroll").scrollHeight - document.querySelector(".scroll").clientHeight';
    expect(await page.evaluate(rest)).toBe(0);
    await press(page, 'a');
    await until(() => read(NOTES).includes('Only keys were used.'));
    await context.close();
  });
});

describe('memory', () => {
  it('shows brief, tastes and notes, blame per block, and conflicts', async () => {
    const open = await settings();
    for (const name of ['one', 'two', 'three']) await accepted(open, `Note **${name}**.`);
    const visited = await visit({ path: 'memory' });
    const { page } = visited;
    await page.locator('h1', { hasText: 'manta' }).waitFor();
    expect((await page.locator('.item pre').innerText()).trim()).toBe('Tastes: underwater, macro\n\nClean blue water.');
    expect(await page.locator('.plain-table tr').innerText()).toMatch(
      /lift shadows on the subject\s+underwater, macro/,
    );
    await page.getByRole('link', { name: 'notes' }).press('Enter');
    await page.locator('.passage').nth(4).waitFor();
    // What is out of sight is laid out late (content-visibility), and has no innerText until then.
    expect(await page.locator('.passage .source').nth(2).textContent()).toContain('Note **one**.');
    expect(await page.locator('.blame').nth(0).textContent()).toContain('by hand');
    expect(await page.locator('.blame').nth(2).textContent()).toContain('studio');
    clean(visited);
  });

  it('M40 a block of a taste is taken back after a question', async () => {
    const open = await settings();
    await proposed(open, '- warm skin', { kind: 'taste', category: 'appearance' });
    const { page } = await visit();
    await shows(page, 'warm skin');
    await press(page, 'a');
    await until(() => read(DEFAULT).includes('warm skin'));
    await page.keyboard.press('2');
    await page.locator('h1', { hasText: 'manta' }).waitFor();
    await page.getByRole('link', { name: 'always' }).press('Enter');
    await page.locator('.passage', { hasText: 'warm skin' }).getByRole('button', { name: 'undo' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.locator('.diff .removed', { hasText: '- warm skin' }).waitFor();
    expect(read(DEFAULT)).toContain('- warm skin');
    await dialog.getByRole('button', { name: 'Write it' }).click();
    await until(() => !read(DEFAULT).includes('- warm skin'));
  });
});

describe('sessions, bundles and runs', () => {
  it('a transcript reads as a story: what was proposed, decided, set aside', async () => {
    const open = await settings();
    const session = await (await open.sessions()).openSession({ id: 'manta' }, 'claude-code');
    session.record({ type: 'tool_call', tool: 'read_context', arguments: { image_id: 'manta' } });
    session.served('some context');
    await (await open.gate()).propose(session, { kind: 'notes', content: 'Told in a story.', reason: 'It was asked.' });
    await (await open.gate()).propose(session, { kind: 'notes', content: 'Left over.' });
    const { page } = await visit();
    await shows(page, 'Told in a story.');
    await press(page, 'a');
    await shows(page, 'Left over.');
    await (await open.gate()).endSession(session);
    session.end('end_session');
    await page.keyboard.press('4');
    await page.getByRole('link', { name: /claude-code/ }).press('Enter');
    await page.locator('.story li').nth(5).waitFor();
    const story = await page.locator('.story').innerText();
    for (const part of [
      'claude-code came in',
      'read its context',
      'got 12 characters of context',
      'proposed for the notes: “It was asked.”',
      'you accepted it (page)',
      'was set aside undecided',
      'the session ended',
    ])
      expect(story).toContain(part);
  });

  it('empty places teach', async () => {
    const { page } = await visit();
    for (const [key, text] of [
      ['3', 'bearings load --task'],
      ['5', 'bearings run'],
      ['4', 'bearings mcp'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator('.empty', { hasText: text }).waitFor();
    }
  });
});

it('a page without memory, and one for who was not let in, teach and have no serious finding of axe', async () => {
  const ui = await startUi({ home: nobody });
  const { page } = await chrome.enter(ui);
  await page.locator('.empty', { hasText: 'bearings init' }).waitFor();
  const steps = (await page.locator('.empty li').allInnerTexts()).join('\n');
  expect(steps).toMatch(/bearings init[\s\S]*\n.*bearings install[\s\S]*\n.*you press one key/);
  await page.keyboard.press('2');
  await page.locator('.empty', { hasText: 'bearings edit tastes' }).waitFor();
  const stranger = await (await chrome.newContext()).newPage();
  await bringAxe(stranger);
  await stranger.goto(`${ui.address}p/p_0123456789abcdef`);
  await stranger.locator('.entry', { hasText: 'Type the code' }).waitFor();
  expect(await findings(stranger)).toEqual([]);
});
