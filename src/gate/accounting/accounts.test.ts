import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsOf, blocksRecord, signedEntry as entry, sha256 } from '../../../test/signed-entry.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { entryHash, parseEntry } from '../ledger/ledger.ts';
import { accountBlock } from './account-block.ts';
import { collapsed, fingerprintOf } from './fingerprints.ts';
import { fileBlocks } from './tidy.ts';

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
});

describe('what a decision keeps of a text', () => {
  it('M32 white space is no part of what was said, all else is', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', 'é', '.', ' ', '\t', '\n', '\r\n', '\u00a0'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const words = (written: string) => written.split(/\s+/).filter((each) => each !== '');
        expect(collapsed(a)).toBe(words(a).join(' '));
        expect(fingerprintOf(a, sha256) === fingerprintOf(b, sha256)).toBe(words(a).join(' ') === words(b).join(' '));
      }),
    );
  });

  it('M32 its blocks, and sixteen characters of the hash of each line where a block has several', () => {
    fc.assert(
      fc.property(blocks, (texts) => {
        const lines = texts
          .filter((text) => text.includes('\n'))
          .map((text) => [
            fingerprintOf(text, sha256),
            text.split('\n').map((each) => sha256(collapsed(each)).slice(0, 16)),
          ]);
        expect(blocksRecord(texts.join('\n\n'))).toEqual({
          blocks: texts.map((text) => sha256(collapsed(text))),
          ...(lines.length > 0 ? { lines: Object.fromEntries(lines) } : {}),
        });
      }),
    );
    expect(blocksRecord('one\n\ntwo')).not.toHaveProperty('lines');
  });
});

