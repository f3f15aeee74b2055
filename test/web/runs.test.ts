import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { parseTask } from '../../src/tasks/template/parse-task.ts';
import { effort } from '../support/effort.ts';
import { openLibrary } from '../support/open-library.ts';
import { bringAxe, expectNoFinding, realBrowser, type Visit } from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { BINARY, bearings, environment, STARTED } from '../support/process/binary.ts';

const SCRIPT = '<img src=x onerror="window.stolen=1"><script>window.stolen=1</script>';
const ALONE =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
// A sequence with a reduce over teams, and for each of them a reduce over its people.
const NESTED = `<task type="sequential" name="who is there"><description>Who is at the reef?</description><steps>
<task type="atomic" name="look"><description>How is the reef in the morning?</description></task>
<task type="reduce" name="teams" over="teams"><description>each team</description>${ALONE}<inputs><input name="teams"/></inputs>
<inner_task type="reduce" name="one team" over="item"><description>a team</description>${ALONE}
<inner_task name="one of them"><description>greet {{item}}</description></inner_task>
<reduction_task name="a line"><description>join them</description></reduction_task></inner_task>
<reduction_task name="all teams"><description>join the teams</description></reduction_task></task></steps></task>`;
const SLOW = `<task type="reduce" name="slow" over="list" concurrency="1"><description>each</description>${ALONE}<inputs><input name="list"/></inputs>
<inner_task name="take" model="command"><description>take {{item}}</description></inner_task>
<reduction_task name="join" model="command"><description>join</description></reduction_task></task>`;
const list = (length: number) => Array.from({ length }, (_, at) => `"item ${at}"`).join('\n');
const { place, at } = person({
  '.bearings/config.yaml': 'model_command: "sleep 0.4; echo found it"\n',
  'project/nested.xml': NESTED,
  'project/slow.xml': SLOW,
  'project/teams.jsonl': `["Ada","Ben"]\n["Cleo","Dan","${SCRIPT.replaceAll('"', '\\"')}"]\n`,
  'project/list.jsonl': list(6),
  'project/long.jsonl': list(60),
  'project/reef.md': 'The reef is blue in the morning.\n',
  'project/start.txt': `The water is clear. ${SCRIPT}\n`,
});
const chrome = realBrowser();
const here = () => ({ ...place, cwd: at('project') });
const nested = () => bearings(here(), 'run', 'nested.xml', '--inputs', 'teams=teams.jsonl', '--context', 'start.txt');
const clean = ({ foreign, complaints }: Visit) =>
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
const step = (page: Page, path: string) => page.locator(`[id="step-${path}"]`);
const visit = async (options: Parameters<typeof chrome.enter>[1] = {}): Promise<Visit> =>
  chrome.enter(await startUi(here()), { path: 'runs', ...options });

it('T13 a nested run: its tree, what each step saw, texts by hash; by keys alone', async () => {
  expect(nested().code).toBe(0);
  const report = JSON.parse(bearings(here(), 'runs', 'show', 'last', '--json').stdout);
  const visited = await visit();
  const { page } = visited;
  await page.locator('.run h1', { hasText: 'who is there' }).waitFor();
  expect(await page.locator('.tree a').innerText()).toMatch(
    /who is there\s+complete\s+just now · 13 steps · nested\.xml/,
  );
  await step(page, '1').waitFor();
  const paths = await page.locator('.step .step-path').allInnerTexts();
  expect(new Set(paths)).toEqual(new Set(report.seen.map(({ path }: { path: string }) => path)));
  // In reading order: each below what it belongs to.
  expect(paths.slice(0, 5)).toEqual(['1', '1.1', '1.2', '1.2.inner:0', '1.2.inner:0.inner:0']);
  await page.locator('.step-view .plain-table', { hasText: 'reef.md' }).waitFor();
  const { seen } = report;
  const look = seen.find(({ path }: { path: string }) => path === '1');
  const fresh = page.locator('.part', { hasText: 'Fresh' });
  expect(await fresh.innerText()).toContain(
    `${look.fresh.chars.toLocaleString('en')} characters, ${look.fresh.tokens} token`,
  );
  await fresh.locator('button').press('Enter');
  await fresh.locator('.shown-text', { hasText: 'The reef is blue in the morning.' }).waitFor();
  expect(await fresh.locator('.hash').innerText()).toBe(look.fresh.sha256);
  // What the whole was given, its steps inherit: it is not in their own fresh part again.
  await page.keyboard.press('j');
  await page.locator('.step-view h2', { hasText: '1.1' }).waitFor();
  // The output says what the step saw, and names it too.
  const inherited = page.locator('.part', { has: page.getByRole('button', { name: /^Inherited/ }) });
  await inherited.locator('button').press('Enter');
  await inherited.locator('.shown-text', { hasText: SCRIPT }).waitFor();
  // The address names the step.
  await step(page, '1.2.reduction').press('Enter');
  await page.locator('.step-view h2', { hasText: '1.2.reduction' }).waitFor();
  expect(page.url()).toContain(`/runs/${report.id}/1.2.reduction`);
  await page.reload();
  await page.locator('.step-view h2', { hasText: '1.2.reduction' }).waitFor();
  await page.keyboard.press('k');
  await page.locator('.step-view h2', { hasText: '1.2.inner:1.reduction' }).waitFor();
  // What it was given and said holds a script: it stays text everywhere.
  await step(page, '1.2.inner:1.inner:2').click();
  await page.locator('.step-view .shown-text', { hasText: SCRIPT }).first().waitFor();
  expect(await page.locator('.run img, .run script').count()).toBe(0);
  expect(await page.evaluate('window.stolen')).toBeUndefined();
  clean(visited);
});

