import { expect, it } from 'vitest';
import { bringAxe, expectNoFinding, press, realBrowser } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';

const QUIET =
  '<context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const SCRIPT = '<img src=x onerror="window.stolen=1">';
// The offline model never says that it is done, so all rounds are used.
const TEMPLATE = `<task type="sequential" name="letter"><description>A letter</description><steps>
<task type="director_evaluator_loop" name="make it right" max_iterations="2"><description>A letter that is right</description>
<director name="write"><description>Write this to the dear reef:\nDear reef ${SCRIPT.replaceAll('<', '&lt;')}</description>${QUIET}</director>
<evaluator name="judge"><description>Is it right?</description><output_format type="json"/>${QUIET}</evaluator></task>
<approve name="agreed"><description>May this letter go out?</description></approve>
<task type="atomic" name="send"><description>Sent: {{text}}</description><inputs><input name="text" from="agreed.content"/></inputs>${QUIET}</task>
</steps></task>`;
const { place, at } = person({ '.bearings/config.yaml': '', 'project/letter.xml': TEMPLATE });
const chrome = realBrowser();
const here = () => ({ ...place, cwd: at('project') });
const cli = (...args: string[]) => bearings(here(), ...args);
const waitingRun = (): string => {
  const { code, stdout } = cli('run', 'letter.xml', '--json');
  expect(code).toBe(3);
  return JSON.parse(stdout).run;
};

it('T26 M47 a run that begins to wait comes into the open inbox; the person answers there, in the ledger, and it goes on', async () => {
  const ui = await startUi(here());
  const { page, foreign, complaints } = await chrome.enter(ui);
  await page.locator('.empty').waitFor();
  const run = waitingRun();
  await page.locator('.item h1', { hasText: 'May this letter go out?' }).waitFor();
  expect(await page.locator('.tag.approve').innerText()).toBe('a run waits');
  expect(await page.locator('.item pre').innerText()).toContain(`Dear reef ${SCRIPT}`);
  expect(await page.evaluate('window.stolen')).toBeUndefined();
  await page.locator('.item a', { hasText: 'step by step' }).click();
  await page.locator('.run h1', { hasText: 'letter' }).waitFor();
  await page.getByText('It waits for your answer').waitFor();
  await page.goBack();
  await page.locator('.item h1', { hasText: 'May this letter go out?' }).waitFor();
  await press(page, 'a');
  await page.getByText(`accepted · go on: bearings runs resume ${run}`).waitFor();
  await page.locator('.empty').waitFor();
  const verified = JSON.parse(cli('verify', '--json').stdout);
  expect(verified).toMatchObject({ ok: true, faults: [] });
  const [own] = verified.ledgers as { ledger: string; entries: { decision: string; status: string }[] }[];
  expect([own?.ledger, own?.entries.filter(({ decision }) => decision === 'approve')]).toMatchObject([
    'home',
    [{ status: 'yours' }],
  ]);
  expect(cli('runs', 'resume', run, '--json').code).toBe(0);
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
});

it('T26 an edit and a decline with a reason', async () => {
  const [first, second] = [waitingRun(), waitingRun()];
  const ui = await startUi(here());
  const { page } = await chrome.enter(ui);
  await page.locator('.item h1', { hasText: 'May this letter go out?' }).waitFor();
  await press(page, 'e');
  await page.locator('textarea').fill('Dear sea');
  await page.getByRole('button', { name: 'See it in place' }).click();
  await page.getByText('As you edited it').waitFor();
  await press(page, 'a');
  await page.getByText('accepted · go on').waitFor();
  await press(page, 'd');
  await page.locator('.editor input').fill('not yet');
  await page.keyboard.press('Enter');
  await page.getByText('declined · go on').waitFor();
  const said = [first, second].map((run) => cli('runs', 'resume', run, '--json').stdout).join('\n');
  expect(said).toContain('Dear sea');
  expect(said).toContain('The person declined: not yet');
});

it('T25 T26 rounds of a loop and a waiting run fit, with no serious finding of axe, in light and in dark', async () => {
  const run = waitingRun();
  const ui = await startUi(here());
  const { page } = await chrome.enter(ui);
  await bringAxe(page);
  await page.reload();
  await page.locator('.item h1', { hasText: 'May this letter go out?' }).waitFor();
  await expectNoFinding(page, 'approve');
  await page.goto(`${ui.address}runs/${run}/1.1.round:1.evaluator`);
  await page.locator('.step-view h2', { hasText: '1.1.round:1.evaluator' }).waitFor();
  const names = await page.locator('.step .step-name').allInnerTexts();
  expect(names).toEqual([
    ...['letter', 'make it right', 'round 1', 'write', 'judge', 'round 2', 'write', 'judge', 'agreed'],
    'send',
  ]);
  expect(await page.locator('[id="step-1.1.round:0"]').getAttribute('class')).toContain('done');
  // Waiting is no failure.
  expect(await page.locator('.run .state').innerText()).toBe('waits for you');
  expect(await page.locator('.run .errors, .step.failed').count()).toBe(0);
  await expectNoFinding(page, 'rounds');
});
