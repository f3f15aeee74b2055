import { describe, expect, it } from 'vitest';
import { askingClient } from './asking-client.ts';
import { openLibrary } from './open-library.ts';
import { press, realBrowser } from './page-browser.ts';
import { startUi } from './page-server.ts';
import { person } from './person.ts';
import { screen } from './tmux.ts';

const { place } = person({ '.bearings/workspaces/manta/brief.md': 'b', '.bearings/workspaces/reef/brief.md': 'b' });
const chrome = realBrowser();

/** Two sessions that propose in turns. */
async function twoSessions() {
  const open = openLibrary(place.home);
  await open.gate.adoptAll('all', { via: 'init' });
  const first = await open.gate.openSession({ id: 'manta' }, 'studio');
  const second = await open.gate.openSession({ id: 'reef' }, 'other');
  for (const [session, content] of [
    [first, 'First of one.'],
    [second, 'First of two.'],
    [first, 'Second of one.'],
    [second, 'Second of two.'],
  ] as const)
    await open.gate.propose(session, { kind: 'notes', content });
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
    expect(await page.locator('.queue-scroll .group').allInnerTexts()).toEqual([
      ...['studio 1/2', 'studio 2/2', 'other 1/2', 'other 2/2'],
    ]);
    expect(await page.locator('.item .by').innerText()).toContain('1 of 2 that it proposed in one session');
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
    await open.gate.adoptAll('all', { via: 'init' });
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
    expect(await open.internal.decidedByClients()).toEqual([]);
  });
});
