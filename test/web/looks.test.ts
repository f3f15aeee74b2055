import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decided, endedUndecided, openLibrary, proposed } from '../support/open-library.ts';
import { bringAxe, expectNoFinding, expectNoFindingHere, press, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';

const ID = 'billing-client';
const WORKSPACE = `.bearings/workspaces/${ID}`;
const { place, at } = person({
  [`${WORKSPACE}/notes.md`]:
    '# Notes\n\nThe sandbox answers 503 on Sundays; tests that need it skip then.\n\nAmounts are strings in the API and cents in our code.\n',
  [`${WORKSPACE}/brief.md`]:
    '# A client library for the billing API\n\nTastes: typescript, tests, browsers\n\nNode 20 and browsers. Whoever calls it must never pay twice.\n',
  '.bearings/tastes/_default.md':
    '# What I always want\n\n- Small commits; one concern each.\n\n- Errors carry a code.\n',
  '.bearings/tastes/typescript.md': '# TypeScript\n\n- Types are inferred where they can be.\n- no default exports\n',
  '.bearings/tastes/tests.md': '# Tests\n\n- One behaviour a test; its title says which.\n- no default exports\n',
});
const chrome = realBrowser();

const PLACES = [
  { name: 'inbox', path: '', wait: '.diff' },
  { name: 'workspace', path: 'memory', wait: '.plain-table' },
  { name: 'notes', path: 'memory/w/billing-client/notes', wait: '.passage' },
  { name: 'sessions', path: 'sessions', wait: '.story li' },
  { name: 'bundles', path: 'bundles', wait: '.empty' },
  { name: 'runs', path: 'runs', wait: '.empty' },
];

async function fill(): Promise<void> {
  const settings = openLibrary(place.home);
  await (await settings.gate()).adoptAll('all', { via: 'init' });
  for (const release of ['2.3', '2.4', '2.5'])
    await decided(
      settings,
      await proposed(settings, `Release ${release}: retries of **429** alone.\n\n- one\n- two`, { id: ID }),
    );
  await proposed(settings, 'Use pnpm; npm breaks the workspace links.\nCI installs with a frozen lock file.', {
    id: ID,
    reason: 'The person said it twice: pnpm, not npm.',
  });
  const taste = { kind: 'taste', category: 'process', id: ID } as const;
  await proposed(settings, '- Errors carry a code and a sentence.', { ...taste, replaces: '- Errors carry a code.' });
  const session = await (await settings.sessions()).openSession({ id: ID }, 'claude-code');
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
