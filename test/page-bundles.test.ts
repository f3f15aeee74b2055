import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { filesBelow } from './asking-client.ts';
import { bearings } from './binary.ts';
import { bringAxe, expectFits, expectNoFinding, expectNoFindingHere, realBrowser, type Visit } from './page-browser.ts';
import { startUi } from './page-server.ts';
import { person } from './person.ts';

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
  await page.keyboard.type('review the visual rules');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.locator('.bundle h1', { hasText: 'review the visual rules' }).waitFor();
  const same = JSON.parse(
    bearings({ ...place, cwd: project() }, 'load', '--task', 'review the visual rules', '--max-files', '4', '--json')
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
  expect(await row.locator('.why-in').innerText()).toMatch(/^it speaks of .*(?:visual|rules)/);
  await row.press('Enter');
  const story = page.locator('.story-of-file');
  await story.locator('.reasons', { hasText: 'fits the words of the task' }).waitFor();
  await story.locator('.shown-text').waitFor();
  const said = await story.innerText();
  for (const part of [
    cut.selected_by,
    cut.sha256,
    'origin: project',
    'authoritative: no',
    `${cut.score.total.toFixed(2)} =`,
  ])
    expect(said).toContain(part);
  // Every line in its place, what is left out between them, and above each passage why it is in.
  const lines = cut.excerpt.replace(/\n$/, '').split('\n');
  expect(await story.locator('.passages .line').allTextContents()).toEqual(lines);
  const numbers = cut.ranges.flatMap(({ start, end }: { start: number; end: number }) =>
    Array.from({ length: end - start + 1 }, (_, line) => String(start + line)),
  );
  expect((await story.locator('.passages .number').allTextContents()).filter(Boolean)).toEqual(numbers);
  expect(await story.locator('.left-out-lines').count()).toBe(lines.length - numbers.length);
  const explained = JSON.parse(
    bearings(
      { ...place, cwd: project() },
      ...['explain', cut.path, '--task', 'review the visual rules', '--max-files', '4', '--json'],
    ).stdout,
  );
  const whys = explained.passages.map(({ why }: { why: string }) => why);
  expect(whys.length).toBeGreaterThan(0);
  expect((await story.locator('.why-passage').allTextContents()).sort()).toEqual([...whys].sort());
  for (const why of whys) expect(await story.locator('.reasons', { hasText: why }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Path of a file' }).fill('src/fish.ts');
  await page.keyboard.press('Enter');
  await page.locator('.why', { hasText: 'src/fish.ts is' }).waitFor();
  expect(await page.locator('.why li').count()).toBeGreaterThan(0);
  expect(filesBelow(project())).toEqual(before);
  clean(visited);
});

it('L9 opens one from a file or as text, builds the same here, and says what moved; adapters stay off', async () => {
  const place2 = { ...place, cwd: project() };
  bearings(place2, 'load', '--task', 'review the visual rules', '--adapter', 'loud', '--out', '../kept.json');
  const kept = readFileSync(at('kept.json'), 'utf8');
  writeFileSync(at('project/docs/colour.md'), 'Visual rules: the palette is another one now.\n');
  const visited = await visit();
  const { page } = visited;
  await page.locator('input[type=file]').setInputFiles(at('kept.json'));
  await page.locator('.bundle h1', { hasText: 'review the visual rules' }).waitFor();
  expect(await page.locator('.bundle').innerText()).toContain('without loud: the page runs no outside source');
  expect(await page.locator('.warnings', { hasText: 'was edited' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Build the same here and see what moved' }).press('Enter');
  await page.locator('.drift h1', { hasText: 'moved' }).waitFor();
  const moved = page.locator('.drift section', { has: page.getByRole('heading', { name: 'Files in' }) });
  expect(await moved.locator('tr', { hasText: 'docs/colour.md' }).innerText()).toContain('its content changed');
  expect(Object.keys(filesBelow(project())).filter((name) => name.endsWith('ran'))).toEqual([]);
  await page.getByRole('button', { name: 'Built here' }).press('Enter');
  await page.locator('.bundle .entry-row').first().waitFor();
  // Reloaded, both are still there.
  await page.reload();
  await page.getByRole('button', { name: 'What moved', exact: true }).press('Enter');
  await page.locator('.drift h1').waitFor();
  // As text, and edited by someone.
  await page.getByRole('textbox', { name: 'Or its JSON' }).fill(kept.replace('Keep the palette calm', 'Be loud'));
  await page.getByRole('button', { name: 'Open', exact: true }).press('Enter');
  await page.locator('.warnings', { hasText: 'It was edited' }).waitFor();
  for (const wrong of [
    'no json',
    '[]',
    '{"version":1}',
    `{"version":1,"arguments":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  ]) {
    await page.getByRole('textbox', { name: 'Or its JSON' }).fill(wrong);
    await page.getByRole('button', { name: 'Open', exact: true }).press('Enter');
    await page.locator('.one .problem', { hasText: 'holds no bundle' }).waitFor();
  }
  expect(visited.foreign).toEqual([]);
});

it('L9 nothing moved: the same bundle, built and opened', async () => {
  const visited = await visit();
  const { page } = visited;
  bearings({ ...place, cwd: project() }, 'load', '--task', 'review the visual rules', '--out', '../kept.json');
  await page.locator('input[type=file]').setInputFiles(at('kept.json'));
  await page.getByRole('button', { name: 'Build the same here and see what moved' }).press('Enter');
  await page.locator('.drift h1', { hasText: 'Nothing moved' }).waitFor();
  clean(visited);
});

it('stored script in the task, file names, excerpts and an opened bundle stays text; odd fields are shown as nothing', async () => {
  const visited = await visit();
  const { page } = visited;
  await build(page, `visual rules palette ${SCRIPT}`);
  const loud = page.locator('.entry-row', { hasText: '<b onclick=alert(1)>palette.md' });
  await loud.waitFor();
  const row = page.locator('.entry-row', { hasText: 'docs/colour.md' });
  await row.press('Enter');
  await page.locator('.shown-text', { hasText: '<script>window.stolen=1</script>' }).waitFor();
  const { stdout } = bearings({ ...place, cwd: project() }, 'load', '--task', SCRIPT, '--json');
  const bundle = JSON.parse(stdout);
  bundle.files.push({ path: SCRIPT, excerpt: 7, score: 'no', provenance: [SCRIPT], rank: '1' });
  bundle.warnings = [SCRIPT];
  bundle.budget.partitions = { task: { used_files: 'many', max_files: {} }, [SCRIPT]: {} };
  bundle.adapters = [{ id: SCRIPT, status: SCRIPT, reason: SCRIPT }, 5];
  await page.getByRole('textbox', { name: 'Or its JSON' }).fill(JSON.stringify(bundle));
  await page.getByRole('button', { name: 'Open', exact: true }).press('Enter');
  await page.locator('.warnings', { hasText: 'It was edited' }).waitFor();
  await page.locator('.entry-row', { hasText: SCRIPT }).press('Enter');
  await page.locator('.story-of-file').waitFor();
  expect(await page.locator('.bundle img, .bundle script, .bundle b').count()).toBe(0);
  await page.getByRole('button', { name: 'What moved', exact: true }).press('Enter');
  await page.locator('.drift h1').waitFor();
  await untouched(page);
  clean(visited);
});

it('what cannot be built is said in a sentence', async () => {
  const { page } = await visit();
  await page.getByRole('combobox', { name: 'Policy' }).fill('nowhere.yaml');
  await page.getByRole('button', { name: 'Build', exact: true }).click();
  await page.locator('.one .problem', { hasText: 'nowhere.yaml is not there' }).waitFor();
});

it('bundles fit from 360 to 1,600 px, with no serious finding of axe, in light and in dark', async () => {
  const visited = await visit();
  const { page } = visited;
  await bringAxe(page);
  await page.reload();
  bearings({ ...place, cwd: project() }, 'load', '--task', 'review the visual rules', '--out', '../kept.json');
  writeFileSync(at('project/docs/colour.md'), 'Visual rules: the palette is another one now.\n');
  await build(page, 'review the visual rules');
  await page.locator('input[type=file]').setInputFiles(at('kept.json'));
  await page.getByRole('button', { name: 'What moved', exact: true }).waitFor();
  for (const [name, label, rows] of [
    ['bundle', 'Built here', '.entry-row'],
    ['drift', 'What moved', '.drift tr'],
  ] as const) {
    await page.getByRole('button', { name: label, exact: true }).press('Enter');
    await page.locator(rows).first().waitFor();
    await expectNoFinding(page, name);
    if (name === 'drift') continue;
    await page.locator('.entry-row', { hasText: 'visual-rules' }).press('Enter');
    await page.locator('.shown-text').waitFor();
    await expectNoFinding(page, 'bundle-file');
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Build or open' }).press('Enter');
  await page.getByRole('button', { name: 'Back' }).waitFor();
  await expectFits(page);
  await expectNoFindingHere(page, 'bundle-form-360');
  clean(visited);
});
