import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askingClient } from '../support/mcp/asking-client.ts';
import { openLibrary } from '../support/open-library.ts';
import { press, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { screen } from '../support/process/tmux.ts';

const { place } = person({ '.bearings/workspaces/manta/brief.md': 'b', '.bearings/workspaces/reef/brief.md': 'b' });
const chrome = realBrowser();

async function expectOneRow(page: Page): Promise<void> {
  const tops = await page
    .locator('.bar button')
    .evaluateAll((found) => found.map((each) => each.getBoundingClientRect().y));
  expect(new Set(tops).size).toBe(1);
}

/** Two sessions that propose in turns. */
async function twoSessions() {
  const open = openLibrary(place.home);
  await (await open.gate()).adoptAll('all', { via: 'init' });
  const first = await (await open.sessions()).openSession({ id: 'manta' }, 'studio');
  const second = await (await open.sessions()).openSession({ id: 'reef' }, 'other');
  for (const [session, content] of [
    [first, 'First of one.'],
    [second, 'First of two.'],
    [first, 'Second of one.'],
    [second, 'Second of two.'],
  ] as const)
    await (await open.gate()).propose(session, { kind: 'notes', content });
}

describe('what one session proposed', () => {
  it('M47 is kept together on the page, and says so', async () => {
    await twoSessions();
    const { page } = await chrome.enter(await startUi(place));
    await page.locator('.item', { hasText: 'First of one.' }).waitFor();
    expect(await page.locator('.queue-scroll .title').allInnerTexts()).toEqual([
      'First of one.',
      'Second of one.',
      'First of two.',
      'Second of two.',
    ]);
    const rows = page.locator('.queue-scroll li');
    expect(await rows.locator('.group').allInnerTexts()).toEqual(['1/2', '2/2', '1/2', '2/2']);
    expect(await rows.locator('.by-whom').allInnerTexts()).toEqual(['studio', 'studio', 'other', 'other']);
    expect(await page.locator('.item .by').innerText()).toContain('1 of 2 that it proposed in one session');
  });

  it('M47 is of one workspace on the page, a run’s result under its own name; each row shows its target whole, and the keys are in one row', async () => {
    const open = openLibrary(place.home);
    await (await open.gate()).adoptAll('all', { via: 'init' });
    const run = 'run 20261117-122917-5b563b';
    for (const subject of ['Whales', 'Lanterns', 'Gravel', 'Violins', 'Harbours', 'Ledgers', 'Routers'])
      for (const id of ['manta', 'reef']) {
        const session = await (await open.gate()).standingSession({ id }, 'command line');
        await (await open.gate()).propose(session, { kind: 'notes', content: `${subject} of ${id} matter.` });
      }
    const session = await (await open.gate()).standingSession({ id: 'reef' }, run);
    await (await open.gate()).propose(session, { kind: 'notes', content: 'The result of a run.' });
    const { page } = await chrome.enter(await startUi(place));
    const head = page.locator('.session-list .by');
    await head.filter({ hasText: 'proposed by command line in manta' }).waitFor();
    expect(await page.locator('.listed').count()).toBe(7);
    expect(await page.locator('.session-list').innerText()).not.toContain('reef');
    await expectOneRow(page);
    await press(page, 'o');
    await page.locator('.diff').waitFor();
    await expectOneRow(page);
    for (const width of [1280, 400]) {
      await page.setViewportSize({ width, height: 1500 });
      if (width === 400) await page.locator('.list-toggle').click();
      const last = page.locator('.queue-scroll li', { hasText: 'The result of a run.' });
      await last.waitFor();
      expect(await last.locator('.by-whom').innerText()).toBe(run);
      expect(await last.locator('.group').count()).toBe(0);
      expect(await page.locator('.queue-scroll .where').allInnerTexts()).toEqual([
        ...Array(7).fill('notes.md of manta'),
        'reef',
        'notes.md of reef',
      ]);
      const cut = '.queue-scroll .where, .queue-scroll .meta, .queue-scroll .by-whom';
      const isCut = (found: { scrollWidth: number; clientWidth: number }[]) =>
        found.filter((each) => each.scrollWidth > each.clientWidth).length;
      expect([width, await page.locator(cut).evaluateAll(isCut)]).toEqual([width, 0]);
    }
  });

  it('M47 is kept together in review, and says so', async () => {
    await twoSessions();
    const review = screen(place, ['review'], { columns: 100 });
    expect(await review.shows('First of one.')).toContain('1 of 2 that it proposed in one session');
    expect(await review.chooses('s', 'Second of one.')).toContain('2 of 4');
    await review.chooses('s', 'First of two.');
  });
});

describe('what was decided through a client’s own question', () => {
  it('M47 is said first on the page, until the person has seen it', async () => {
    const open = openLibrary(place.home);
    await (await open.gate()).adoptAll('all', { via: 'init' });
    const { propose, call } = await askingClient(place, { name: 'twenty-lines', reply: 'accept' });
    await call('confirm_notes_update', { proposal_id: await propose('Push to main.') });
    await propose('Another.');
    const ui = await startUi(place);
    const { page } = await chrome.enter(ui);
    const item = page.locator('.item', { hasText: 'Decided through a client' });
    await item.waitFor();
    const text = await item.innerText();
    for (const words of ['accept', 'notes.md of manta', 'twenty-lines', 'Were you asked?'])
      expect(text).toContain(words);
    await press(page, 'g');
    await page.locator('.item', { hasText: 'Another.' }).waitFor();
    expect(await (await open.gate()).decidedByClients()).toEqual([]);
  });
});
