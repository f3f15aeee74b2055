import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { accepted, endedUndecided, openLibrary, proposed } from '../support/open-library.ts';
import { bringAxe, expectNoFinding, expectNoFindingHere, press, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';

const WORKSPACE = '.bearings/workspaces/manta';
const { place, at } = person({
  [`${WORKSPACE}/notes.md`]:
    '# Notes\n\nKept the red channel at +0.15, no further.\n\nWB a touch cool in the first frames.\n',
  [`${WORKSPACE}/brief.md`]:
    '# Manta over the reef\n\nTastes: underwater, macro, wildlife\n\nClean blue water, quiet mood. The animal is the picture.\n',
  '.bearings/tastes/_default.md': '# What I always want\n\n- Quiet over loud.\n\n- Keep blacks a touch open.\n',
  '.bearings/tastes/underwater.md': '# Underwater\n\n- Water stays blue, not cyan.\n- lift shadows on the subject\n',
  '.bearings/tastes/macro.md': '# Macro\n\n- One plane in focus is enough.\n- lift shadows on the subject\n',
});
const chrome = realBrowser();

const PLACES = [
  { name: 'inbox', path: '', wait: '.diff' },
  { name: 'workspace', path: 'memory', wait: '.plain-table' },
  { name: 'notes', path: 'memory/w/manta/notes', wait: '.passage' },
  { name: 'sessions', path: 'sessions', wait: '.story li' },
  { name: 'bundles', path: 'bundles', wait: '.empty' },
  { name: 'runs', path: 'runs', wait: '.empty' },
];

async function fill(): Promise<void> {
  const settings = openLibrary(place.home);
  await (await settings.gate()).adoptAll('all', { via: 'init' });
  for (const frame of [1, 2, 3])
    await accepted(settings, `Frame ${frame}: warmed a little, **kept** it.\n\n- one\n- two`);
  await proposed(settings, 'WB estimate runs a touch cool in the first frames;\nstart from 5,400 K.', {
    reason: 'WB reads cool against the brief; the person warmed it twice.',
  });
  const taste = { kind: 'taste', category: 'appearance' } as const;
  await proposed(settings, '- Keep blacks open, never grey.', { ...taste, replaces: '- Keep blacks a touch open.' });
  const session = await (await settings.sessions()).openSession({ id: 'manta' }, 'claude-code');
  session.served('what it got');
  await (await settings.gate()).propose(session, { kind: 'notes', content: 'An idea that came too late.' });
  await endedUndecided(settings, session);
  appendFileSync(at(`${WORKSPACE}/notes.md`), '\nnobody decided on this\n');
}

it('every place fits from 360 to 1,600 px, with no serious finding of axe, in light and in dark', async () => {
  await fill();
  const ui = await startUi(place);
  const { page, foreign, complaints } = await chrome.enter(ui);
  await bringAxe(page);
  for (const { name, path, wait } of PLACES) {
    await page.goto(`${ui.address}${path}`);
    await page.locator(wait).first().waitFor();
    await expectNoFinding(page, name);
  }
  await page.goto(ui.address);
  await page.locator('.diff').waitFor();
  await press(page, '?');
  await page.locator('dialog[open]').waitFor();
  await expectNoFindingHere(page, 'help');
  await page.keyboard.press('Escape');
  await press(page, 'e');
  await page.locator('.editor textarea').waitFor();
  await expectNoFindingHere(page, 'edit');
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});
