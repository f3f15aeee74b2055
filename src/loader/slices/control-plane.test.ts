import { describe, expect, it } from 'vitest';
import { loadFromMemory, type MemoryFile } from '../../../test/support/memory-project.ts';
import { repoPolicy } from '../policy/policies/repo.ts';
import type { ControlEntry, Policy } from '../policy/policy.ts';

const policyOf = (...control_plane: ControlEntry[]): Policy => ({
  ...repoPolicy,
  control_plane,
  intents: [{ key: 'default', about: '', words: [], include: ['x/*.md'] }],
});
const plane = (files: Record<string, MemoryFile>, ...entries: ControlEntry[]) => {
  const { bundle, ignored } = loadFromMemory({ files, policy: policyOf(...entries) });
  const { status, health, files: seen } = bundle.control_plane;
  return {
    status,
    health,
    seen: seen.map((file) => `${file.path} ${file.status}${file.required ? ' required' : ''}`),
    in: bundle.files.map(({ path, selected_by }) => `${path} ${selected_by}`),
    out: bundle.dropped.map(({ path, reason }) => `${path} ${reason}`),
    // These projects have no task files: that is not the matter here.
    warnings: bundle.warnings.filter(
      (warning) => warning !== 'beyond what every task gets, no file of the project is in.',
    ),
    passed: Object.fromEntries(ignored),
  };
};
const file = (path: string, more: object = {}) => ({ path, required: false, json: false, health: [], ...more });
const newest = (more: object = {}) => ({ newest: ['d/*.md'], count: 2, active: true, inactive_in: null, ...more });
const nothing = { health: null, out: [], warnings: [], passed: {} };

describe('the control plane', () => {
  it('L13 is complete with every required file, incomplete without one, missing without any', () => {
    const entries = [file('a.md', { required: true }), file('b.md')];
    expect(plane({ 'a.md': 'a' }, ...entries)).toEqual({
      ...nothing,
      status: 'complete',
      seen: ['a.md present required', 'b.md missing'],
      in: ['a.md control_plane'],
    });
    expect(plane({ 'b.md': 'b' }, ...entries)).toEqual({
      ...nothing,
      status: 'incomplete',
      seen: ['a.md missing required', 'b.md present'],
      in: ['b.md control_plane'],
      warnings: ['a.md is required and missing.'],
    });
    expect(plane({}, ...entries).status).toBe('missing');
  });

  it('L3 L13 a file that must hold an object and does not is invalid, told and dropped', () => {
    for (const text of ['[]', '{', 'null', '"x"'])
      expect(plane({ 'a.json': text }, file('a.json', { json: true, required: true }))).toEqual({
        ...nothing,
        status: 'missing',
        seen: ['a.json invalid required'],
        in: [],
        out: ['a.json unreadable'],
        warnings: ['a.json is broken: it holds no JSON object.'],
      });
    expect(plane({ 'a.json': '[]' }, file('a.json')).seen).toEqual(['a.json present']);
  });

  it('L11 L19 what can’t be read is listed as unreadable or unsafe, with one warning', () => {
    expect(
      plane(
        { 'a.md': { unreadable: 'it is a link', unsafe: true }, 'b.md': { unreadable: 'no right' } },
        file('a.md'),
        file('b.md'),
      ),
    ).toEqual({
      ...nothing,
      status: 'missing',
      seen: ['a.md unreadable', 'b.md unreadable'],
      in: [],
      out: ['a.md unsafe', 'b.md unreadable'],
      warnings: ["a.md can't be read: it is a link.", "b.md can't be read: no right."],
    });
  });

  it('L2 the first name that is there is taken; a required one that is not is told by its first name', () => {
    expect(plane({ 'b.md': 'b', 'c.md': 'c' }, { first: ['a.md', 'b.md', 'c.md'], required: false }).seen).toEqual([
      'b.md present',
    ]);
    expect(plane({}, { first: ['a.md', 'b.md'], required: false }).seen).toEqual([]);
    expect(plane({}, { first: ['a.md', 'b.md'], required: true })).toMatchObject({
      seen: ['a.md missing required'],
      warnings: ['a.md is required and missing.'],
    });
    // A manifest in JSON must be one.
    expect(plane({ 'p.json': '[' }, { first: ['p.json'], required: false }).seen).toEqual(['p.json invalid']);
  });

  it('L1 a file named twice is listed once', () =>
    expect(plane({ 'd/1.md': 'a' }, file('d/1.md'), file('d/1.md'), newest())).toMatchObject({
      seen: ['d/1.md present'],
      in: ['d/1.md control_plane'],
    }));

  it.each<[unknown, string | null]>([
    [{ status: 'green' }, 'green'],
    [{ overall: 'red', status: 'green' }, 'red'],
    [{ overall: '  ', status: { status: 'amber' } }, 'amber'],
    [{ overall: 7, status: 'a\nb' }, 'a b'],
    [{ status: 'x'.repeat(50) }, 'x'.repeat(40)],
    [{ other: 'green' }, null],
  ])('L13 the project’s own word for its health in %j is %s', (json, word) =>
    expect(
      plane({ 'a.json': JSON.stringify(json) }, file('a.json', { json: true, health: ['overall', 'status'] })).health,
    ).toBe(word),
  );

  it('L13 the first file that has a word gives it', () => {
    const entry = (path: string) => file(path, { json: true, health: ['status'] });
    expect(
      plane(
        { 'a.json': '{}', 'b.json': '{"status":"one"}', 'c.json': '{"status":"two"}' },
        ...['a.json', 'b.json', 'c.json'].map(entry),
      ).health,
    ).toBe('one');
  });

  it('L3 the newest active ones, those out of force and beyond the count ignored with their reason', () => {
    const files = {
      'd/1.md': 'one',
      'd/2.md': 'two',
      'd/3.md': 'Status: retired',
      'd/4.md': 'four',
      'd/5.md': 'five',
      'r.json': '{"rejected": ["5.md"]}',
    };
    expect(plane(files, newest({ inactive_in: 'r.json' }))).toEqual({
      ...nothing,
      status: 'complete',
      seen: ['d/4.md present', 'd/2.md present'],
      in: ['d/4.md control_plane:active_decision', 'd/2.md control_plane:active_decision'],
      passed: {
        'd/1.md': 'it is not among the 2 newest active ones',
        'd/3.md': 'it is marked retired',
        'd/5.md': 'it is marked rejected',
      },
    });
    // Without `active` the newest count as they are, and without a report nothing is marked.
    expect(plane(files, newest({ active: false, inactive_in: 'r.json' })).in).toEqual([
      'd/5.md control_plane',
      'd/4.md control_plane',
    ]);
    expect(plane(files, newest()).seen).toEqual(['d/5.md present', 'd/4.md present']);
    expect(plane({ 'd/1.md': 'one' }, newest({ inactive_in: 'r.json' })).seen).toEqual(['d/1.md present']);
  });

  it('L3 one that can’t be read takes nobody’s place', () =>
    expect(plane({ 'd/1.md': 'one', 'd/2.md': 'two', 'd/3.md': { unreadable: 'no right' } }, newest())).toMatchObject({
      seen: ['d/3.md unreadable', 'd/2.md present', 'd/1.md present'],
      out: ['d/3.md unreadable'],
      warnings: ["d/3.md can't be read: no right."],
    }));
});
