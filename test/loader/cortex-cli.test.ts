import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bundle } from '../../src/loader/bundle/bundle.ts';
import { CORTEX_FILES } from '../support/cortex-project.ts';
import { bearings } from '../support/process/binary.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
const home = join(root, 'home');
const project = join(root, 'project');
const PLACE = '.cortex/reports/agent_context_bundle_v0.json';
const ITEMS = ['ready', 'blocked', 'priority', 'unknown', 'ready', 'ready'].map((state, at) => ({
  id: `wk_${at}`,
  title: `Work ${at}`,
  state,
  priority: at,
  source_updated_at: '2026-02-24T04:57:00Z',
}));
put(project, {
  ...CORTEX_FILES,
  '.cortex/reports/beads_adapter.json': JSON.stringify({
    adapter_id: 'beads',
    adapter_fetched_at: '2026-02-24T05:00:00Z',
    items: ITEMS,
  }),
});
// From elsewhere: that loader is told where the project is.
const run = (...words: string[]) => bearings({ home, cwd: root }, 'load', ...words);
const json = (...words: string[]): Bundle => {
  const { stdout, stderr } = run(...words);
  return JSON.parse(stdout === '' ? stderr : stdout);
};
const inProject = ['--project-dir', 'project', '--task', 'governance blocker'];
const beads = ['--adapter-mode', 'beads_file', '--adapter-file', '.cortex/reports/beads_adapter.json'];

