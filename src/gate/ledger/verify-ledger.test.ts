import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalLine } from '../../canonical-json.ts';
import type { DecisionRecord, LedgerHead } from './entry.ts';
import { EMPTY_HEAD, headAfter, ledgerLine as makeLine, parseEntry, type Signer } from './ledger.ts';
import { type VerifyDeps, verifyLedger } from './verify-ledger.ts';

// Numbers in place of hashes and signatures: the rules are about who fits whom.
const sha256 = (text: string) => {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0').repeat(8);
};
const signer = (name: string): Signer => ({
  fingerprint: name,
  publicKey: `public ${name}`,
  level: 'ask',
  sign: (text) => sha256(`${name} ${text}`),
});
const record: DecisionRecord = {
  decision: 'accept',
  at: '2026-01-01T00:00:00.000Z',
  who: 'ada',
  via: 'review',
  client: null,
  proposal_id: 'p_1',
  session_id: 's',
  image_id: 'manta',
  file: 'notes.md',
  category: null,
  reason: null,
  content_sha256: 'x',
  edited: false,
  already_present: false,
  level: 'ask',
};
const ledgerLine = (...[what, place, by]: [DecisionRecord, { head: LedgerHead; machine: string }, Signer]): string =>
  makeLine(what, place, by, { seed: 'seed', sha256 }).line;
function chain(length: number, by = 'me'): string[] {
  const lines: string[] = [];
  let head: LedgerHead = EMPTY_HEAD;
  for (let i = 0; i < length; i += 1) {
    lines.push(ledgerLine({ ...record, proposal_id: `p_${i}` }, { head, machine: 'desk' }, signer(by)));
    head = headAfter(lines[i] ?? '', sha256);
  }
  return lines;
}
const deps = (more: Partial<VerifyDeps> = {}): VerifyDeps => ({
  sha256,
  isSignedBy: ({ text, sig, publicKey, fingerprint }) =>
    publicKey === `public ${fingerprint}` && sig === sha256(`${fingerprint} ${text}`),
  ownerOf: ({ key }) => (key === 'me' ? 'yours' : 'foreign'),
  knownHead: null,
  belongsHere: ({ image_id }) => image_id === 'manta',
  ...more,
});
const headOf = (lines: string[]) => headAfter(lines.at(-1) ?? '', sha256);

