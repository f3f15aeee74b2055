import { describe, expect, it } from 'vitest';
import { inactiveInReport, inactiveWord, newestFirst } from './decisions.ts';

describe('decisions', () => {
  it('L3 v10 is newer than v2, whatever the rest of the name; ties by path', () => {
    expect(
      newestFirst(['a/decision_x_v2.md', 'a/decision_b_v10.md', 'a/decision_a_v2.md', 'a/decision_z_vnext.md']),
    ).toEqual(['a/decision_b_v10.md', 'a/decision_a_v2.md', 'a/decision_x_v2.md', 'a/decision_z_vnext.md']);
  });

  it('L2 records are ordered by their leading number or date', () => {
    expect(newestFirst(['0002-b.md', '0010-a.md', '0009-z.md', 'template.md'])).toEqual([
      '0010-a.md',
      '0009-z.md',
      '0002-b.md',
      'template.md',
    ]);
    expect(newestFirst(['2026-02-28-a.md', '2026-11-15-b.md', '2025-12-31-c.md'])[0]).toBe('2026-11-15-b.md');
    expect(newestFirst(['decision_0012_x_v1.md', 'decision_0003_y_v9.md'])[0]).toBe('decision_0012_x_v1.md');
  });

  it.each([
    ['# T\n\n## Status\n\nSuperseded by 12\n', 'superseded'],
    ['# T\n\n## Status\n\nAccepted\n\n## Rejected ideas\n', null],
    ['# T\n* Status: rejected\n', 'rejected'],
    ['Status = Retired', 'retired'],
    ['# Why we rejected it\n\nStatus: Active\n', null],
    ['---\nstatus: active\n---\n\nStatus: superseded\n', 'superseded'],
    ['retired: false\n', null],
    ['retired: yes\n', 'retired'],
    ['', null],
    [`${'x\n'.repeat(50)}Status: rejected`, null],
  ])('L3 the header of %j says %s', (text, word) => {
    expect(inactiveWord(text)).toBe(word);
  });

  it('L3 any JSON is a report that says nothing, or something', () => {
    for (const report of [null, 1, 'x', [], {}, [null], { a: [[['superseded']]] }])
      expect(inactiveInReport(report)('decision_x_v1.md')).toBeNull();
    let deep: unknown = { path: 'decision_x_v1.md', status: 'retired' };
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(inactiveInReport(deep)('a/decision_x_v1.md')).toBe('retired');
  });
});
