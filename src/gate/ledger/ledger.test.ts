import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../test/support/signed-entry.ts';
import { canonicalLine } from '../../json.ts';
import type { DecisionRecord, LedgerEntry, LedgerHead } from './entry.ts';
import {
  draftEntry,
  EMPTY_HEAD,
  entryFile,
  fileOf,
  hashesOf,
  isOfEarlierFormat,
  parseEntry,
  readTextRecord,
  type Signer,
  signedLine,
  signedText,
  textsOf,
} from './ledger.ts';
import { fingerprintOf } from './text-blocks.ts';

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
const DESK = { ledger: 'workspace w', machine: 'desk', head: EMPTY_HEAD };
const written = (seed: string, place: Omit<typeof DESK, 'head'> & { head: LedgerHead; after?: string } = DESK) =>
  signedLine(draftEntry(record, { ...place, key: signer }, { seed, sha256 }), signer);
const entry = parseEntry(written('seed').line) as LedgerEntry;
const without = (key: string) => JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([k]) => k !== key)));

describe('a line of the ledger', () => {
  it('M26 M50 follows the entry before it, names ledger, chain and key, and is signed over all the rest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (length) => {
        let head: LedgerHead = EMPTY_HEAD;
        for (let number = 1; number <= length; number += 1) {
          const { line } = written(`seed ${number}`, { ...DESK, head });
          const { sig, ...rest } = parseEntry(line) as LedgerEntry;
          expect(rest).toMatchObject({
            ...{
              v: 3,
              ledger: 'workspace w',
              level: 'passphrase',
              seq: number,
              prev: head.hash,
              machine: 'desk',
              key: 'f',
            },
            ...{ public_key: 'public f', decision: 'replace', proposal_id: 'p_1', proposed_by: 'studio' },
          });
          expect(sig).toBe(signer.sign(canonicalLine(rest)));
          expect(signedText(parseEntry(line) as LedgerEntry)).toBe(canonicalLine(rest));
          expect(line).toBe(canonicalLine({ ...rest, sig }));
          // With the signature: what was signed before is covered as it stands.
          head = { seq: number, hash: sha256(line) };
        }
      }),
      { numRuns: 10 },
    );
    expect(EMPTY_HEAD).toEqual({ seq: 0, hash: '' });
  });

  it('M50 the first one of a chain that goes on after a broken one names that, and it is signed too', () => {
    const { line } = written('seed', { ...DESK, after: 'desk abc' });
    expect(parseEntry(line)).toMatchObject({ seq: 1, prev: '', after: 'desk abc' });
    expect(parseEntry(line)?.sig).not.toBe(entry.sig);
    expect(entry).not.toHaveProperty('after');
  });

  it('M44 holds no word and no plain hash of its texts: they are beside it, each with a salt of its own', () => {
    const { line, texts } = written('seed');
    const plain = ['two\nlines', 'what was there', record.reason ?? '', 'f'.repeat(64)];
    for (const text of plain) for (const told of [text, sha256(text)]) expect(line).not.toContain(told);
    expect(new Set(texts.map((text) => JSON.parse(text).salt)).size).toBe(5);
    const lookup = new Map(texts.map((text) => readTextRecord(text, sha256) ?? ['', { print: '', text: null }]));
    const parsed = parseEntry(line) as LedgerEntry;
    expect([...lookup.keys()].sort()).toEqual(hashesOf(parsed).sort());
    expect(textsOf(parsed, lookup)).toMatchObject({
      blocks: [{ print: fingerprintOf('two\nlines', sha256) }, { print: 'f'.repeat(64) }],
      replaced: [{ print: fingerprintOf('what was there', sha256) }],
      reason: record.reason,
      content_sha256: record.content_sha256,
    });
    // Erased: the entry stays, and stands behind nothing.
    expect(textsOf(parsed, new Map())).toMatchObject({ blocks: [], replaced: [], reason: null });
  });

  it('M12 what is no list of texts in an entry stands behind nothing', () => {
    const parsed = parseEntry(written('seed').line);
    expect(parsed?.blocks).toHaveLength(2);
    for (const blocks of ['x', 5, null, { x: 1 }, [5, null], [5, 'x', null], [['x']]])
      expect(parseEntry(JSON.stringify({ ...parsed, blocks }))).toBeNull();
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
    const draft = (seed: string) => draftEntry(record, { ...DESK, key: signer }, { seed, sha256 });
    expect(draft('seed').hash).toBe(sha256(draft('seed').text));
    expect(draft('seed').hash).not.toBe(draft('other').hash);
    // Nothing of it depends on how it is signed: an authenticator is asked for the very text that is written.
    expect(draft('seed').text).toBe(signedText(entry));
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
    for (const key of ['blocks', 'replaced', 'proposed_by', 'sig']) expect(parseEntry(without(key))).not.toBeNull();
  });

  it('M50 of a format that was never published it is none, and is told as that', () => {
    for (const v of [undefined, 1, 2, 4, '3', null]) {
      const line = JSON.stringify({ ...entry, v });
      expect([v, parseEntry(line), isOfEarlierFormat(line)]).toEqual([v, null, true]);
    }
    expect(isOfEarlierFormat(JSON.stringify(entry))).toBe(false);
    for (const line of ['', 'x', 'null', '[]', '{}', '{"seq":1,"prev":""}', '{"v":2,"public_key":"k"}'])
      expect([line, isOfEarlierFormat(line)]).toEqual([line, false]);
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
    const fields = Object.keys(entry).filter((key) => !['blocks', 'replaced', 'hashes', 'sig', 'v'].includes(key));
    for (const key of [...fields, 'extra', 'lines'])
      for (const value of [{}, [], ['x'], { x: 'y' }]) expect(changed({ [key]: value })).toBeNull();
    for (const value of [null, false, 1, 'x']) expect(changed({ extra: value })).not.toBeNull();
  });

  it('M12 has lists of texts for its blocks and hashes, and nothing else there', () => {
    const changed = (key: string, value: unknown) => parseEntry(JSON.stringify({ ...entry, [key]: value }));
    for (const key of ['blocks', 'replaced', 'hashes']) {
      for (const good of [[], ['x'], ['x', 'y']]) expect(changed(key, good)).toMatchObject({ [key]: good });
      for (const bad of ['x', 5, null, {}, { 0: 'x' }, [5], ['x', null], [['x']]]) expect(changed(key, bad)).toBeNull();
    }
  });
});

it('M26 a taste is never taken for a file of a workspace of the same name', () => {
  for (const file of ['notes.md', 'brief.md', '_default.md']) {
    const taste = { file: entryFile({ kind: 'taste', file }) };
    const own = { file: entryFile({ kind: 'notes', file }) };
    expect([taste.file === own.file, fileOf(taste), fileOf(own)]).toEqual([false, file, file]);
  }
  expect(fileOf({ file: null })).toBeNull();
});