describe('verify', () => {
  it('M26 calls a whole chain yours, at any length', () => {
    fc.assert(
      fc.property(fc.nat(20), (length) => {
        const lines = chain(length);
        const report = verifyLedger('desk', lines, deps({ knownHead: length === 0 ? null : headOf(lines) }));
        expect(report.problems).toEqual([]);
        expect(report.entries.map(({ seq, verdict }) => `${seq} ${verdict}`)).toEqual(
          lines.map((_, i) => `${i + 1} yours`),
        );
      }),
    );
  });

  it('M26 sees any change: of a byte, of an entry, of the order, of the length', () => {
    const lines = chain(6);
    const change = fc.oneof(
      fc
        .tuple(fc.nat(5), fc.nat(400), fc.constantFrom('0', 'x', '"', ' ', '}'))
        .map(([at, place, char]) =>
          lines.map((line, i) =>
            i === at ? line.slice(0, place % line.length) + char + line.slice((place % line.length) + 1) : line,
          ),
        ),
      fc.shuffledSubarray(lines),
      fc.nat(5).map((at) => [...lines.slice(0, at + 1), ...lines.slice(at)]),
    );
    fc.assert(
      fc.property(change, (changed) => {
        fc.pre(changed.join('\n') !== lines.join('\n'));
        expect(verifyLedger('desk', changed, deps({ knownHead: headOf(lines) })).problems).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('M26 tells them apart', () => {
    const lines = chain(3);
    const [one = '', two = '', three = ''] = lines;
    const told = (changed: string[], more: Partial<VerifyDeps> = {}) =>
      verifyLedger('desk', changed, deps({ knownHead: headOf(lines), ...more }));
    const changed = told([one, two.replace('"who":"ada"', '"who":"eve"'), three]);
    expect(changed.problems).toEqual([
      'entry 2: the signature does not match; the entry was changed',
      'entry 3: the chain is broken here; the entry before it was changed or replaced',
    ]);
    expect(changed.entries.map(({ verdict }) => verdict)).toEqual(['yours', 'broken', 'yours']);
    expect(told([one, three]).problems).toEqual(['entry 3: the chain is broken here; entries before it were removed']);
    expect(told([one, two]).problems).toEqual([
      'the ledger ends at entry 2, but entry 3 was written: its end is cut off',
    ]);
    expect(told(chain(3, 'eve')).problems).toContain(
      'entry 3 is not the one that was written here: the ledger was replaced',
    );
    expect(told(chain(3, 'eve')).entries.map(({ verdict }) => verdict)).toEqual(['foreign', 'foreign', 'foreign']);
    expect(told(chain(1, 'eve')).problems).toContain('entry 1: it is signed by a key you do not know (eve)');
    const { sig: _, ...unsigned } = parseEntry(three) ?? { sig: '' };
    expect(told([one, two, canonicalLine(unsigned)]).problems[0]).toBe('entry 3: it is not signed');
    const again = told([...lines, two]);
    expect(again.entries.at(-1)?.verdict).toBe('broken');
    expect(again.problems).toEqual(['entry 2: it is here a second time, or in the wrong order']);
    expect(verifyLedger('other', lines, deps()).entries.map(({ verdict }) => verdict)).toEqual([
      'broken',
      'broken',
      'broken',
    ]);
  });

  it('M26 an entry of another workspace counts only where the home saw it written', () => {
    const lines = chain(2);
    const elsewhere = { belongsHere: () => false };
    expect(verifyLedger('desk', lines, deps(elsewhere)).entries.map(({ verdict }) => verdict)).toEqual([
      'broken',
      'broken',
    ]);
    const seen = verifyLedger('desk', lines, deps({ ...elsewhere, knownHead: headAfter(lines[0] ?? '', sha256) }));
    expect(seen.entries.map(({ verdict }) => verdict)).toEqual(['yours', 'broken']);
  });

  it('M26 never throws, whatever the lines hold', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom('{"seq":1,"prev":"","sig":5}', '{"seq":1e99}', '[]', 'null'),
    );
    fc.assert(fc.property(fc.array(line), (lines) => void verifyLedger('desk', lines, deps())));
  });

  it('M26 tells each kind once, at the entry it is about', () => {
    const lines = chain(3);
    const [one = '', two = '', three = ''] = lines;
    const following = (line: string, seq: number) =>
      ledgerLine(
        { ...record, who: 'eve' },
        { head: { ...headAfter(line, sha256), seq: seq - 1 }, machine: 'desk' },
        signer('me'),
      );
    const { sig: _, ...unsigned } = parseEntry(two) ?? { sig: '' };
    const changed = (line: string) => line.replace('"who":"ada"', '"who":"eve"');
    const told = (list: string[], more: Partial<VerifyDeps> = {}) => {
      const { findings, entries, problems } = verifyLedger('desk', list, deps({ knownHead: headOf(lines), ...more }));
      expect(problems).toEqual(findings.map(({ message }) => message));
      return [findings.map(({ kind, entry }) => `${kind} ${entry}`), entries.map(({ verdict }) => verdict).join(' ')];
    };
    expect(told([one, changed(two), three])).toEqual([['entry_changed 2', 'entry_changed 3'], 'yours broken yours']);
    expect(told([one, two, changed(three)])).toEqual([['entry_changed 3'], 'yours yours broken']);
    expect(told([one, changed(two)])).toEqual([['entry_changed 2', 'tail_cut null'], 'yours broken']);
    expect(told([one, three])).toEqual([['entry_removed 3'], 'yours yours']);
    expect(told([one, two])).toEqual([['tail_cut null'], 'yours yours']);
    expect(told([])).toEqual([['tail_cut null'], '']);
    expect(told([one, 'junk', three])).toEqual([['not_an_entry 2', 'entry_removed 3'], 'yours broken yours']);
    expect(told([...lines, two])).toEqual([['entry_misplaced 2'], 'yours yours yours broken']);
    expect(told([...lines, canonicalLine(unsigned)])).toEqual([
      ['entry_misplaced 2', 'unsigned 2'],
      'yours yours yours unsigned',
    ]);
    // Another one in its place, signed as well: then what follows is where it was not signed to be.
    expect(told([one, following(one, 2), three])).toEqual([['entry_changed 3'], 'yours yours broken']);
    expect(told([...lines, following(three, 5)])).toEqual([['entry_misplaced 5'], 'yours yours yours broken']);
    expect(told([...lines, following(two, 4)])).toEqual([['entry_changed 4'], 'yours yours yours broken']);
    expect(told(lines, { knownHead: null, belongsHere: ({ seq }) => seq !== 2 })).toEqual([
      ['copied 2'],
      'yours broken yours',
    ]);
    expect(verifyLedger('other', [one], deps()).findings.map(({ kind }) => kind)).toEqual(['other_machine']);
    expect(told(chain(3, 'eve'))).toEqual([
      ['foreign_key 1', 'foreign_key 2', 'foreign_key 3', 'chain_replaced null'],
      'foreign foreign foreign',
    ]);
    expect(told(chain(1), { knownHead: { seq: 1, hash: 'other' } })).toEqual([['chain_replaced null'], 'yours']);
    expect(told(chain(2), { knownHead: EMPTY_HEAD })).toEqual([[], 'yours yours']);
  });

  it('M26 the number an entry should have is told, and the machine it came from', () => {
    const lines = chain(2);
    const far = ledgerLine(record, { head: { ...headOf(lines), seq: 6 }, machine: 'desk' }, signer('me'));
    expect(verifyLedger('desk', [...lines, far], deps()).problems).toEqual(['entry 7: expected number 3']);
    expect(verifyLedger('lap', lines.slice(0, 1), deps()).problems).toEqual([
      'entry 1: it belongs to the ledger of desk',
    ]);
  });

  it('M26 tells of each entry what a person asks of it', () => {
    const [line = ''] = chain(1);
    const entryOf = (text: string) => verifyLedger('desk', [text], deps()).entries[0];
    const told = {
      seq: 1,
      verdict: 'yours',
      at: record.at,
      decision: 'accept',
      file: 'notes.md',
      level: 'ask',
      key: 'me',
    };
    expect(entryOf(line)).toEqual(told);
    expect(entryOf(line.replace('"file":"notes.md"', '"file":5'))).toEqual({ ...told, verdict: 'broken', file: null });
    expect(entryOf('junk')).toEqual({
      ...{ seq: 1, verdict: 'broken', at: '', decision: '', file: null, level: '', key: '' },
    });
    for (const sig of ['""', '5', 'null', 'true'])
      expect(entryOf(line.replace(/"sig":"[^"]*"/, `"sig":${sig}`))).toEqual({ ...told, verdict: 'unsigned' });
  });

  it('M26 a key that was given up tells since when; one that counts tells nothing', () => {
    const owned = (owner: ReturnType<VerifyDeps['ownerOf']>) =>
      verifyLedger(
        'desk',
        chain(2),
        // Only of the second line.
        deps({ ownerOf: (_, index) => (index === 1 ? owner : 'yours'), untilOf: () => '2026-03-04T05:06:07.000Z' }),
      );
    expect(owned('retired').findings).toEqual([
      {
        kind: 'retired_key',
        entry: 2,
        message: 'entry 2: it is signed by the key you gave up on 2026-03-04, and was not there then',
      },
    ]);
    for (const owner of ['retired', 'yours', 'earlier', 'trusted', 'unproven'] as const)
      expect(owned(owner).entries.map(({ verdict }) => verdict)).toEqual(['yours', owner]);
    for (const owner of ['yours', 'earlier', 'trusted', 'unproven'] as const) expect(owned(owner).findings).toEqual([]);
  });

  it('M26 a chain that was rewritten from some entry on is told once, from there', () => {
    const lines = chain(5);
    const knownHashes = lines.map((line) => headAfter(line, sha256).hash);
    fc.assert(
      fc.property(fc.nat(5), fc.boolean(), (kept, isChanged) => {
        const rewritten = lines.slice(0, kept);
        let head = kept === 0 ? EMPTY_HEAD : headOf(rewritten);
        while (rewritten.length < 5) {
          rewritten.push(ledgerLine({ ...record, who: 'eve' }, { head, machine: 'desk' }, signer('me')));
          head = headOf(rewritten);
        }
        // What is not signed soundly is told as that, not as another chain.
        const list = isChanged ? lines.map((line) => line.replace('"who":"ada"', '"who":"eve"')) : rewritten;
        const replaced = verifyLedger('desk', list, deps({ knownHashes }))
          .findings.filter(({ kind }) => kind === 'chain_replaced')
          .map(({ entry }) => entry);
        expect(replaced).toEqual(isChanged || kept === 5 ? [] : [kept + 1]);
        const fewer = verifyLedger('desk', rewritten, deps({ knownHashes: knownHashes.slice(0, kept) }));
        expect(fewer.findings).toEqual([]);
      }),
    );
  });

  it('M26 a chain of the first format goes on in the second, and never back', () => {
    const first = (head: LedgerHead, by = 'me'): string => {
      const unsigned = {
        ...record,
        seq: head.seq + 1,
        prev: head.hash,
        machine: 'desk',
        key: by,
        public_key: `public ${by}`,
      };
      return canonicalLine({ ...unsigned, sig: signer(by).sign(canonicalLine(unsigned)) });
    };
    const second = (head: LedgerHead) => ledgerLine(record, { head, machine: 'desk' }, signer('me'));
    const found = (lines: string[]) => {
      const { entries, findings } = verifyLedger('desk', lines, deps());
      return [entries.map(({ verdict }) => verdict), findings.map(({ kind, entry }) => `${kind} ${entry}`)];
    };
    const lines = [first(EMPTY_HEAD)];
    lines.push(first(headOf(lines)));
    expect(found(lines)).toEqual([['yours', 'yours'], []]);
    lines.push(second(headOf(lines)));
    lines.push(second(headOf(lines)));
    expect(found(lines)).toEqual([['yours', 'yours', 'yours', 'yours'], []]);
    lines.push(first(headOf(lines)));
    expect(found(lines)).toEqual([['yours', 'yours', 'yours', 'yours', 'broken'], ['entry_misplaced 5']]);
    // A line that is not signed right upgrades nothing.
    const unsigned = [second(EMPTY_HEAD).replace('ada', 'eve')];
    unsigned.push(first(headOf(unsigned)));
    expect(found(unsigned)[0]).toEqual(['broken', 'yours']);
  });
});
