import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountBlock } from './account-block.ts';
import { accountsOf, blocksRecord, fingerprintOf } from './accounting.ts';
import type { LedgerEntry } from './ledger.ts';
import { fileBlocks, planTidy, withoutLines } from './tidy.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function entry(seq: number, decision: LedgerEntry['decision'], text: string, more: Partial<LedgerEntry> = {}) {
  const record = {
    decision,
    at: `2026-01-01T00:00:${String(seq).padStart(2, '0')}Z`,
    who: 'me',
    via: 'review',
    client: 'test',
    proposal_id: `p_${seq}`,
    session_id: 's',
    image_id: 'w',
    file: 'notes.md',
    category: null,
    reason: null,
    content_sha256: sha256(text),
    written_sha256: sha256(text),
    edited: false,
    already_present: false,
    level: 'ask',
    seq,
    prev: '',
    machine: 'm',
    key: 'k',
    public_key: '',
    sig: '',
    ...blocksRecord(text, sha256),
    ...more,
  } as LedgerEntry;
  return { entry: record, owner: 'you' as const };
}

function unaccounted(text: string, accounts: ReturnType<typeof accountsOf>): string[] {
  return fileBlocks(text).flatMap((block) =>
    accountBlock(block, accounts, sha256)
      .parts.filter((part) => part.origin === null)
      .map((part) => block.lines.slice(part.from, part.to).join('\n')),
  );
}

const word = fc.stringMatching(/^[a-zé日]{1,6}$/);
const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const block = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
const blocks = fc.uniqueArray(block, { minLength: 1, maxLength: 6, selector: (text) => fingerprintOf(text, sha256) });

describe('accounting', () => {
  it('M32 moving, re-ordering or re-wrapping blocks makes none of them new', () => {
    fc.assert(
      fc.property(blocks, fc.infiniteStream(fc.integer({ min: 0, max: 3 })), (texts, chance) => {
        const accounts = accountsOf([texts.map((text, index) => entry(index + 1, 'accept', text))]);
        const rewrapped = texts.map((text) =>
          text
            .split(/\s+/)
            .reduce((all, next) => all + ['\n', ' ', '  ', '\t'][chance.next().value] + next)
            .trim(),
        );
        const shuffled = [...rewrapped].sort(() => chance.next().value - 1.5);
        expect(unaccounted(shuffled.join('\n\n'), accounts)).toEqual([]);
      }),
    );
  });

  it('M32 what no decision stands behind is found, also right below or above a known block', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'one line'), entry(2, 'accept', 'two\nlines')]]);
    expect(unaccounted('one line\nevil\n', accounts)).toEqual(['evil']);
    expect(unaccounted('evil\ntwo\nlines\n', accounts)).toEqual(['evil']);
    expect(unaccounted('two\nevil\nlines', accounts)).toEqual(['two\nevil\nlines']);
    expect(unaccounted('evil\n\none line\n\nmore\nevil', accounts)).toEqual(['evil', 'more\nevil']);
  });

  it('M32 the last word on a block holds: taken out, it is unaccounted when it comes back', () => {
    const out = [entry(1, 'accept', 'x'), entry(2, 'remove', 'x')];
    expect(unaccounted('x', accountsOf([out]))).toEqual(['x']);
    expect(unaccounted('x', accountsOf([[...out, entry(3, 'adopt', 'x')]]))).toEqual([]);
    // In another chain, later.
    expect(unaccounted('x', accountsOf([[entry(1, 'accept', 'x')], [entry(5, 'remove', 'x')]]))).toEqual(['x']);
    expect(unaccounted('x', accountsOf([[entry(6, 'accept', 'x')], [entry(5, 'remove', 'x')]]))).toEqual([]);
  });

  it('M26 an old entry without fingerprints still stands behind its one block', () => {
    const { blocks: _, ...old } = entry(1, 'accept', 'an old\nnote').entry;
    const accounts = accountsOf([[{ entry: old as LedgerEntry, owner: 'you' }]]);
    expect(unaccounted('an old\nnote\n\nother', accounts)).toEqual(['other']);
  });

  it('M33 blocks that a merge fused, doubled or mixed are known; the tidy sets each apart and once', () => {
    const a = [entry(1, 'accept', 'a1\ncommon\na2'), entry(2, 'accept', 'same'), entry(3, 'accept', 'x')];
    const b = [entry(1, 'accept', 'b1\ncommon\nb2'), entry(2, 'accept', 'same'), entry(3, 'accept', 'y')];
    const accounts = accountsOf([a, b]);
    const merged = 'a1\nb1\ncommon\na2\nb2\n\nsame\nx\ny\n\nsame\n';
    expect(unaccounted(merged, accounts)).toEqual([]);
    const plan = planTidy(merged, accounts, sha256);
    expect(plan?.text).toBe('a1\ncommon\na2\n\nb1\ncommon\nb2\n\nsame\n\nx\n\ny\n');
    expect(planTidy(plan?.text ?? '', accounts, sha256)).toBeNull();
  });

  it('M33 the tidy brings back a block whose only line stood in another one too', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'a\ncommon')], [entry(1, 'accept', 'common')]]);
    expect(planTidy('# head\n\na\ncommon\n', accounts, sha256)?.text).toBe('# head\n\na\ncommon\n\ncommon\n');
  });

  it('M33 the tidy drops a line that a merge tore off a block which stands whole', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'no red\n- b')], [entry(1, 'accept', '- b\ncommon')]]);
    const plan = planTidy('- b\nno red\n- b\n\n- b\ncommon\n', accounts, sha256);
    expect(plan?.text).toBe('no red\n- b\n\n- b\ncommon\n');
    expect(planTidy(plan?.text ?? '', accounts, sha256)).toBeNull();
  });

  it('M33 the tidy leaves unknown text and the form of the file alone', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'x'), entry(2, 'accept', 'y')]]);
    const plan = planTidy('\r\n  mine  \r\n\r\n\r\nx\r\ny\r\n\r\nx\r\n\r\nlast', accounts, sha256);
    expect(plan?.text).toBe('\r\n  mine  \r\n\r\n\r\nx\r\n\r\ny\r\n\r\nlast');
  });

  it('M32 lines taken out take their blank lines along and nothing else', () => {
    expect(withoutLines('a\n\nb\nc\n\nd\n', [{ firstLine: 3, count: 2 }])).toBe('a\n\nd\n');
    expect(withoutLines('a\n\nb\n', [{ firstLine: 3, count: 1 }])).toBe('a\n');
    expect(withoutLines('a\nevil\n\nb\n', [{ firstLine: 2, count: 1 }])).toBe('a\n\nb\n');
    expect(withoutLines('evil\n\nb', [{ firstLine: 1, count: 1 }])).toBe('b');
    expect(withoutLines('evil', [{ firstLine: 1, count: 1 }])).toBe('');
  });
});
