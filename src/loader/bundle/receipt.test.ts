import { describe, expect, it } from 'vitest';
import { parseAge, parseReceipt, type Receipt, receiptLine, staleReasons } from './receipt.ts';

const RECEIPT: Receipt = {
  version: 1,
  time: '2026-11-15T10:00:00Z',
  event: 'new_session',
  bundle_sha256: 'b',
  budget: { max_files: 1, max_chars_per_file: 1, max_total_chars: 1, max_tokens: null },
  head: 'abcdef0123456789',
  dirty: false,
  dirty_sha256: null,
  policy: { asked: null, name: 'repo', sha256: 'p' },
  control_plane: { 'AGENTS.md': 'a', 'README.md': null },
};
const NOON = Date.UTC(2026, 10, 15, 10);
const MINUTE = 60_000;
const reasons = (change: Partial<Receipt>, { later = 0, maxAgeMs = 45 * MINUTE } = {}) =>
  staleReasons(RECEIPT, { ...RECEIPT, ...change }, { now: NOON + later, maxAgeMs }).map(
    ({ code, message }) => `${code}: ${message}`,
  );

describe('a receipt', () => {
  it('L20 says nothing while all is as it was, up to its last moment', () => {
    expect(reasons({})).toEqual([]);
    expect(reasons({}, { later: 45 * MINUTE })).toEqual([]);
    expect(reasons({}, { later: -5 * MINUTE })).toEqual([]);
  });

  it.each([
    [45 * MINUTE + 1, 45 * MINUTE, 'too_old: it is 45 min old, and 45 min is the limit'],
    [59_999, 1_000, 'too_old: it is 59 s old, and 1 s is the limit'],
    [60_000, 59_000, 'too_old: it is 1 min old, and 59 s is the limit'],
    [120 * MINUTE, 119 * MINUTE, 'too_old: it is 2 hours old, and 119 min is the limit'],
    [48 * 60 * MINUTE, 47 * 60 * MINUTE, 'too_old: it is 2 days old, and 47 hours is the limit'],
    [-5 * MINUTE - 1, MINUTE, 'in_future: its time lies in the future'],
  ])('L20 after %i ms with a limit of %i: %s', (later, maxAgeMs, said) =>
    expect(reasons({}, { later, maxAgeMs })).toEqual([said]),
  );

  it.each<[Partial<Receipt>, string[]]>([
    [{ head: null }, ['other_head: it was made on abcdef012345, and this is no commit']],
    [{ head: 'x\u001b<>' }, ['other_head: it was made on abcdef012345, and this is ????']],
    [{ dirty_sha256: 'd' }, ['dirty_changed: the uncommitted changes are different']],
    [
      { policy: { ...RECEIPT.policy, sha256: 'q' } },
      ['policy_changed: the policy was repo and is a different one now'],
    ],
    [
      { policy: { ...RECEIPT.policy, name: 'own' } },
      ['policy_changed: the policy was repo and is a different one now'],
    ],
    [{ policy: { ...RECEIPT.policy, asked: 'x' } }, []],
    [{ control_plane: { 'AGENTS.md': 'a' } }, ['hash_moved: README.md changed']],
    [
      { control_plane: { ...RECEIPT.control_plane, 'AGENTS.md': 'z', 'B.md': 'b' } },
      ['hash_moved: AGENTS.md changed', 'hash_moved: B.md changed'],
    ],
  ])('L20 %j is told with its reason', (change, said) => expect(reasons(change)).toEqual(said));

  it('L20 tells every reason at once', () =>
    expect(
      reasons({ head: null, dirty_sha256: 'd' }, { later: 24 * 60 * MINUTE }).map((said) => said.split(':')[0]),
    ).toEqual(['too_old', 'other_head', 'dirty_changed']));

  it('L20 survives writing and reading on one line, keys in order', () => {
    const line = receiptLine(RECEIPT);
    expect(line).not.toContain('\n');
    expect(Object.keys(JSON.parse(line))).toEqual([...Object.keys(RECEIPT)].sort());
    expect(parseReceipt(JSON.parse(line))).toEqual(RECEIPT);
    const bare = { ...RECEIPT, head: null, dirty_sha256: 'd', policy: { ...RECEIPT.policy, asked: 'mine' } };
    expect(parseReceipt(bare)).toEqual(bare);
  });

  it.each<[string, unknown]>([
    ['no record', null],
    ['another version', { ...RECEIPT, version: 2 }],
    ['no policy', { ...RECEIPT, policy: 'repo' }],
    ['no control plane', { ...RECEIPT, control_plane: [] }],
    ['a time that is none', { ...RECEIPT, time: 'today' }],
    ['a time that is not text', { ...RECEIPT, time: 7 }],
    ['an unknown event', { ...RECEIPT, event: 'lunch' }],
    ['a hash that is not text', { ...RECEIPT, bundle_sha256: 1 }],
    ['a head that is not text', { ...RECEIPT, head: 1 }],
    ['changes that are not text', { ...RECEIPT, dirty_sha256: 1 }],
    ['a policy asked for by number', { ...RECEIPT, policy: { ...RECEIPT.policy, asked: 1 } }],
    ['a policy without a name', { ...RECEIPT, policy: { ...RECEIPT.policy, name: null } }],
    ['a policy without a hash', { ...RECEIPT, policy: { ...RECEIPT.policy, sha256: null } }],
    ['a file with a number for a hash', { ...RECEIPT, control_plane: { a: 1 } }],
  ])('L20 %s is no receipt', (_, record) => expect(parseReceipt(record)).toBeNull());

  it.each([
    ['30s', 30_000],
    ['45m', 45 * MINUTE],
    [' 2h ', 120 * MINUTE],
    ['1d', 24 * 60 * MINUTE],
    ['1w', null],
    ['', null],
    ['45', null],
    ['m', null],
    ['1.5h', null],
    ['m45', null],
    ['-1m', null],
    ['45mm', null],
    ['1234567s', null],
  ])('L20 the age %j is %s ms', (text, ms) => expect(parseAge(text)).toBe(ms));
});
