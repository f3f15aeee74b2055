import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { sha256 } from '../../../test/support/signed-entry.ts';
import { canonicalLine } from '../../json.ts';
import { type ChainText, checkChain, type IsSigned } from './chain.ts';
import type { ConfirmLevel, DecisionKind, DecisionRecord, LedgerEntry, PasskeySignature, Signature } from './entry.ts';
import { draftEntry, EMPTY_HEAD, parseEntry, signedLine, signedText } from './ledger.ts';

// Hashes in place of signatures: the rules are about who vouches for whom.
const sign = (key: string, text: string) => sha256(`${key} ${text}`);
const isSigned: IsSigned = (entry) => {
  const { sig, public_key } = entry;
  if (typeof sig === 'string') return sig === sign(public_key, signedText(entry));
  const list = sig.list ?? [sha256(signedText(entry))];
  const right = canonicalLine(assertion(public_key, list));
  return list.includes(sha256(signedText(entry))) && canonicalLine(sig) === right;
};
const assertion = (key: string, list: string[]): PasskeySignature => ({
  ...{ alg: 'webauthn', credential: 'c', authenticator_data: 'a', client_data: 'd' },
  signature: sign(key, canonicalLine(list)),
  ...(list.length > 1 && { list }),
});

interface Step {
  decision: DecisionKind;
  key: string;
  level: ConfirmLevel;
  /** In place of the right one. */
  sig?: Signature | null;
  /** As many entries, under one assertion. */
  listed?: number;
  who?: string;
}
const step = (more: Partial<Step> = {}): Step => ({ decision: 'accept', key: 'me', level: 'ask', ...more });
const record = ({ decision, level, who = 'ada' }: Step): DecisionRecord => ({
  ...{ decision, level, who, at: '2026-01-01T00:00:00.000Z', via: 'review', client: null, proposal_id: 'p_1' },
  ...{ session_id: 's', image_id: 'manta', file: 'notes.md', category: null, edited: false, already_present: false },
  ...{ reason: null, content_sha256: null, blocks: [{ text: 'a note' }] },
});

/** The lines of a chain that honest programs wrote, but for signatures that a step gives itself. */
function written(steps: readonly Step[], machine = 'desk', start = EMPTY_HEAD): string[] {
  const lines: string[] = [];
  let head = start;
  for (const each of steps) {
    const { key, level, listed = 1 } = each;
    const drafts: ReturnType<typeof draftEntry>[] = [];
    let at = head;
    for (let count = 0; count < listed; count += 1) {
      const place = { ledger: 'workspace manta', machine, head: at };
      const draft = draftEntry(
        record(each),
        { ...place, key: { fingerprint: `print ${key}`, publicKey: key, level } },
        { seed: `${machine} ${at.seq} ${each.who}`, sha256 },
      );
      drafts.push(draft);
      at = { seq: at.seq + 1, hash: draft.hash };
    }
    const hashes = drafts.map(({ hash }) => hash);
    for (const draft of drafts) {
      const own = listed > 1 ? assertion(key, hashes) : sign(key, draft.text);
      const given = each.sig === undefined ? own : (each.sig as Signature);
      lines.push(signedLine(draft, { fingerprint: `print ${key}`, publicKey: key, level, sign: () => given }).line);
    }
    head = { seq: at.seq, hash: sha256(lines.at(-1) ?? '') };
  }
  return lines;
}
const text = (lines: readonly string[], more: Partial<ChainText> = {}): ChainText => ({
  ...{ name: 'desk', lines, torn: false, unreadable: null },
  ...more,
});
const check = (lines: readonly string[], more: Partial<ChainText> = {}) =>
  checkChain(text(lines, more), { sha256, isSigned });
/** How many lines count, and why no more. */
const told = (lines: readonly string[], more: Partial<ChainText> = {}) => {
  const { entries, broken } = check(lines, more);
  return [entries.length, broken && `${broken.kind} ${broken.entry}`];
};
const changedIn = (line: string, more: object) => canonicalLine({ ...JSON.parse(line), ...more });