describe('what the ledgers say together', () => {
  const x = fingerprintOf('x', sha256);
  const y = fingerprintOf('y', sha256);

  it('M26 the whole decision stands behind a block, with who signed it', () => {
    const { entry: made } = entry(7, 'accept', 'x', { edited: true, proposed_by: 'agent', machine: 'desk', key: 'f' });
    const accounts = accountsOf([[{ entry: made, owner: 'a key you trust' }]]);
    expect([...accounts.origins]).toEqual([
      [
        x,
        {
          ...{ decision: 'accept', at: made.at, who: 'me', client: 'test', proposed_by: 'agent', proposal_id: 'p_7' },
          ...{ session_id: 's', edited: true, machine: 'desk', seq: 7, signed_by: 'a key you trust', key: 'f' },
        },
      ],
    ]);
    const proposedBy = (more: Partial<LedgerEntry>) =>
      accountsOf([[entry(1, 'accept', 'x', more)]]).origins.get(x)?.proposed_by;
    expect([proposedBy({}), proposedBy({ proposed_by: null })]).toEqual(['test', null]);
  });

  it('M21 a refusal or a change of the level stands behind nothing and takes nothing away', () => {
    for (const decision of ['decline', 'level'] as const) {
      expect(accountsOf([[entry(1, decision, 'x')]]).origins.size).toBe(0);
      const after = accountsOf([[entry(1, 'accept', 'x'), entry(2, decision, 'y', { replaced: [x] })]]);
      expect([...after.origins.keys()]).toEqual([x]);
    }
  });

  it('M19 a replacement takes the place of the block it names', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'x'), entry(2, 'accept', 'y', { replaced: [x] })]]);
    expect([...accounts.origins.keys()]).toEqual([y]);
    // A block that replaces itself, in another form, stays.
    const same = accountsOf([[entry(1, 'accept', 'x'), entry(2, 'accept', ' x', { replaced: [x] })]]);
    expect(same.origins.get(x)?.seq).toBe(2);
  });

  it('M33 what went for good is remembered as ended until a person takes it again', () => {
    const ended = (...entries: ReturnType<typeof entry>[]) => [...accountsOf([entries]).ended];
    const kept = entry(1, 'accept', 'x');
    expect(ended(kept)).toEqual([]);
    expect(ended(kept, entry(2, 'retire', 'x'))).toEqual([x]);
    expect(ended(kept, entry(2, 'remove', 'x'))).toEqual([]);
    expect(ended(kept, entry(2, 'accept', 'y', { replaced: [x] }))).toEqual([x]);
    expect(ended(kept, entry(2, 'tidy', 'y', { replaced: [x] }))).toEqual([]);
    expect(ended(kept, entry(2, 'retire', 'x'), entry(3, 'adopt', 'x'))).toEqual([]);
  });

  it('M33 a retirement that names a decision ends it wherever its chain is merged, and no other decision on the block', () => {
    const made = entry(5, 'accept', 'x');
    const line = JSON.stringify(made.entry);
    const subject = entryHash(line, parseEntry(line), sha256);
    const retired = entry(2, 'retire', 'other', { subject });
    const merged = (...more: ReturnType<typeof entry>[]) => accountsOf([[retired], [...more, { ...made, line }]]);
    expect([merged().origins.has(x), [...merged().ended].includes(x)]).toEqual([false, true]);
    const another = merged(entry(1, 'adopt', 'x'));
    expect([another.origins.get(x)?.seq, another.ended.has(x)]).toEqual([1, false]);
    const without = accountsOf([[entry(2, 'retire', 'other')], [{ ...made, line }]]);
    expect([without.origins.has(x), without.ended.has(x)]).toEqual([true, false]);
  });

  it('M33 a tidy leaves the decision behind a block as it was, and stands behind what no other does', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'x'), entry(2, 'tidy', 'x\n\ny')]]);
    expect([accounts.origins.get(x)?.decision, accounts.origins.get(y)?.decision]).toEqual(['accept', 'tidy']);
    expect(accountsOf([[entry(1, 'accept', 'x'), entry(2, 'adopt', 'x')]]).origins.get(x)?.decision).toBe('adopt');
  });

  it('M33 a block may appear once, or at most as often as the person wrote it by hand', () => {
    const decision = fc.constantFrom<LedgerEntry['decision']>('accept', 'adopt', 'tidy');
    fc.assert(
      fc.property(fc.array(fc.tuple(decision, fc.integer({ min: 1, max: 4 })), { maxLength: 5 }), (times) => {
        const accounts = accountsOf([
          times.map(([made, count], at) => entry(at + 1, made, Array(count).fill('x').join('\n\n'))),
        ]);
        const byHand = times.filter(([made]) => made !== 'accept').map(([, count]) => count);
        expect(accounts.allowed(x)).toBe(Math.max(1, ...byHand));
        expect(accounts.allowed(y)).toBe(1);
      }),
    );
  });

  it('M26 only an old acceptance is known by the hash of its text', () => {
    const exact = (decision: LedgerEntry['decision'], more: Partial<LedgerEntry>) =>
      [...accountsOf([[entry(1, decision, 'x', more)]]).exact.keys()].length;
    expect(exact('accept', { blocks: undefined as never })).toBe(1);
    expect(exact('accept', {})).toBe(0);
    expect(exact('accept', { blocks: undefined as never, written_sha256: null })).toBe(0);
    expect(exact('adopt', { blocks: undefined as never })).toBe(0);
  });

  it('M12 what is no list of texts in an entry stands behind nothing', () => {
    for (const blocks of ['x', 5, null, { x: 1 }, [5, null]] as never[])
      expect(accountsOf([[entry(1, 'adopt', 'x', { blocks })]]).origins.size).toBe(0);
    const mixed = accountsOf([[entry(1, 'adopt', 'x', { blocks: [5, x, null] as never })]]);
    expect([...mixed.origins.keys()]).toEqual([x]);
  });

  it('M32 there are decisions where anybody decided anything', () => {
    expect(accountsOf([]).hasDecisions).toBe(false);
    expect(accountsOf([[], []]).hasDecisions).toBe(false);
    expect(accountsOf([[], [entry(1, 'decline', 'x')]]).hasDecisions).toBe(true);
    expect(accountsOf([], true).hasDecisions).toBe(true);
  });

  it('M33 chains of several machines merge by time, each in its own order, also where its clock went backwards', () => {
    const step = fc.record({
      at: fc.nat(4),
      decision: fc.constantFrom<LedgerEntry['decision']>('adopt', 'remove'),
      text: fc.constantFrom('x', 'y'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 4 }), (machines) => {
        const steps = machines.flatMap((list, machine) =>
          list.map((made, at) => ({
            ...made,
            // Never before what its own chain says already.
            latest: Math.max(...list.slice(0, at + 1).map((earlier) => earlier.at)),
            machine: `m${machine}`,
            seq: at + 1,
          })),
        );
        const standing = new Map<string, string>();
        for (const time of [0, 1, 2, 3, 4])
          for (const { text, decision, machine, seq } of steps.filter(({ latest }) => latest === time)) {
            if (decision === 'adopt') standing.set(text, `${machine} ${seq}`);
            else standing.delete(text);
          }
        const { origins } = accountsOf(
          machines.map((list, machine) =>
            list.map(({ at, decision, text }, index) =>
              entry(index + 1, decision, text, { at: `2026-01-0${at + 1}T00:00:00Z`, machine: `m${machine}` }),
            ),
          ),
        );
        const found = [x, y].map((each) => origins.get(each)).map((made) => made && `${made.machine} ${made.seq}`);
        expect(found).toEqual([standing.get('x'), standing.get('y')]);
      }),
      { numRuns: 500 },
    );
  });
});
