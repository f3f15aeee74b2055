import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/mcp/asking-client.ts';
import {
  bringAxe,
  expectFits,
  expectNoFinding,
  expectNoFindingHere,
  realBrowser,
  type Visit,
} from '../support/page/page-browser.ts';
import { startUi } from '../support/page/page-server.ts';
import { person } from '../support/person.ts';
import { bearings } from '../support/process/binary.ts';

const SCRIPT = '<img src=x onerror="window.stolen=1"><script>window.stolen=1</script>';
const LONG = Array.from({ length: 400 }, (_, line) => `Rule ${line}: palette and contrast of the visual theme.`);
const { place, at } = person({
  '.bearings/workspaces/manta/notes.md': '# Manta\n\nKept the red channel.\n',
  'project/README.md': '# Aquarium\n\nA project about fish and colour.\n',
  'project/AGENTS.md': 'Keep the palette calm.\n',
  'project/docs/visual-rules.md': `# Visual rules\n\n${LONG.join('\n')}\n`,
  'project/docs/colour.md': `# Colour\n\nThe palette of the visual rules. ${SCRIPT}\n`,
  'project/docs/<b onclick=alert(1)>palette.md': `# Palette\n\nThe palette of the visual rules, in a file with a loud name. ${SCRIPT}\n`,
  'project/src/fish.ts': 'export const fish = "visual rules";\n',
  'project/.bearings/policy.yaml':
    'version: 1\nextends: repo\nadapters:\n  - name: loud\n    kind: command\n    command: ["touch", "ran"]\n',
});
const chrome = realBrowser();
const project = () => at('project');
const clean = ({ foreign, complaints }: Visit) =>
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
const untouched = async (page: Page) => expect(await page.evaluate('window.stolen')).toBeUndefined();

async function visit(options: Parameters<typeof chrome.enter>[1] = {}): Promise<Visit> {
  const ui = await startUi({ ...place, cwd: project() });
  return chrome.enter(ui, { path: 'bundles', ...options });
}

async function build(page: Page, task: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Task' }).fill(task);
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.locator('.bundle h1', { hasText: task.slice(0, 30) }).waitFor();
}

it('L1 builds here for a task and a budget: slices, files with why, what is cut and left out; writes and runs nothing', async () => {
  const before = filesBelow(project());
  const visited = await visit();
  const { page } = visited;
  await page.locator('.empty', { hasText: 'bearings load --task' }).waitFor();
  // By keys alone: the task, the budget, and off.
  await page.keyboard.press('b');
  await page.keyboard.type('the visual theme rules');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.locator('.bundle h1', { hasText: 'the visual theme rules' }).waitFor();
  const same = JSON.parse(
    bearings({ ...place, cwd: project() }, 'load', '--task', 'the visual theme rules', '--max-files', '4', '--json')
      .stdout,
  );
  expect(await page.locator('.bundle .by code').innerText()).toBe(same.bundle_sha256.slice(0, 12));
  const { partitions } = same.budget;
  const bars = await page.locator('.budget svg').evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label')));
  expect(bars).toEqual(
    ['control_plane', 'task'].flatMap((slice) => [
      `${partitions[slice].used_files} of ${partitions[slice].max_files} files`,
      `${partitions[slice].used_chars.toLocaleString('en')} of ${partitions[slice].max_chars.toLocaleString('en')} characters`,
    ]),
  );
  expect(await page.locator('.entry-row .path').allInnerTexts()).toEqual(
    same.files.map(({ path }: { path: string }) => path),
  );
  expect(await page.locator('.left-out tr').count()).toBe(same.dropped.length);
  expect(same.dropped.length).toBeGreaterThan(0);
  const cut = same.files.find(
    ({ truncated, score }: { truncated: boolean; score: object | null }) => truncated && score,
  );
  const row = page.locator('.entry-row', { hasText: cut.path });
  expect(await row.innerText()).toContain(
    `${cut.chars.toLocaleString('en')} of ${cut.total_chars.toLocaleString('en')}`,
  );
  expect(await row.locator('.why-in').innerText()).toMatch(/^match [\d.]+: .*(?:visual|rules)/);
  await row.press('Enter');
  const story = page.locator('.story-of-file');
  await story.locator('.reasons', { hasText: 'fits the words of the task' }).waitFor();
  await story.locator('.shown-text').waitFor();
  expect(await story.locator('.shown-text pre').textContent()).toBe(cut.excerpt);
  expect(filesBelow(project())).toEqual(before);
  clean(visited);
});

it('stored script in the task, file names and excerpts stays text', async () => {
  const visited = await visit();
  const { page } = visited;
  await build(page, `visual rules palette ${SCRIPT}`);
  const loud = page.locator('.entry-row', { hasText: '<b onclick=alert(1)>palette.md' });
  await loud.waitFor();
  const row = page.locator('.entry-row', { hasText: 'docs/colour.md' });
  await row.press('Enter');
  await page.locator('.shown-text', { hasText: '<script>window.stolen=1</script>' }).waitFor();
  expect(await page.locator('.bundle img, .bundle script, .bundle b').count()).toBe(0);
  await untouched(page);
  clean(visited);
});

it('what cannot be built is said in a sentence', async () => {
  writeFileSync(at('project/.bearings/policy.yaml'), 'version: 9\n');
  const { page } = await visit();
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.locator('.one .problem', { hasText: 'policy.yaml' }).waitFor();
});

it('bundles fit from 360 to 1,600 px, with no serious finding of axe, in light and in dark', async () => {
  const visited = await visit();
  const { page } = visited;
  await bringAxe(page);
  await page.reload();
  await build(page, 'review the visual rules');
  await page.locator('.entry-row').first().waitFor();
  await expectNoFinding(page, 'bundle');
  await page.locator('.entry-row', { hasText: 'visual-rules' }).press('Enter');
  await page.locator('.shown-text').waitFor();
  await expectNoFinding(page, 'bundle-file');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Task and budget' }).press('Enter');
  await page.getByRole('button', { name: 'Build', exact: true }).waitFor();
  await expectFits(page);
  await expectNoFindingHere(page, 'bundle-form-360');
  clean(visited);
});
