import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256, signedEntry } from '../../../test/signed-entry.ts';
import { canonicalLine } from '../../canonical-json.ts';
import { belongsTo, EMPTY_HEAD, headAfter, ledgerLine, parseEntry, type Signer } from './ledger.ts';

const { seq: _seq, prev: _prev, sig: _sig, ...record } = signedEntry(1, 'accept', 'one\n\ntwo\nlines').entry;
const signer: Signer = {
  fingerprint: 'f',
  publicKey: 'public f',
  level: 'passphrase',
  sign: (text) => sha256(`f ${text}`),
};
const { entry } = signedEntry(3, 'accept', 'two\nlines', { prev: 'before', replaced: ['gone'] });
const without = (key: string) => JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([k]) => k !== key)));

describe('a line of the ledger', () => {
  it('M26 follows the line before it, names machine and key, and is signed over all the rest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (length) => {
        let head = EMPTY_HEAD;
        for (let number = 1; number <= length; number += 1) {
          const line = ledgerLine(record, { head, machine: 'desk' }, signer);
          const { sig, ...rest } = parseEntry(line) ?? { sig: '' };
          expect(rest).toEqual({
            ...record,
            ...{ level: 'passphrase', seq: number, prev: head.hash, machine: 'desk', key: 'f', public_key: 'public f' },
          });
          expect(sig).toBe(signer.sign(canonicalLine(rest)));
          head = headAfter(line, sha256);
          expect(head).toEqual({ seq: number, hash: sha256(line) });
        }
      }),
      { numRuns: 10 },
    );
    expect(EMPTY_HEAD).toEqual({ seq: 0, hash: '' });
    expect(headAfter('torn', sha256)).toEqual({ seq: 0, hash: sha256('torn') });
  });

  it('M26 comes back as it was written', () => {
    expect(parseEntry(JSON.stringify(entry))).toEqual(entry);
    // Old entries know nothing of blocks.
    for (const key of ['blocks', 'lines', 'replaced', 'proposed_by']) expect(parseEntry(without(key))).not.toBeNull();
  });

  it('M12 is none without its place on the chain, or with anything nested that an entry has not', () => {
    const changed = (more: object) => parseEntry(JSON.stringify({ ...entry, ...more }));
    for (const seq of ['3', 1.5, null, 2 ** 53, true]) expect(changed({ seq })).toBeNull();
    for (const prev of [5, null, true]) expect(changed({ prev })).toBeNull();
    for (const key of ['seq', 'prev']) expect(parseEntry(without(key))).toBeNull();
    for (const text of [
      '',
      'x',
      'null',
      '5',
      '"x"',
      '[]',
      `[${JSON.stringify(entry)}]`,
      JSON.stringify(entry).slice(1),
    ])
      expect(parseEntry(text)).toBeNull();
    const fields = Object.keys(entry).filter((key) => !['blocks', 'lines', 'replaced'].includes(key));
    for (const key of [...fields, 'extra'])
      for (const value of [{}, [], ['x'], { x: 'y' }]) expect(changed({ [key]: value })).toBeNull();
    for (const value of [null, false, 1, 'x']) expect(changed({ extra: value })).not.toBeNull();
  });

  it('M12 has lists of texts for its blocks and their lines, and nothing else there', () => {
    const changed = (key: string, value: unknown) => parseEntry(JSON.stringify({ ...entry, [key]: value }));
    for (const key of ['blocks', 'replaced']) {
      for (const good of [[], ['x'], ['x', 'y']]) expect(changed(key, good)).toMatchObject({ [key]: good });
      for (const bad of ['x', 5, null, {}, { 0: 'x' }, [5], ['x', null], [['x']]]) expect(changed(key, bad)).toBeNull();
    }
    for (const good of [{}, { x: [] }, { x: ['y'], z: ['y', 'y'] }])
      expect(changed('lines', good)).toMatchObject({ lines: good });
    for (const bad of ['x', 5, null, [], [['x']], { x: 'y' }, { x: ['y'], z: [5] }, { x: { y: ['z'] } }])
      expect(changed('lines', bad)).toBeNull();
  });
});

it('M26 an entry belongs to the notes of its own workspace, or with all else to the tastes', () => {
  const file = fc.constantFrom('notes.md', '_default.md', '', null);
  const id = fc.constantFrom('manta', 'squid', null);
  fc.assert(
    fc.property(file, id, id, (name, of, here) => {
      const isNotes = name === 'notes.md';
      const belongs = belongsTo(here)({ file: name, image_id: of });
      expect(belongs).toBe(here === null ? !isNotes : isNotes && of === here);
    }),
  );
});
