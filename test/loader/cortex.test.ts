import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import type { Bundle } from '../../src/loader/bundle/bundle.ts';
import { CORTEX_FILES } from '../support/cortex-project.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
let made = 0;

function project(files: Readonly<Record<string, string>> = CORTEX_FILES): string {
  const folder = join(root, `p${made++}`);
  put(folder, { ...files });
  return folder;
}
const load = async (dir: string, task = '', options = {}): Promise<Bundle> =>
  (await openRooms({ home: join(root, 'home'), cwd: root }).loader()).loadContext({ dir, task, ...options });
const paths = (bundle: Bundle, slice: string) =>
  bundle.files.filter(({ source_class }) => source_class === slice).map(({ path }) => path);
const decisions = (bundle: Bundle) =>
  bundle.files
    .filter(({ selected_by }) => selected_by === 'control_plane:active_decision')
    .map(({ path }) => path.slice(path.lastIndexOf('/') + 1, -3));

describe('the cortex policy', () => {
  it('L2 is in force where the manifest is, else repo; the project’s own comes before both', async () => {
    const dir = project();
    expect((await load(dir)).policy.name).toBe('cortex');
    expect((await load(dir, '', { policy: 'repo' })).policy.name).toBe('repo');
    put(dir, { '.bearings/policy.yaml': 'extends: cortex\nname: ours\n' });
    expect((await load(dir)).policy).toMatchObject({ name: 'ours', source: '.bearings/policy.yaml' });
    expect((await load(project({ 'README.md': 'x' }))).policy.name).toBe('repo');
  });

  it('L3 the control plane in its fixed order, with the three newest active decisions', async () => {
    const bundle = await load(project());
    expect(paths(bundle, 'control_plane')).toEqual([
      '.cortex/manifest_v0.json',
      '.cortex/reports/lifecycle_audit_v0.json',
      '.cortex/reports/audit_needed_v0.json',
      '.cortex/reports/decision_candidates_v0.json',
      '.cortex/artifacts/decisions/decision_loader_v10.md',
      '.cortex/artifacts/decisions/decision_loader_v2.md',
      '.cortex/artifacts/decisions/decision_budget_v2.md',
    ]);
    expect(bundle.control_plane).toMatchObject({ status: 'complete', health: 'pass' });
    expect(bundle.files.slice(0, 4).every(({ selected_by }) => selected_by === 'control_plane')).toBe(true);
    expect(bundle.warnings).toEqual([]);
  });

  it('L3 L9 the whole control plane holds its place with 8 files, and one file is the task’s; a helper shares in proportion', async () => {
    const dir = project();
    const all = paths(await load(dir, 'spec'), 'control_plane');
    const small = await load(dir, 'spec', { max_files: 8 });
    expect(paths(small, 'control_plane')).toEqual(all);
    expect(paths(small, 'task')).toHaveLength(1);
    expect(small.control_plane.status).toBe('complete');
    expect(paths(await load(dir, 'spec', { for: 'helper' }), 'control_plane')).toHaveLength(3);
  });

  it('L3 L9 with 3 files the third required file goes before the optional report', async () => {
    const { control_plane, files } = await load(project(), 'spec', { max_files: 3 });
    expect(files.map(({ path }) => path)).toEqual([
      '.cortex/manifest_v0.json',
      '.cortex/reports/lifecycle_audit_v0.json',
      '.cortex/reports/decision_candidates_v0.json',
    ]);
    expect(control_plane.status).toBe('complete');
  });

  it.each([
    ['Status: Superseded by decision_x_v11'],
    ['**Status:** retired'],
    ['- status: REJECTED'],
    ['| Status | Superseded |'],
    ['Superseded-By: decision_x_v11.md'],
  ])('L3 a decision whose header says "%s" is not active', async (line) => {
    const dir = project();
    put(dir, { '.cortex/artifacts/decisions/decision_loader_v10.md': `# Loader\n\n${line}\n\n## Why\n` });
    expect(decisions(await load(dir))).toEqual(['decision_loader_v2', 'decision_budget_v2', 'decision_loader_v1']);
  });

  it('L3 the newest decisions are those promoted last, else captured, by header or candidates; undated ones come after', async () => {
    const dir = project();
    put(dir, {
      '.cortex/artifacts/decisions/decision_a_v1.md': '# A\n\nStatus: Active\nCapturedAt: 2026-02-20T11:26:23Z\n',
      '.cortex/artifacts/decisions/decision_budget_v2.md': '# Budget\n\nPromotedAt: 2026-02-21T00:00:00Z\n',
      '.cortex/reports/decision_candidates_v0.json': JSON.stringify({
        entries: [
          {
            decision_artifact: '.cortex/artifacts/decisions/decision_loader_v1.md',
            promoted_at: '2026-02-22T00:00:00Z',
          },
        ],
      }),
    });
    expect(decisions(await load(dir))).toEqual(['decision_loader_v1', 'decision_budget_v2', 'decision_a_v1']);
  });

  it('L3 front matter counts, the body does not', async () => {
    const dir = project();
    put(dir, {
      '.cortex/artifacts/decisions/decision_loader_v10.md': '---\nstatus: superseded\n---\n# Loader\n',
      '.cortex/artifacts/decisions/decision_budget_v2.md':
        '# Budget\n\nStatus: Accepted\nSupersedes: decision_budget_v1\nSuperseded by: none\n\n## History\n\nStatus: rejected once\n',
    });
    expect(decisions(await load(dir))).toEqual(['decision_loader_v2', 'decision_budget_v2', 'decision_loader_v1']);
  });

  it.each([
    [{ candidates: [{ path: '.cortex/artifacts/decisions/decision_loader_v10.md', status: 'superseded' }] }],
    [{ decisions: { decision_loader_v10: { state: 'Retired' } } }],
    [{ decisions: { 'decision_loader_v10.md': 'rejected' } }],
    [{ rejected: ['decision_loader_v10.md'] }],
    [[{ decision_id: 'decision_loader_v10', superseded_by: 'decision_x_v1', status: 'accepted' }]],
  ])('L3 a decision that the candidates mark is not active: %j', async (report) => {
    const dir = project();
    put(dir, { '.cortex/reports/decision_candidates_v0.json': JSON.stringify(report) });
    expect(decisions(await load(dir))).toEqual(['decision_loader_v2', 'decision_budget_v2', 'decision_loader_v1']);
  });

  it('L3 a candidate that is only linked stays active', async () => {
    const dir = project();
    const report = { candidates: [{ id: 'x', status: 'rejected', linked: ['decision_loader_v10.md'] }] };
    put(dir, { '.cortex/reports/decision_candidates_v0.json': JSON.stringify(report) });
    expect(decisions(await load(dir))[0]).toBe('decision_loader_v10');
  });

  it.each([
    [
      'review the design',
      'design',
      [
        '.cortex/artifacts/design_v0.dsl',
        '.cortex/artifacts/design_v0.json',
        'templates/design_ontology_v0.json',
        'templates/modern_web_design_vocabulary_v0.json',
      ],
    ],
    ['which policies apply', 'governance', ['.cortex/artifacts/governance_v0.md', 'policies/a.md', 'policies/b.md']],
    ['our north star', 'direction', ['.cortex/artifacts/direction_v0.md', 'policies/a.md', 'policies/b.md']],
    [
      'the specs',
      'spec',
      [
        'specs/agent_context_loader_spec_v0.md',
        'specs/spec_spec_v0.md',
        '.cortex/artifacts/direction_v0.md',
        '.cortex/artifacts/governance_v0.md',
        '.cortex/artifacts/other.md',
      ],
    ],
    [
      'build a fruit guide',
      'default',
      [
        '.cortex/artifacts/direction_v0.md',
        '.cortex/artifacts/governance_v0.md',
        '.cortex/artifacts/other.md',
        'specs/agent_context_loader_spec_v0.md',
        'specs/spec_spec_v0.md',
      ],
    ],
  ])('L4 "%s" gives %s: pattern by pattern, by path', async (task, key, expected) => {
    const bundle = await load(project(), task);
    expect(bundle.task_key).toBe(key);
    expect(paths(bundle, 'task')).toEqual(expected);
    expect(bundle.files.find(({ path }) => path === expected[0])?.selected_by).toMatch(`task:${key}:`);
  });

  const control = [
    '.cortex/manifest_v0.json',
    '.cortex/reports/lifecycle_audit_v0.json',
    '.cortex/reports/audit_needed_v0.json',
    '.cortex/reports/decision_candidates_v0.json',
  ];
  const states: [string, (path: string) => void, string][] = [
    ['missing', () => undefined, 'missing'],
    ['a directory', (path) => mkdirSync(path), 'unreadable'],
    ['empty', (path) => writeFileSync(path, ''), 'invalid'],
    ['broken', (path) => writeFileSync(path, '{"a": '), 'invalid'],
    ['a list', (path) => writeFileSync(path, '[]'), 'invalid'],
    ['null', (path) => writeFileSync(path, 'null'), 'invalid'],
    ['no UTF-8', (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00])), 'invalid'],
    ['nested deep', (path) => writeFileSync(path, '['.repeat(100_000)), 'invalid'],
  ];
  for (const path of control) {
    it.each(states)(`L3 L13 ${path} that is %s`, async (_, make, status) => {
      const dir = project();
      rmSync(join(dir, path));
      make(join(dir, path));
      const bundle = await load(dir, 'spec', { policy: 'cortex' });
      const required = !path.includes('audit_needed');
      expect(bundle.control_plane.files.find((file) => file.path === path)).toEqual({ path, required, status });
      expect(bundle.control_plane.status).toBe(required ? 'incomplete' : 'complete');
      expect(paths(bundle, 'control_plane')).not.toContain(path);
      const quiet = status === 'missing' && !required;
      expect(bundle.warnings.filter((warning) => warning.includes(path))).toHaveLength(quiet ? 0 : 1);
      expect(paths(bundle, 'task')).toHaveLength(5);
    });
  }

  it('L3 nothing of the control plane there at all', async () => {
    const bundle = await load(project({ 'specs/a.md': 'x' }), 'spec', { policy: 'cortex' });
    expect(bundle.control_plane.status).toBe('missing');
    expect(bundle.control_plane.files.map(({ status }) => status)).toEqual([
      'missing',
      'missing',
      'missing',
      'missing',
    ]);
    expect(bundle.fallback.attempts).toMatchObject([{ success: false, reason: 'no control-plane file is in' }]);
  });
});
