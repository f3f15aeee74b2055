import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256, signedEntry } from '../../../test/signed-entry.ts';
import { canonicalLine } from '../../canonical-json.ts';
import { fingerprintOf } from '../accounting/fingerprints.ts';
import type { DecisionRecord, LedgerEntry } from './entry.ts';
import { hashesOf, readEntry, readTextRecord } from './entry-texts.ts';
import { belongsTo, EMPTY_HEAD, entryFile, fileOf, headAfter, ledgerLine, parseEntry, type Signer } from './ledger.ts';

const record: DecisionRecord = {
  decision: 'replace',
  at: '2026-01-01T00:00:00Z',
  who: 'me',
  via: 'review',
  client: null,
  proposed_by: 'studio',
  proposal_id: 'p_1',
  session_id: 's',
  image_id: 'w',
  file: 'notes.md',
  category: null,
  edited: false,
  already_present: false,
  level: 'passphrase',
  reason: 'because the person said so',
  content_sha256: sha256('two\nlines'),
  blocks: [{ text: 'two\nlines' }, { print: 'f'.repeat(64) }],
  replaced: [{ text: 'what was there' }],
};
const signer: Signer = {
  fingerprint: 'f',
  publicKey: 'public f',
  level: 'passphrase',
  sign: (text) => sha256(`f ${text}`),
};
const { entry } = signedEntry(3, 'accept', 'two\nlines', { prev: 'before', replaced: ['gone'] });
const without = (key: string) => JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([k]) => k !== key)));
const written = (seed: string, place = { head: EMPTY_HEAD, machine: 'desk' }) =>
  ledgerLine(record, place, signer, { seed, sha256 });

describe('a line of the ledger', () => {
  it('M26 follows the entry before it, names machine and key, and is signed over all the rest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (length) => {
        let head = EMPTY_HEAD;
        for (let number = 1; number <= length; number += 1) {
          const { line } = written(`seed ${number}`, { head, machine: 'desk' });
          const { sig, ...rest } = parseEntry(line) as LedgerEntry;
          expect(rest).toMatchObject({
            ...{ v: 2, level: 'passphrase', seq: number, prev: head.hash, machine: 'desk', key: 'f' },
            ...{ public_key: 'public f', decision: 'replace', proposal_id: 'p_1', proposed_by: 'studio' },
          });
          expect(sig).toBe(signer.sign(canonicalLine(rest)));
          head = headAfter(line, sha256);
          // Not of the signature: entries can be drafted as a list and signed at once.
          expect(head).toEqual({ seq: number, hash: sha256(canonicalLine(rest)) });
        }
      }),
      { numRuns: 10 },
    );
    expect(EMPTY_HEAD).toEqual({ seq: 0, hash: '' });
    expect(headAfter('torn', sha256)).toEqual({ seq: 0, hash: sha256('torn') });
    const first = JSON.stringify(entry);
    expect(headAfter(first, sha256)).toEqual({ seq: 3, hash: sha256(first) });
  });

  it('M44 holds no word and no plain hash of its texts: they are beside it, each with a salt of its own', () => {
    const { line, texts } = written('seed');
    const plain = ['two\nlines', 'what was there', record.reason ?? '', 'f'.repeat(64)];
    for (const text of plain) for (const told of [text, sha256(text)]) expect(line).not.toContain(told);
    expect(new Set(texts.map((text) => JSON.parse(text).salt)).size).toBe(5);
    const lookup = new Map(texts.map((text) => readTextRecord(text, sha256) ?? ['', { print: '', text: null }]));
    const parsed = parseEntry(line) as LedgerEntry;
    expect([...lookup.keys()].sort()).toEqual(hashesOf(parsed).sort());
    expect(readEntry(parsed, lookup)).toMatchObject({
      blocks: [fingerprintOf('two\nlines', sha256), 'f'.repeat(64)],
      replaced: [fingerprintOf('what was there', sha256)],
      reason: record.reason,
      content_sha256: record.content_sha256,
    });
    // Erased: the entry stays, and stands behind nothing.
    expect(readEntry(parsed, new Map())).toMatchObject({ blocks: [], replaced: [], reason: null });
  });

  it('M26 a text that is not the one that was decided is none', () => {
    for (const text of written('seed').texts) {
      const good = JSON.parse(text);
      expect(readTextRecord(text, sha256)?.[0]).toBe(good.hash);
      const other = 'text' in good ? { text: 'another' } : { print: 'e'.repeat(64) };
      for (const change of [other, { salt: 'x' }, { hash: 'x' }])
        expect(readTextRecord(JSON.stringify({ ...good, ...change }), sha256)).toBeNull();
    }
    for (const text of ['', 'x', '[]', 'null', '{}', '{"hash":1,"salt":2}'])
      expect(readTextRecord(text, sha256)).toBeNull();
  });

  it('M46 is the same again from the same seed, and another from another', () => {
    expect(written('seed')).toEqual(written('seed'));
    expect(headAfter(written('seed').line, sha256)).not.toEqual(headAfter(written('other').line, sha256));
  });

  it('M46 is signed by a text or by an assertion, and by nothing else that nests', () => {
    const signed = (sig: unknown) => parseEntry(JSON.stringify({ ...entry, sig }));
    const assertion = { alg: 'webauthn', credential: 'c', authenticator_data: 'a', client_data: 'd', signature: 's' };
    for (const sig of ['x', assertion, { ...assertion, list: ['h'] }]) expect(signed(sig)).toMatchObject({ sig });
    for (const sig of [['x'], { ...assertion, list: 'h' }, { ...assertion, signature: { s: 's' } }, { list: [[]] }])
      expect(signed(sig)).toBeNull();
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
    const fields = Object.keys(entry).filter((key) => !['blocks', 'lines', 'replaced', 'sig'].includes(key));
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

it('M26 a taste is never taken for a file of a workspace of the same name', () => {
  for (const file of ['notes.md', 'brief.md', '_default.md']) {
    const taste = { v: 2, file: entryFile({ kind: 'taste', file }), image_id: 'manta' } as const;
    expect([belongsTo(null)(taste), belongsTo('manta')(taste), fileOf(taste)]).toEqual([true, false, file]);
    const own = { v: 2, file: entryFile({ kind: 'notes', file }), image_id: 'manta' } as const;
    expect([belongsTo(null)(own), belongsTo('manta')(own), belongsTo('other')(own)]).toEqual([false, true, false]);
  }
});