const ORDINARY = [
  ...(['accept', 'decline', 'replace', 'retire', 'edit', 'adopt'] as const),
  ...(['remove', 'tidy', 'undo', 'restore', 'erase', 'look_again'] as const),
];
const ALONE = [
  ...(['approve', 'key', 'level', 'trust', 'untrust'] as const),
  ...(['allow', 'revoke', 'workspace', 'settle', 'checkpoint'] as const),
];
const LEVELS = ['ask', 'passphrase', 'passkey'] as const;
const anyStep: fc.Arbitrary<Step> = fc.record({
  decision: fc.constantFrom<DecisionKind>(...ORDINARY, ...ALONE),
  key: fc.constantFrom('me', 'me', 'eve'),
  level: fc.constantFrom(...LEVELS),
  listed: fc.constantFrom(1, 1, 1, 2, 3),
});
const anyChain = fc.array(anyStep, { minLength: 1, maxLength: 7 }).map((steps) => written(steps));

describe('a chain', () => {
  it('M50 counts to its end where every line is where it was signed to be, whatever kinds, keys, levels and lists it holds', () => {
    fc.assert(
      fc.property(anyChain, (lines) => {
        expect(check(lines)).toEqual({
          name: 'desk',
          entries: lines.map((line) => ({ entry: parseEntry(line), line, hash: sha256(line) })),
          head: { seq: lines.length, hash: sha256(lines.at(-1) ?? '') },
          broken: null,
          lines: lines.length,
        });
      }),
      { numRuns: effort(300, 50) },
    );
    expect(check([])).toEqual({ name: 'desk', entries: [], head: EMPTY_HEAD, broken: null, lines: 0 });
  });

  // A chain that is only shorter is whole: that an end was cut off is told by the marks of the home.
  it('M50 M26 after any change of a character or a line only a part of its beginning counts, and why is told', () => {
    const place = fc.nat(10_000);
    const edit = fc.oneof(
      fc.record({ how: fc.constantFrom('char', 'more', 'less'), at: place, with: fc.constantFrom(...'0x"}{[,:e9') }),
      fc.record({ how: fc.constantFrom('drop', 'double', 'swap', 'junk', 'other', 'forged'), at: place, with: place }),
    );
    fc.assert(
      fc.property(anyChain, edit, (lines, change) => {
        const changed = edited(lines, change);
        const result = check(changed);
        const same = changed.findIndex((line, index) => line !== lines[index]);
        const kept = same === -1 ? changed.length : same;
        expect(result.entries.map(({ line }) => line)).toEqual(lines.slice(0, result.entries.length));
        expect(result.entries.length).toBeLessThanOrEqual(kept);
        expect(result.broken === null).toBe(kept === changed.length);
        if (result.broken === null) expect(result.entries.length).toBe(kept);
        expect(result.lines).toBe(changed.length);
        const last = result.entries.at(-1);
        expect(result.head).toEqual(last ? { seq: last.entry.seq, hash: last.hash } : EMPTY_HEAD);
      }),
      { numRuns: effort(3000, 300) },
    );
  });

  it('M50 a line counts only in the very bytes that were written: not with blanks, other escapes or a field twice', () => {
    const lines = written([step(), step({ listed: 2, level: 'passkey' })]);
    for (const at of [0, 1, 2])
      for (const change of [
        (line: string) => line.replace(',"', ', "'),
        (line: string) => `${line} `,
        (line: string) => `${line}\r`,
        (line: string) => line.replace('"ada"', '"\\u0061da"'),
        (line: string) => line.replace('"seq":', '"seq":9,"seq":'),
        (line: string) => line.replace('"who":"ada"', '"who":"eve","who":"ada"'),
        (line: string) => `${line.slice(0, -1)},"__proto__":null}`,
        (line: string) => line.replace(/"seq":(\d)/, '"seq":$1.0'),
      ]) {
        const changed = lines.map((line, index) => (index === at ? change(line) : line));
        expect([change.toString(), changed[at] === lines[at], check(changed).entries.length <= at]).toEqual([
          change.toString(),
          false,
          true,
        ]);
      }
  });

  it('M26 tells what is wrong at the entry it is about, once', () => {
    const lines = written([step(), step(), step()]);
    const [one = '', two = '', three = ''] = lines;
    const { sig: _, ...unsigned } = JSON.parse(three);
    const following = (line: string, seq: number) =>
      written([step({ who: 'eve' })], 'desk', { seq: seq - 1, hash: sha256(line) })[0] ?? '';
    expect(told(lines)).toEqual([3, null]);
    expect(told([one, changedIn(two, { who: 'eve' }), three])).toEqual([1, 'entry_changed 2']);
    expect(told([one, two, changedIn(three, { who: 'eve' })])).toEqual([2, 'entry_changed 3']);
    expect(told([one, three])).toEqual([1, 'entry_removed 3']);
    expect(told([two, three])).toEqual([0, 'entry_removed 2']);
    expect(told([one, 'junk', three])).toEqual([1, 'not_an_entry 2']);
    expect(told(['', one])).toEqual([0, 'not_an_entry 1']);
    expect(told([...lines, two])).toEqual([3, 'entry_misplaced 2']);
    expect(told([two, one])).toEqual([0, 'entry_removed 2']);
    expect(told([one, two, canonicalLine(unsigned)])).toEqual([2, 'unsigned 3']);
    for (const sig of ['', null, false]) expect(told([one, two, changedIn(three, { sig })])).toEqual([2, 'unsigned 3']);
    for (const sig of ['x', 5, true])
      expect(told([one, two, changedIn(three, { sig })])).toEqual([2, 'entry_changed 3']);
    // Signed or not, where it names another line before it.
    for (const sig of [undefined, null, 5, 'x', {}])
      expect(told([one, changedIn(two, { prev: sha256('another'), sig })])).toEqual([1, 'entry_changed 2']);
    // Another one in its place, signed as well: then what follows is where it was not signed to be.
    expect(told([one, following(one, 2), three])).toEqual([2, 'entry_changed 3']);
    expect(told([...lines, following(three, 5)])).toEqual([3, 'entry_removed 5']);
    expect(told([...lines, following(two, 4)])).toEqual([3, 'entry_changed 4']);
    expect(told([...lines, following(three, 4)])).toEqual([4, null]);
    expect(told(lines, { name: 'lap' })).toEqual([0, 'other_chain 1']);
    expect(check(lines, { name: 'lap' }).broken?.problem).toBe('it belongs to the chain desk');
    expect(check([one, three]).broken?.problem).toBe('the chain is broken here; entries before it were removed');
  });

  it('M50 lines of the formats that were never published are told as that, and count for nothing', () => {
    const [one = '', two = ''] = written([step(), step()]);
    for (const v of [undefined, 1, 2, '3', null]) {
      expect(told([changedIn(one, { v }), two])).toEqual([0, 'earlier_format 1']);
      expect(told([one, changedIn(two, { v })])).toEqual([1, 'earlier_format 2']);
    }
    expect(told([changedIn(one, { v: 2, public_key: undefined })])).toEqual([0, 'not_an_entry 1']);
  });

  it('M26 a torn last line takes nothing away, a file that cannot be read everything', () => {
    const lines = written([step(), step()]);
    expect(told(lines, { torn: true })).toEqual([2, 'torn null']);
    expect(told(lines.slice(0, 1), { torn: true })).toEqual([1, 'torn null']);
    expect(told([], { torn: true })).toEqual([0, 'torn null']);
    expect(told([...lines, 'junk'], { torn: true })).toEqual([2, 'not_an_entry 3']);
    expect(told(lines, { unreadable: 'it is a directory' })).toEqual([0, 'unreadable null']);
    expect(check([], { unreadable: 'it is a directory' }).broken?.problem).toBe("it can't be read: it is a directory");
  });

  it('M12 never throws, whatever the lines hold', () => {
    const [good = ''] = written([step()]);
    const field = fc.constantFrom(...Object.keys(JSON.parse(good)));
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom('{"v":3,"seq":1,"prev":"","sig":5,"machine":"desk"}', '{"v":3,"seq":1e99}', '[]', 'null'),
      fc.tuple(field, fc.jsonValue()).map(([key, value]) => changedIn(good, { [key]: value })),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void check(lines)));
  });
});

