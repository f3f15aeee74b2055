import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsOf, signedEntry as entry, sha256 } from '../../../test/support/signed-entry.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { collapsed, fileBlocks, fingerprintOf } from '../ledger/text-blocks.ts';
import { accountBlock } from './accounts.ts';

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

  it('M32 its blocks by their whole fingerprints, and of kept texts sixteen characters of the hash of each line to find them by', () => {
    fc.assert(
      fc.property(blocks, (texts) => {
        const accounts = accountsOf([[entry(1, 'accept', texts.join('\n\n'))]]);
        expect([...accounts.origins.keys()]).toEqual(texts.map((text) => sha256(collapsed(text))));
        expect([...accounts.texts]).toEqual(texts.map((text) => [sha256(collapsed(text)), text]));
        const shapes = texts.map((text) => ({
          fingerprint: sha256(collapsed(text)),
          lines: text.split('\n').map((each) => sha256(collapsed(each)).slice(0, 16)),
        }));
        const found = [...accounts.shapes.values()].flat();
        expect(found).toHaveLength(shapes.length);
        expect(found).toEqual(expect.arrayContaining(shapes));
        for (const [first, list] of accounts.shapes) for (const { lines } of list) expect(lines[0]).toBe(first);
      }),
    );
  });
});

describe('what the ledgers say together', () => {
  const x = fingerprintOf('x', sha256);
  const y = fingerprintOf('y', sha256);

  it('M26 the whole decision stands behind a block, with who signed it', () => {
    const { entry: made, said } = entry(7, 'accept', 'x', {
      edited: true,
      proposed_by: 'agent',
      machine: 'desk',
      key: 'f',
    });
    const accounts = accountsOf([[{ entry: made, said, owner: 'a key you trust', hash: 'h' }]]);
    expect([...accounts.origins]).toEqual([
      [
        x,
        {
          ...{ decision: 'accept', at: made.at, who: 'me', client: 'test', proposed_by: 'agent', proposal_id: 'p_7' },
          ...{ session_id: 's', edited: true, machine: 'desk', seq: 7, signed_by: 'a key you trust', key: 'f' },
          decision_id: 'h',
        },
      ],
    ]);
    const proposedBy = (more: Partial<LedgerEntry>) =>
      accountsOf([[entry(1, 'accept', 'x', more)]]).origins.get(x)?.proposed_by;
    expect([proposedBy({}), proposedBy({ proposed_by: null })]).toEqual(['test', null]);
  });

  it('M21 a refusal, a second look or an erasure stands behind nothing and takes nothing away', () => {
    for (const decision of ['decline', 'look_again', 'erase'] as const) {
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
    const retired = entry(2, 'retire', 'other', { subject: made.hash });
    const merged = (...more: ReturnType<typeof entry>[]) => accountsOf([[retired], [...more, made]]);
    expect([merged().origins.has(x), [...merged().ended].includes(x)]).toEqual([false, true]);
    const another = merged(entry(1, 'adopt', 'x'));
    expect([another.origins.get(x)?.seq, another.ended.has(x)]).toEqual([1, false]);
    const without = accountsOf([[entry(2, 'retire', 'other')], [made]]);
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

  it('M32 there are decisions where anybody decided anything', () => {
    expect(accountsOf([]).hasDecisions).toBe(false);
    expect(accountsOf([[], []]).hasDecisions).toBe(false);
    expect(accountsOf([[], [entry(1, 'decline', 'x')]]).hasDecisions).toBe(true);
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
