import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../test/support/memory-project.ts';
import { canonicalJson } from '../../json.ts';
import type { Bundle } from './bundle.ts';
import { diffBundles } from './diff.ts';

const FILE = { path: 'a.md', rank: 1, sha256: 's', total_bytes: 3, excerpt: 'abc', chars: 3, source_class: 'task' };
const BASE = {
  version: 1,
  arguments: { task: 't', max_files: null },
  policy: { name: 'repo' },
  budget: { max_files: 12 },
  fallback: { level: 'none' },
  task: 't',
  task_key: 'default',
  history: null,
  control_plane: { status: 'complete', files: [{ path: 'AGENTS.md', status: 'present' }] },
  files: [FILE],
  dropped: [{ path: 'd.md', reason: 'unsafe' }],
  dropped_beyond: 0,
  adapters: [{ id: 'issues', status: 'loaded' }],
  warnings: ['w'],
};
const sealed = (change: object = {}) => {
  const content = { ...BASE, ...change };
  return { ...content, bundle_sha256: sha256(canonicalJson(content)) } as unknown as Bundle;
};
const moved = (change: object, before: object = {}) =>
  diffBundles(sealed(before), sealed(change), sha256).changes.map(
    ({ part, change: kind, name, detail }) => `${part} ${kind} ${name}: ${detail}`,
  );
const RANKS = ': past commits rank; a shallow clone ranks differently, fetch the same depth';
const history = (head: string, depth: number) => ({ history: { head, depth } });

describe('two bundles', () => {
  it('L16 are the same where nothing moved', () =>
    expect(diffBundles(sealed(), sealed(), sha256)).toEqual({ same: true, changes: [] }));

  it('L16 an edited one is told by its own hash, whichever of the two it is', () => {
    const edited = { ...sealed(), task: 'other' } as Bundle;
    const told = (a: Bundle, b: Bundle) => diffBundles(a, b, sha256).changes.filter(({ part }) => part === 'bundle');
    const said = { part: 'bundle', change: 'changed', detail: 'was edited: its own hash does not match' };
    expect(told(edited, sealed())).toEqual([{ ...said, name: 'first' }]);
    expect(told(sealed(), edited)).toEqual([{ ...said, name: 'second' }]);
  });

  it.each<[object, string[]]>([
    [{ task: 'u' }, ['task changed task: "t" → "u"']],
    [{ dropped_beyond: 2 }, ['dropped_beyond changed dropped_beyond: 0 → 2']],
    [{ arguments: { task: 't', max_files: 3 } }, ['arguments changed max_files: null → 3']],
    [{ policy: { name: 'repo', sha256: 'x' } }, ['policy changed sha256: nothing → "x"']],
    [{ budget: {} }, ['budget changed max_files: 12 → nothing']],
    [{ files: [] }, ['files removed a.md: is no longer there']],
    [{ files: [FILE, { ...FILE, path: 'b.md' }] }, ['files added b.md: is new']],
    [{ files: [{ ...FILE, sha256: 'z' }] }, ['files changed a.md: its content changed']],
    [{ files: [{ ...FILE, total_bytes: 4 }] }, ['files changed a.md: its content changed']],
    [
      { files: [{ ...FILE, excerpt: 'ab', chars: 2 }] },
      ['files changed a.md: another part is shown: 3 → 2 characters'],
    ],
    [{ files: [{ ...FILE, rank: 2 }] }, ['files changed a.md: place 1 → 2']],
    [
      { files: [{ ...FILE, sha256: 'z', rank: 2, selected_by: 'x', score: { total: 1 } }] },
      ['files changed a.md: its content changed; place 1 → 2; selected_by nothing → "x"; score nothing → {"total":1}'],
    ],
    [{ files: [{ ...FILE, source_class: 'adapter' }] }, ['files changed a.md: source_class "task" → "adapter"']],
    [{ files: [{ ...FILE, provenance: 1 }] }, ['files changed a.md: provenance nothing → 1']],
    [{ files: [{ ...FILE, tokens: 1 }] }, ['files changed a.md: other fields changed']],
    [{ dropped: [{ path: 'd.md', reason: 'duplicate' }] }, ['dropped changed d.md: reason "unsafe" → "duplicate"']],
    [{ adapters: [{ id: 'issues', status: 'degraded' }] }, ['adapters changed issues: status "loaded" → "degraded"']],
    [{ warnings: ['w', 'v'] }, ['warnings added v: is new']],
    [
      { control_plane: { status: 'incomplete', files: [{ path: 'AGENTS.md', status: 'missing' }] } },
      [
        'control_plane changed status: "complete" → "incomplete"',
        'control_plane changed AGENTS.md: status "present" → "missing"',
      ],
    ],
    [history('h', 5), [`history changed head: nothing → "h"${RANKS}`, `history changed depth: nothing → 5${RANKS}`]],
    [{ task_key: 'x'.repeat(90) }, [`task_key changed task_key: "default" → "${'x'.repeat(78)}…`]],
  ])('L16 %j is told', (change, said) => expect(moved(change)).toEqual(said));

  it('L7 another past is told: another head, and another depth', () => {
    expect(moved(history('i', 5), history('h', 5))).toEqual([`history changed head: "h" → "i"${RANKS}`]);
    expect(moved(history('h', 6), history('h', 5))).toEqual([`history changed depth: 5 → 6${RANKS}`]);
    expect(moved(history('h', 5), history('h', 5))).toEqual([]);
  });

  it('L16 the same entries in another order are told as such', () => {
    const [a, b] = [FILE, { ...FILE, path: 'b.md' }];
    expect(moved({ files: [b, a] }, { files: [a, b] })).toEqual([
      'bundle changed order: the same entries are in another order',
    ]);
  });

  it('L16 parts that hold something else entirely are compared too', () => {
    expect(moved({ files: 7, adapters: [null], warnings: [[1]] })).toEqual([
      'files removed a.md: is no longer there',
      'adapters removed issues: is no longer there',
      'adapters added undefined: is new',
      'warnings removed w: is no longer there',
      'warnings added [1]: is new',
    ]);
  });
});