describe('the signature at the end of a run', () => {
  const junk = (more: Partial<Step> = {}) => step({ sig: 'junk', ...more });

  it.each(ORDINARY)('M50 vouches for an earlier entry of the same key and level: %s', (decision) => {
    expect(told(written([junk({ decision }), junk({ decision }), step()]))).toEqual([3, null]);
    expect(told(written([junk({ decision }), junk({ decision, sig: null }), step()]))).toEqual([3, null]);
  });

  it('M50 vouches for no other key and no other level, also where the first one comes back', () => {
    for (const other of [{ key: 'eve' }, { level: 'passphrase' as const }]) {
      expect(told(written([step(), junk(), step(other)]))).toEqual([1, 'entry_changed 2']);
      expect(told(written([step(), junk(other), step()]))).toEqual([1, 'entry_changed 2']);
      expect(told(written([step(), junk(), step(other), step()]))).toEqual([1, 'entry_changed 2']);
      expect(told(written([junk(), step(), junk(other), step(other), step()]))).toEqual([5, null]);
    }
  });

  it('M50 is nothing where it is wrong itself: then each entry is asked for its own', () => {
    expect(told(written([step(), step(), junk()]))).toEqual([2, 'entry_changed 3']);
    expect(told(written([step(), junk(), junk()]))).toEqual([1, 'entry_changed 2']);
    expect(told(written([step(), junk({ sig: null }), junk()]))).toEqual([1, 'unsigned 2']);
    expect(told(written([junk()]))).toEqual([0, 'entry_changed 1']);
  });

  it.each(ALONE)('M50 M46 raises nothing on its own: what a program may do is signed alone (%s)', (decision) => {
    expect(told(written([step(), step({ decision }), step()]))).toEqual([3, null]);
    for (const sig of ['junk', null, ''])
      expect(told(written([step(), step({ decision, sig }), step(), step({ decision })]))).toEqual([
        1,
        `${sig ? 'entry_changed' : 'unsigned'} 2`,
      ]);
  });

  it('M50 says of any chain what a reader says who looks for the end of each run by itself', () => {
    const maybeJunk = fc
      .tuple(anyStep, fc.boolean())
      .map(([each, isJunk]): Step => ({ ...each, listed: 1, ...(isJunk && { sig: 'junk' }) }));
    fc.assert(
      fc.property(fc.array(maybeJunk, { maxLength: 8 }), (steps) => {
        const isVouched = ({ decision, sig, key, level }: Step, index: number): boolean => {
          if (sig === undefined) return true;
          if (!(ORDINARY as readonly DecisionKind[]).includes(decision)) return false;
          const next = steps.slice(index + 1);
          const others = next.findIndex((each) => each.key !== key || each.level !== level);
          const end = (others === -1 ? next : next.slice(0, others)).at(-1);
          return end !== undefined && end.sig === undefined;
        };
        const bad = steps.findIndex((each, index) => !isVouched(each, index));
        expect(told(written(steps))).toEqual(bad === -1 ? [steps.length, null] : [bad, `entry_changed ${bad + 1}`]);
      }),
      { numRuns: effort(1000, 200) },
    );
  });

  it('M50 M14 is the only one that is checked of a thousand ordinary entries', () => {
    let asked = 0;
    const lines = written(Array.from({ length: 1_000 }, () => step()));
    const counting: IsSigned = (entry) => {
      asked += 1;
      return isSigned(entry);
    };
    expect(checkChain(text(lines), { sha256, isSigned: counting }).entries).toHaveLength(1_000);
    expect(asked).toBe(1);
  });
});

