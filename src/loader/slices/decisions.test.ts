import { describe, expect, it } from 'vitest';
import { dateInHeader, datesInReport, inactiveInReport, inactiveWord, newestFirst } from './decisions.ts';

describe('decisions', () => {
  it('L3 the newest by date of promotion, else of capture, in its header or the report; undated ones after, by name', () => {
    const texts: Record<string, string> = {
      'd/decision_a_v1.md':
        '# A\n\nStatus: Active\nCapturedAt: 2026-02-20T11:00:00Z\nPromotedAt: 2026-03-01T10:00:00Z\n',
      'd/decision_b_v9.md': '# B\n\nCapturedAt: 2026-02-28\n',
      'd/decision_c_v1.md': '# C\n\n- **Promoted at:** 2026-02-01\n\n## Context\nPromotedAt: 2027-01-01\n',
      'd/decision_d_v1.md': '# D\n',
      'd/decision_e_v10.md': '# E\n',
      'd/decision_f_v2.md': '# F\nPromotedAt: soon\n',
      'd/decision_g_v2.md': '# G\n',
    };
    const reported = datesInReport({
      entries: [
        {
          decision_artifact: '.cortex/d/decision_d_v1.md',
          captured_at: '2026-04-01T00:00:00Z',
          promoted_at: '2026-03-02T00:00:00Z',
          supersedes: 'decision_g_v2',
          linked_artifacts: ['d/decision_e_v10.md'],
        },
        { decision_artifact: 'd/decision_f_v2.md', promoted_at: null },
      ],
    });
    const dateOf = (path: string) => dateInHeader(texts[path] ?? '') ?? reported(path);
    expect(
      newestFirst(Object.keys(texts), dateOf)
        .map((path) => path.replace(/.*decision_(.).*/, '$1'))
        .join(''),
    ).toBe('dabcegf');
  });

  it('L3 v10 is newer than v2, whatever the rest of the name; of equals the last by path', () => {
    expect(
      newestFirst(['a/decision_x_v2.md', 'a/decision_b_v10.md', 'a/decision_a_v2.md', 'a/decision_z_vnext.md']),
    ).toEqual(['a/decision_b_v10.md', 'a/decision_x_v2.md', 'a/decision_a_v2.md', 'a/decision_z_vnext.md']);
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

  it.each([
    [['a/2.md', 'b/10.md', 'c/2.1.md'], 'b/10.md c/2.1.md a/2.md'],
    [['1-a.md', '1_2.md', '1.1.md'], '1_2.md 1.1.md 1-a.md'],
    [['adr-5.md', 'ADR_12.md', 'rfc 7.md', 'decision3.md'], 'ADR_12.md rfc 7.md adr-5.md decision3.md'],
    [['2nd.md', '1-x.md'], '1-x.md 2nd.md'],
    [['x-v3.md', 'x_v12.md', 'x-v1.2.md', 'xv99.md'], 'x_v12.md x-v3.md xv99.md x-v1.2.md'],
    [['5_a_v1.md', '5_a_V2.md'], '5_a_V2.md 5_a_v1.md'],
    [['a.md', 'b.md'], 'b.md a.md'],
  ])('L2 L3 %j are in the order %s', (names, order) => expect(newestFirst(names).join(' ')).toBe(order));

  it.each([
    ['---\nstatus: retired\n---\n', 'retired'],
    ['---\n## x\nstatus: retired\n...\n', 'retired'],
    ['---\n## x\nstatus: retired\n', null],
    ['text\n---\n## x\nstatus: retired\n---\n', null],
    ['## Context\nStatus: rejected', null],
    ['## status ##\n\n\n**Superseded**', 'superseded'],
    ['###### State\nretired', 'retired'],
    ['####### State\nretired', null],
    ['## Status\n', null],
    ['## Statuses\nretired', null],
    ['| Status | Rejected |', 'rejected'],
    ['> - **Decision status:** superseded', 'superseded'],
    ['lifecycle-state = retired', 'retired'],
    ['Lifecycle: retired', 'retired'],
    ['State: not retiredish', null],
    ['superseded_by: 12', 'superseded'],
    ['Superseded by: none', null],
    ['superseded: n/a', null],
    ['rejected: -', null],
    ['rejected: []', null],
    ['rejected:', null],
    ['rejected by: Ann', 'rejected'],
    ['owner: retired person', null],
    ['a\rStatus: retired\r\nb', 'retired'],
    [`${'x\n'.repeat(39)}Status: retired`, 'retired'],
    [`${'x\n'.repeat(40)}Status: retired`, null],
  ])('L3 the header %j takes it out of force: %s', (text, word) => expect(inactiveWord(text)).toBe(word));

  it.each<[unknown, string | null]>([
    [{ path: 'a/d_v1.md', status: 'superseded' }, 'superseded'],
    [{ id: 'd_v1', state: 'Retired in May' }, 'retired'],
    [{ id: 'd_v1', retired: true }, 'retired'],
    [{ id: 'd_v1', retired: false }, null],
    [{ id: 'd_v1', superseded_by: 'e_v2' }, 'superseded'],
    [{ id: 'e_v2', supersedes: 'd_v1', status: 'rejected' }, null],
    [{ id: 'e_v2', replaced: 'd_v1', status: 'retired' }, null],
    [{ d_v1: 'retired' }, 'retired'],
    [{ d_v1: ' Retired ' }, 'retired'],
    [{ d_v1: 'was retired' }, null],
    [{ d_v1: { status: 'rejected' } }, 'rejected'],
    [{ status: 'retired', list: ['d_v1.md'] }, null],
    [{ rejected: ['x', 'b/d_v1.MD'] }, 'rejected'],
    [{ Rejected: [{ file: 'd_v1.md', why: 'old' }] }, 'rejected'],
    [{ rejected: 'd_v1' }, 'rejected'],
    [{ accepted: ['d_v1.md'] }, null],
    [{ deep: [{ deeper: { superseded: ['d_v1'] } }] }, 'superseded'],
    [
      [
        { id: 'd_v1', status: 'retired' },
        { id: 'd_v1', status: 'rejected' },
      ],
      'rejected',
    ],
    [{ id: 'other', status: 'retired' }, null],
    [{ status: 'retired' }, null],
  ])('L3 the report %j says of a decision: %s', (report, word) =>
    expect(inactiveInReport(report)('.cortex/artifacts/decisions/d_v1.md')).toBe(word),
  );

  it('L3 any JSON is a report that says nothing, or something', () => {
    for (const report of [null, 1, 'x', [], {}, [null], { a: [[['superseded']]] }])
      expect(inactiveInReport(report)('decision_x_v1.md')).toBeNull();
    let deep: unknown = { path: 'decision_x_v1.md', status: 'retired' };
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(inactiveInReport(deep)('a/decision_x_v1.md')).toBe('retired');
  });
});
