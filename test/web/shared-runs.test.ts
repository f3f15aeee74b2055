import { beforeAll, expect, it } from 'vitest';
import { expectFits, picture, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';
import { type PostgresServer, postgresServer, startWorker } from '../support/tasks/postgres-server.ts';

const ALONE =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const SLOW = `<task type="reduce" name="slow" over="list" concurrency="1"><description>each</description>${ALONE}<inputs><input name="list"/></inputs>
<inner_task name="take" model="command"><description>take {{item}}</description></inner_task>
<reduction_task name="join" model="command"><description>join</description></reduction_task></task>`;
const { place, at } = person({
  '.bearings/config.yaml': 'model_command: "sleep 0.3; echo found it"\n',
  'project/slow.xml': SLOW,
  'project/own.xml': '<task type="atomic" name="of my own"><description>Say it</description></task>',
  'project/list.jsonl': Array.from({ length: 4 }, (_, index) => `"item ${index}"`).join('\n'),
  'project/long.jsonl': Array.from({ length: 60 }, (_, index) => `"item ${index}"`).join('\n'),
});
const chrome = realBrowser();
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await postgresServer();
});

const here = (engine: string) => ({ ...place, cwd: at('project'), variables: { BEARINGS_ENGINE: engine } });
const give = (list: string) =>
  JSON.parse(bearings(here(postgres.url), 'run', 'slow.xml', '--inputs', `list=${list}`, '--detach', '--json').stdout)
    .run as string;

it('T22 T13 the page shows the runs of the shared database beside one’s own, live, with what each step saw', async () => {
  expect(bearings({ ...place, cwd: at('project') }, 'run', 'own.xml').code).toBe(0);
  const ui = await startUi(here(postgres.url));
  const { page, foreign, complaints } = await chrome.enter(ui, { path: 'runs' });
  await page.locator('.tree a', { hasText: 'of my own' }).waitFor();
  expect(await page.locator('.tree a').count()).toBe(1);

  // Given in from elsewhere while the page is open, and done by a worker while it looks.
  const run = give('list.jsonl');
  const row = page.locator('.tree a', { hasText: 'slow' });
  await row.waitFor();
  expect(await row.innerText()).toMatch(/slow\s+shared\s+(waiting|running)/);
  await row.click();
  await page.locator('.run-head', { hasText: 'shared' }).waitFor();
  await startWorker(here(postgres.url), postgres.url);
  await page.locator('[id="step-1.inner:0"]').waitFor();
  await page.locator('.run .state', { hasText: 'complete' }).waitFor();
  await row.locator('.state', { hasText: 'complete' }).waitFor();
  const report = JSON.parse(bearings(here(postgres.url), 'runs', 'show', run, '--json').stdout);
  expect(report.recorded).toBe(6);
  for (const { at } of report.seen) expect(Date.parse(at)).toBeGreaterThan(0);
  const paths = await page.locator('.step .step-path').allInnerTexts();
  expect(new Set(paths)).toEqual(new Set(report.seen.map(({ path }: { path: string }) => path)));
  // How long each took, and the text it was asked, by its hash from the database.
  expect(report.seen.find(({ path }: { path: string }) => path === '1.inner:0').ms).toBeGreaterThan(0);
  await page.locator('[id="step-1.inner:2"]').click();
  await page.locator('.step-view h2', { hasText: '1.inner:2' }).waitFor();
  await page.locator('.step-view .shown-text', { hasText: 'take item 2' }).first().waitFor();
  await expectFits(page);
  await picture(page, 'runs-shared');

  // One's own is still told from its own journal.
  await page.locator('.tree a', { hasText: 'of my own' }).click();
  await page.locator('.run h1', { hasText: 'of my own' }).waitFor();
  expect(await page.locator('.run-head').innerText()).not.toContain('shared');

  // Stopped from here.
  give('long.jsonl');
  const second = page.locator('.tree a .state.running');
  await second.waitFor();
  await second.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.run .state', { hasText: 'stopped' }).waitFor();
  await page.locator('.run', { hasText: '--engine URL' }).waitFor();
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});

it('T22 a database that can’t be reached is reported, and one’s own runs are there', async () => {
  expect(bearings({ ...place, cwd: at('project') }, 'run', 'own.xml').code).toBe(0);
  const secret = 'postgres://someone:s3cretword@127.0.0.1:1/away';
  const ui = await startUi(here(secret));
  const { page } = await chrome.enter(ui, { path: 'runs' });
  await page.locator('.tree a', { hasText: 'of my own' }).waitFor();
  await page.locator('.list .problem').waitFor();
  expect(await page.content()).not.toContain('s3cretword');
  expect(ui.shown()).not.toContain('s3cretword');
});