describe('a list under one assertion', () => {
  const passkey = { level: 'passkey', key: 'me' } as const;
  const lines = written([step(passkey), step({ ...passkey, listed: 3 }), step(passkey)]);

  it('M46 is linked by text within, and the entry after it by the whole line', () => {
    expect(told(lines)).toEqual([5, null]);
    const [, first, second, , after] = lines.map((line) => parseEntry(line) as LedgerEntry);
    expect(second?.prev).toBe(sha256(signedText(first as LedgerEntry)));
    expect(after?.prev).toBe(sha256(lines[3] ?? ''));
    // By its text alone, what came after the list would not cover how it was signed.
    const last = parseEntry(lines[3] ?? '') as LedgerEntry;
    const [byText = ''] = written([step(passkey)], 'desk', { seq: 4, hash: sha256(signedText(last)) });
    expect(told([...lines.slice(0, 4), byText])).toEqual([4, 'entry_changed 5']);
    const [byLine = ''] = written([step(passkey)], 'desk', { seq: 4, hash: sha256(lines[3] ?? '') });
    expect(told([...lines.slice(0, 4), byLine])).toEqual([5, null]);
  });

  it('M46 holds together by that very assertion: another one, or the same without a list, links nothing by text', () => {
    const [before = '', first = '', second = ''] = lines;
    const sig = parseEntry(first)?.sig as PasskeySignature;
    for (const more of [{ signature: 'other' }, { credential: 'other' }, { list: [...(sig.list ?? []), 'more'] }])
      expect(told([before, first, changedIn(second, { sig: { ...sig, ...more } })])).toEqual([2, 'entry_changed 3']);
    const { list: _, ...alone } = sig;
    const both = [first, second].map((line) => changedIn(line, { sig: alone }));
    expect(told([before, ...both])[0]).toBe(1);
    const texts = [first, second].map((line) => changedIn(line, { sig: 'junk' }));
    expect(told([before, ...texts])[0]).toBe(1);
  });

  it('M46 may end early and lose nothing before, and no entry that it does not name fits into it', () => {
    for (const length of [2, 3, 4]) expect(told(lines.slice(0, length))).toEqual([length, null]);
    const [before = '', first = '', second = ''] = lines;
    const { sig } = parseEntry(first) as LedgerEntry;
    const forged = changedIn(second, { who: 'eve', sig });
    expect(told([before, first, forged])).toEqual([2, 'entry_changed 3']);
    // Also where a listed one comes after it: its link is to the text that was listed.
    expect(told([before, first, forged, lines[3] ?? ''])[0]).toBe(2);
  });

  it('M50 M46 what raises something in a list is signed alone too', () => {
    const list = written([step({ ...passkey, decision: 'allow', listed: 2 }), step(passkey)]);
    expect(told(list)).toEqual([3, null]);
    const [first = '', second = ''] = list;
    const sig = { ...(parseEntry(first)?.sig as PasskeySignature), signature: 'junk' };
    const junk = [first, second].map((line) => changedIn(line, { sig }));
    const after = written([step(passkey)], 'desk', { seq: 2, hash: sha256(junk[1] ?? '') });
    expect(told([...junk, ...after])).toEqual([0, 'entry_changed 1']);
  });
});

