import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { confirmed, fire } from '../support/hook-calls.ts';
import { askingClient } from '../support/mcp/asking-client.ts';
import { accepted, openLibrary } from '../support/open-library.ts';
import { bringAxe, expectNoFinding, press, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';

const WORKSPACE = '.bearings/workspaces/manta';
const GAPS = `${WORKSPACE}/vocabulary_gaps.jsonl`;
// In two pieces, so that no scanner of this repository stops at it.
const SECRET = `AKIA${'QWERTYUIOPASDFGH'}`;
const { place, at } = person({
  [`${WORKSPACE}/brief.md`]: 'Quiet mood for the whole series.\n',
  [`${WORKSPACE}/notes.md`]: '# Notes\n\nKept the red channel at +0.15.\n',
  '.bearings/tastes/_default.md': '- Short captions.\n',
});
const chrome = realBrowser();

const gap = (daysAgo: number, description: string, satisfaction: -1 | 0 | 1) => ({
  timestamp: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
  ...{ image_id: 'manta', description, satisfaction, session_id: `s${daysAgo}`, workaround: 'by hand' },
});
const writeGaps = (...gaps: object[]) =>
  writeFileSync(at(GAPS), gaps.map((each) => `${JSON.stringify(each)}\n`).join(''));
const someGaps = () =>
  writeGaps(
    ...[20, 12, 11, 3, 1].map((days) => gap(days, 'No radial mask', -1)),
    ...[9, 2].map((days) => gap(days, 'No word for the grain', 0)),
    gap(4, 'Curves by hand', 1),
  );

/** A client that reads, proposes twice, is answered, and logs; then the person writes past the gate. */
async function aSession(): Promise<string> {
  const open = openLibrary(place.home);
  await (await open.gate()).adoptAll('all', { via: 'init' });
  const { client, call, propose } = await askingClient(place, { name: 'claude-code', args: ['--workspace', 'manta'] });
  await call('confirm_notes_update', { proposal_id: await propose('The manta turns left.') });
  await call('log_operation', { op: 'crop', details: { why: 'the frame was crooked' } });
  const { texts } = await call('read_context');
  await propose('A second one that waits.');
  await client.close();
  return texts[0] ?? '';
}

const waitsFor = (page: Page, selector: string, text: string) =>
  page.locator(selector, { hasText: text }).first().waitFor();

describe('a session as a story', () => {
  it('M49 tells in order what was called, proposed, decided and served, with the exact text', async () => {
    const served = await aSession();
    appendFileSync(at(`${WORKSPACE}/notes.md`), '\nWritten past the gate.\n');
    const { page, complaints } = await chrome.enter(await startUi(place), { path: 'sessions' });
    await page.locator('.story li').nth(6).waitFor();
    const story = await page.locator('.story').innerText();
    const order = [
      'claude-code came in',
      'proposed for',
      'wanted you to decide on a note',
      'you accepted it',
      'logged an operation',
      'characters of context',
    ];
    const places = order.map((words) => story.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const moments = await page.locator('.story li').count();
    expect(await page.locator('.item .by').innerText()).toContain(` ${moments} moments · `);
    await page.getByRole('button', { name: 'show the text' }).click();
    await waitsFor(page, '.served-text', 'Quiet mood');
    expect(await page.locator('.served-text .shown-text pre').textContent()).toBe(served);
    expect(complaints).toEqual([]);
  });

  it('M49 a text that is no longer stored says so; a secret in one is replaced by its class', async () => {
    appendFileSync(at(`${WORKSPACE}/notes.md`), `\nThe key is ${SECRET}.\n`);
    writeGaps(gap(1, `No way to use ${SECRET}`, -1), gap(0.5, `No way to use ${SECRET}`, -1));
    await aSession();
    const open = openLibrary(place.home);
    writeFileSync(at('.bearings/config.yaml'), 'keep_served: 0\n');
    const lost = await (await open.sessions()).openSession({ id: 'manta' }, 'codex');
    lost.served('a text that nobody keeps');
    lost.end('done');
    const ui = await startUi(place);
    const { page } = await chrome.enter(ui, { path: 'sessions' });
    await page.getByRole('link', { name: /codex/ }).click();
    await page.getByRole('button', { name: 'show the text' }).click();
    await waitsFor(page, '.story', 'no longer stored');
    await page.getByRole('link', { name: /claude-code/ }).click();
    await waitsFor(page, '.item h1', 'claude-code');
    const answers: string[] = [];
    page.on('response', async (answer) => {
      answers.push(await answer.text().catch(() => ''));
    });
    await page.getByRole('button', { name: 'show the text' }).click();
    await waitsFor(page, '.served-text', 'The key is [redacted:');
    await press(page, '6');
    await waitsFor(page, '.gap h1', 'No way to use [redacted:');
    expect(answers.join('\n')).not.toContain(SECRET);
    expect(readFileSync(at(`${WORKSPACE}/notes.md`), 'utf8')).toContain(SECRET);
  });
});

it('M54 the story of a session shows which rule stopped what and when: the client, the command or file, the person’s sentence', async () => {
  const rule = 'Never run `git push --force`: it rewrites what others have.';
  await confirmed(place, rule);
  await confirmed(place, 'Never edit `generated/**`: it is written by codegen.');
  const stopped = (tool_name: string, tool_input: object) =>
    fire(
      place,
      'before-tool',
      { tool_name, tool_input, session_id: 's1' },
      '--client',
      'claude-code',
      '--workspace',
      'manta',
    );
  stopped('Bash', { command: `git push --force origin '<b>main</b>'` });
  stopped('Edit', { file_path: 'generated/a.ts', new_string: 'x' });
  stopped('Bash', { command: 'git status' });
  const { page, complaints } = await chrome.enter(await startUi(place), { path: 'sessions' });
  const stops = page.locator('.story li', { hasText: 'was stopped' });
  await stops.nth(1).waitFor();
  const [older = '', newest = '', ...others] = await stops.allInnerTexts();
  expect(others).toEqual([]);
  expect(newest).toMatch(/claude-code was stopped: .*it is written by codegen[\s\S]*generated\/a\.ts/);
  expect(older).toContain(rule);
  expect(older).toContain(`git push --force origin '<b>main</b>'`);
  expect(await stops.first().locator('time').getAttribute('datetime')).toContain(String(new Date().getFullYear()));
  expect(complaints).toEqual([]);
});

it('M54 the page says before the yes that a note is a rule, and what it will stop', async () => {
  const { call } = await askingClient(place);
  const content = 'Never edit `generated/**`: codegen writes it.';
  await call('propose_notes_update', { image_id: 'manta', content });
  const { page } = await chrome.enter(await startUi(place));
  await waitsFor(page, '.item .warnings', 'This is a rule: it will stop edits of `generated/**`');
});

describe('gaps', () => {
  it('M48 are ranked, with every record, and lead to a proposal by one key', async () => {
    const open = openLibrary(place.home);
    await accepted(open, 'A first note.');
    someGaps();
    const { page, complaints } = await chrome.enter(await startUi(place));
    await press(page, '6');
    await waitsFor(page, '.gap h1', 'No radial mask');
    expect(await page.locator('.tree .gap-name').allInnerTexts()).toEqual([
      expect.stringMatching(/No radial mask\s*5×/),
      expect.stringMatching(/No word for the grain\s*2×/),
      expect.stringMatching(/Curves by hand\s*1×/),
    ]);
    expect(await page.locator('.gap .story li').count()).toBe(5);
    await press(page, 'p');
    await waitsFor(page, '.item', 'Missing: No radial mask');
    expect(new URL(page.url()).pathname).toMatch(/^\/p\/p_[0-9a-f]+$/);
    const [waiting] = await (await open.gate()).listProposals({ id: 'manta' });
    expect(waiting).toMatchObject({ client: 'page', content: 'Missing: No radial mask' });
    await press(page, 'a');
    await page.locator('.said', { hasText: 'accepted' }).waitFor();
    await press(page, '6');
    await waitsFor(page, '.gap h1', 'No radial mask');
    await press(page, 'p');
    await waitsFor(page, '.gap', 'The notes say that already.');
    expect(complaints).toEqual([]);
  });

  it('M48 an empty place teaches', async () => {
    const { page } = await chrome.enter(await startUi(place), { path: 'gaps' });
    await waitsFor(page, '.empty', 'log_vocabulary_gap');
  });
});

it('M48 M49 the story and the gaps fit from 360 to 1,600 px, with no serious finding of axe, in light and in dark', async () => {
  await aSession();
  someGaps();
  const ui = await startUi(place);
  const { page, foreign, complaints } = await chrome.enter(ui);
  await bringAxe(page);
  for (const { name, path, wait } of [
    { name: 'gaps', path: 'gaps', wait: '.gap h1' },
    { name: 'story', path: 'sessions', wait: '.story li.served' },
  ]) {
    await page.goto(`${ui.address}${path}`);
    await page.locator(wait).first().waitFor();
    await expectNoFinding(page, name);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'show the text' }).click();
  await page.locator('.served-text').first().waitFor();
  await expectNoFinding(page, 'story-open');
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});