it('T12 live while it runs, cancelled here, with what was kept; a failed one says why and how to go on', async () => {
  const visited = await visit();
  const { page } = visited;
  await page.locator('.empty', { hasText: 'bearings run' }).waitFor();
  const child = spawn(process.execPath, [...STARTED, BINARY, 'run', 'slow.xml', '--inputs', 'list=long.jsonl'], {
    cwd: at('project'),
    env: environment(place),
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  await page.locator('.run .state', { hasText: 'running' }).waitFor();
  await step(page, '1.inner:1').waitFor();
  await step(page, '1.inner:2').waitFor();
  expect(await step(page, '1').innerText()).toContain('done below');
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.locator('.run .state', { hasText: 'stopped' }).waitFor();
  await ended;
  await page.locator('.tree .state', { hasText: 'stopped' }).waitFor();
  await page.locator('.errors', { hasText: 'execution_halted' }).waitFor();
  expect(await page.locator('.run').innerText()).toContain('bearings runs resume');
  // Without its list a run cannot even begin; with a list that is broken below it fails inside.
  bearings(here(), 'run', 'nested.xml', '--inputs', 'teams=list.jsonl');
  await page.locator('.tree .state', { hasText: 'failed' }).waitFor();
  await page.locator('.tree a', { hasText: 'failed' }).press('Enter');
  await page.locator('.run .errors', { hasText: 'subtask_failure' }).waitFor();
  await page.locator('.step.failed').first().waitFor();
  expect(await page.locator('.run').innerText()).toContain('bearings runs resume');
  clean(visited);
});

it('of a run of thousands of steps the first thousand are drawn, and the rest is told', async () => {
  const inputs = effort(10_000, 2_000);
  // Beside them a step for each group of 200, one for their groups, and the whole.
  const all = inputs + Math.ceil(inputs / 200) + 2;
  const { task } = parseTask(
    SLOW.replaceAll(' model="command"', ' model="echo"').replace('concurrency="1"', 'concurrency="8" fan_in="200"'),
    {
      file: 'many.xml',
    },
  );
  if (!task) throw new Error('The template does not load.');
  const settings = openLibrary(place.home, { cwd: at('project') });
  writeFileSync(at('project/many.jsonl'), list(inputs));
  const echo = { name: 'echo', call: async () => ({ content: `heard ${SCRIPT}` }) };
  await (await settings.runs()).startRun(task, { file: 'many.xml', inputs: ['list=many.jsonl'] }, { models: { echo } });
  const visited = await visit();
  const { page } = visited;
  await page.locator('.steps-head h2', { hasText: `${all.toLocaleString('en')} steps` }).waitFor();
  expect(await page.locator('.step').count()).toBeLessThan(1010);
  expect(await page.locator('.run').innerText()).toMatch(
    new RegExp(`and ${(all - 1_000).toLocaleString('en')} more steps: bearings runs show \\S+ --json`),
  );
  await step(page, '1.inner:39').click();
  await page.locator('.step-view h2', { hasText: '1.inner:39' }).waitFor();
  expect(await page.evaluate('window.stolen')).toBeUndefined();
  clean(visited);
});

it('runs fit from 360 to 1,600 px, with no serious finding of axe, in light and in dark', async () => {
  const known: string[] = [];
  const made = (run: () => unknown): string => {
    run();
    const id = readdirSync(at('.bearings/runs')).find((name) => !known.includes(name)) ?? '';
    known.push(id);
    return id;
  };
  const runs = {
    run: made(nested),
    'run-failed': made(() => bearings(here(), 'run', 'nested.xml', '--inputs', 'teams=list.jsonl')),
    'run-slow': made(() => bearings(here(), 'run', 'slow.xml', '--inputs', 'list=list.jsonl')),
  };
  const ui = await startUi(here());
  const visited = await chrome.enter(ui);
  const { page } = visited;
  await bringAxe(page);
  for (const [name, id] of Object.entries(runs)) {
    await page.goto(`${ui.address}runs/${id}${name === 'run' ? '/1.1' : ''}`);
    await page.locator('.step-view .part').first().waitFor();
    await expectNoFinding(page, name);
  }
  clean(visited);
});