interface Edit {
  how: string;
  at: number;
  with: string | number;
}

function edited(lines: readonly string[], { how, at, with: by }: Edit): string[] {
  const index = at % lines.length;
  const line = lines[index] ?? '';
  const char = Math.floor(at / lines.length) % line.length;
  const list = [...lines];
  const other = Number(by) % lines.length;
  const changes: Record<string, () => void> = {
    char: () => list.splice(index, 1, line.slice(0, char) + by + line.slice(char + 1)),
    more: () => list.splice(index, 1, line.slice(0, char) + by + line.slice(char)),
    less: () => list.splice(index, 1, line.slice(0, char) + line.slice(char + 1)),
    drop: () => list.splice(index, 1),
    double: () => list.splice(other, 0, line),
    swap: () => list.splice(index, 1, ...list.splice(other, 1, line)),
    junk: () => list.splice(index, 0, '{}'),
    // Of another chain of the same person, and one that only claims to be of this one.
    other: () => list.splice(index, 0, written([step()], 'lap')[0] ?? ''),
    forged: () => {
      const head = index === 0 ? EMPTY_HEAD : { seq: index, hash: sha256(lines[index - 1] ?? '') };
      list.splice(index, 0, ...written([step({ who: 'eve', sig: 'junk' })], 'desk', head));
    },
  };
  changes[how]?.();
  return list;
}
