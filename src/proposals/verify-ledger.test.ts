import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import {
  type DecisionRecord,
  EMPTY_HEAD,
  headAfter,
  type LedgerHead,
  ledgerLine,
  parseEntry,
  type Signer,
} from './ledger.ts';
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
  written_sha256: 'x',
  edited: false,
  already_present: false,
  level: 'ask',
};
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
  ownerOf: (fingerprint) => (fingerprint === 'me' ? 'yours' : 'foreign'),
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
      'entry 2: the signature does not fit; the entry was changed',
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
    expect(told([one, two, canonicalJson(unsigned)]).problems[0]).toBe('entry 3: it is not signed');
    const again = told([...lines, two]);
    expect(again.entries.at(-1)?.verdict).toBe('broken');
    expect(again.problems).toEqual(['entry 2: it stands here a second time, or in the wrong order']);
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
});

describe('canonical JSON', () => {
  it('M26 is one text for one value, in whatever order its keys came', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalJson({ b: 1, a: [{ d: undefined, c: null }], '\u{10000}': 2, '\uffff': 3 })).toBe(
      '{"a":[{"c":null}],"b":1,"\u{10000}":2,"\uffff":3}',
    );
  });
});