describe('the command line of the loader that the policy cortex follows', () => {
  it('L16 its flags give the bundle of ours', () => {
    const theirs = run(
      ...inProject,
      ...['--max-files', '10', '--max-chars-per-file', '2000', '--fallback-mode', 'priority', '--assets-dir', 'assets'],
    );
    const ours = run(
      ...['project', '--task', 'governance blocker', '--max-files', '10', '--max-chars-per-file', '2000'],
      ...['--fallback', 'unrestricted'],
    );
    expect(theirs).toMatchObject({ code: 0, stdout: ours.stdout });
    expect(json(...inProject, '--fallback-mode', 'none')).toEqual(json('project', '--task', 'governance blocker'));
    expect(json(...inProject)).toMatchObject({ policy: { name: 'cortex' }, task_key: 'governance' });
  });

  it('L6 L16 --adapter-file gives up to four items of a file, or as many as it is told, with their ages', () => {
    const bundle = json(...inProject, ...beads);
    const entry = bundle.files.at(-1);
    expect(entry).toMatchObject({ path: 'adapter/beads', selected_by: 'adapter:beads:blocked', truncated: false });
    expect(entry?.provenance).toMatchObject({
      ...{ adapter: 'beads', fetched_at: '2026-02-24T05:00:00Z', stale: false },
      items: ['wk_1', 'wk_0', 'wk_4', 'wk_5'].map((id) => ({ id, age_seconds: 180 })),
    });
    expect(bundle.adapters).toMatchObject([{ id: 'beads', status: 'loaded', items: 6, selected: 4 }]);
    const two = json(...inProject, ...beads, '--adapter-max-items', '2', '--adapter-stale-seconds', '60');
    expect(two.adapters).toMatchObject([{ selected: 2 }]);
    expect(two.warnings).toEqual(['adapter beads: wk_1 is stale.', 'adapter beads: wk_0 is stale.']);
    expect(two.arguments).toMatchObject({
      ...{ adapter_file: '.cortex/reports/beads_adapter.json', adapter_max_items: 2, adapter_stale_seconds: 60 },
    });
    expect(json(...inProject, '--adapter-mode', 'off', ...beads.slice(2))).toEqual(json(...inProject));
  });

  it('L30 an adapter is stale where all of its items are, and an unsafe item that was left out is counted in dropped', () => {
    const dir = join(root, 'stale');
    const report = (...items: object[]) => {
      put(dir, {
        'README.md': 'x',
        'work.json': JSON.stringify({ items }),
        '.bearings/policy.yaml': 'extends: repo\nadapters:\n  - {name: work, kind: file, path: work.json}\n',
      });
      return json('stale', '--adapter', 'work');
    };
    const old = (id: string) => ({ id, title: `Work ${id}`, state: 'stale' });
    const ready = { id: 'c', title: 'Work c', state: 'ready' };
    expect(report(old('a'), old('b')).adapters).toMatchObject([{ items: 2, selected: 2, stale: true }]);
    expect(report(old('a'), ready).adapters).toMatchObject([{ stale: null }]);
    // Too large to be checked.
    const unsafe = { id: 'd', title: 'Work d', tags: Array.from({ length: 300 }, () => 'x'.repeat(1_000)) };
    const { dropped, budget } = report(ready, unsafe);
    expect(dropped.filter(({ source_class }) => source_class === 'adapter')).toMatchObject([{ reason: 'unsafe' }]);
    expect(budget.partitions.adapter).toMatchObject({ dropped: 1 });
  });

  it('L6 L16 a policy says the number and the hours itself; the flags go before it', () => {
    const dir = join(root, 'own');
    put(dir, {
      'README.md': 'x',
      'work.json': JSON.stringify({ items: ITEMS }),
      '.bearings/policy.yaml':
        'extends: repo\nadapters:\n  - {name: work, kind: file, path: work.json, max_items: 3, stale_after_hours: 1}\n',
    });
    const counted = (...words: string[]) => json('own', '--adapter', 'work', ...words).adapters[0]?.selected;
    expect([counted(), counted('--adapter-max-items', '5')]).toEqual([3, 5]);
  });

  it('L16 L19 writes its bundle where that loader does, from the project’s folder, and drift knows it', () => {
    const { stdout, code } = run(...inProject, ...beads, '--out-file', PLACE);
    expect(code).toBe(0);
    expect(stdout).toContain(join('project', PLACE));
    const kept = JSON.parse(readFileSync(join(project, PLACE), 'utf8')) as Bundle;
    expect(kept).toEqual(json(...inProject, ...beads));
    expect(bearings({ home, cwd: project }, 'drift', PLACE)).toMatchObject({ code: 0 });
    // It changes nothing for the next one: a bundle is not made of bundles.
    expect(run(...inProject, '--out', join('project', PLACE))).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(project, PLACE), 'utf8'))).toEqual(json(...inProject));
  });

  it.each([
    ['another file of .cortex/', join('project', '.cortex/reports/other.json')],
    ['the place in another project', join('other', PLACE)],
    ['the place through a link', join('project', 'linked/agent_context_bundle_v0.json')],
  ])('L19 %s is not written', (_, path) => {
    put(join(root, 'other'), CORTEX_FILES);
    if (!existsSync(join(project, 'linked'))) symlinkSync(join(project, '.cortex/artifacts'), join(project, 'linked'));
    const { code, stderr } = run(...inProject, '--out', path);
    expect(code).toBe(2);
    expect(stderr).toContain(PLACE);
    expect(existsSync(join(root, path))).toBe(false);
  });

  it.each([
    [[...inProject, '--fallback-mode', 'all'], 'none or priority'],
    [[...inProject, '--adapter-mode', 'beads_file'], '--adapter-file'],
    [[...inProject, '--adapter-mode', 'web'], 'off or beads_file'],
    [[...inProject, '--adapter-file', '/etc/passwd'], 'inside the project'],
    [[...inProject, ...beads, '--adapter-max-items', '0'], 'from 1'],
    [[...inProject, ...beads, '--adapter-max-items', '101'], 'to 100'],
    [[...inProject, ...beads, '--adapter-stale-seconds', '-1'], 'stale-seconds'],
  ])('L16 %j is bad use', (words, said) => {
    const { code, stdout, stderr } = run(...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain(root);
  });

  it('L18 an adapter file that is missing degrades', () => {
    const bundle = json(...inProject, '--adapter-file', 'none.json');
    expect(bundle.adapters).toMatchObject([{ id: 'beads', status: 'degraded' }]);
    expect(bundle.warnings).toContain('adapter beads is left out: none.json is not there.');
  });
});
