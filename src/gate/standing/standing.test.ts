import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { sha256 } from '../../../test/support/signed-entry.ts';
import type { ChainText, IsSigned } from '../ledger/chain.ts';
import type { DecisionRecord, LedgerHead } from '../ledger/entry.ts';
import type { HomeState } from '../ledger/home-state.ts';
import { draftEntry, EMPTY_HEAD, readTextRecord, signedLine, signedText, type TextLookup } from '../ledger/ledger.ts';
import { fingerprintOf as blockPrint } from '../ledger/text-blocks.ts';
import { homeStanding, type KeyInHome, type LedgerInput, type Standing, standing, type Tools } from './standing.ts';

// Hashes in place of signatures: the rules are about what counts, and what is told.
const sign = (key: string, text: string) => sha256(`${key} ${text}`);
const isSigned: IsSigned = (entry) => entry.sig === sign(entry.public_key, signedText(entry));
const tools: Tools = { sha256, isSigned, fingerprintOf: (key) => `print ${key}` };
type Said = Partial<DecisionRecord> & { by?: string };
const NOTHING: DecisionRecord = {
  ...{ decision: 'accept', level: 'ask', who: 'ada', at: '', via: 'review', client: null, proposal_id: null },
  ...{ session_id: null, image_id: 'w', file: null, category: null, edited: false, already_present: false },
  ...{ reason: null, content_sha256: null },
};
const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

interface Made {
  text: ChainText;
  texts: string[];
  hashes: string[];
  head: LedgerHead;
}

function chain(name: string, said: readonly Said[], ledger = 'workspace w'): Made {
  const lines: string[] = [];
  const texts: string[] = [];
  for (const [index, { by = 'me', ...fields }] of said.entries()) {
    const head = index === 0 ? EMPTY_HEAD : { seq: index, hash: sha256(lines[index - 1] ?? '') };
    const key = { fingerprint: `print ${by}`, publicKey: by, level: fields.level ?? 'ask' };
    const record = { ...NOTHING, at: day(index + 1), ...fields };
    const draft = draftEntry(record, { ledger, machine: name, head, key }, { seed: `${name} ${index}`, sha256 });
    const made = signedLine(draft, { ...key, sign: (text) => sign(by, text) });
    lines.push(made.line);
    texts.push(...made.texts);
  }
  const hashes = lines.map(sha256);
  const head = { seq: lines.length, hash: hashes.at(-1) ?? '' };
  return { text: { name, lines, torn: false, unreadable: null }, texts, hashes, head };
}
const accept = (text: string, more: Said = {}): Said => ({ file: 'notes.md', blocks: [{ text }], ...more });
const lookup = (records: readonly string[]): TextLookup =>
  new Map(
    records.flatMap((record) => [readTextRecord(record, sha256) ?? []].filter((each) => each.length > 0)) as never,
  );

function ledger(chains: readonly Made[], more: Partial<LedgerInput> = {}): LedgerInput {
  return {
    ...{ name: 'workspace w', label: 'w', place: 'here', isWorkspace: true, mayBeBranch: false },
    chains: chains.map(({ text }) => text),
    texts: lookup(chains.flatMap(({ texts }) => texts)),
    marks: new Map(chains.map(({ text, head }) => [text.name, head])),
    ...more,
  };
}
const HERE: Said = { decision: 'workspace', about: 'workspace w', place: 'here', chain: 'm' };
const homeLedger = (...said: Said[]): LedgerInput =>
  ledger([chain('h', [{ decision: 'key', subject: 'me' }, ...said], 'home')], {
    ...{ name: 'home', label: 'home', place: 'home', isWorkspace: false },
  });
/** With the key in the home that its chain names. */
const home = (...said: Said[]): HomeState => {
  const keyOf = ([publicKey = 'me']: readonly string[]) => ({ publicKey, fingerprint: '', level: 'ask' as const });
  return homeStanding(homeLedger(...said), (inForce) => keyOf([...inForce]), tools).state;
};
const OWN = home(HERE);
const stand = (input: LedgerInput, state: HomeState = OWN, notes: string | null = ''): Standing =>
  standing(input, state, { names: ['notes.md'], textOf: (file) => (file === 'notes.md' ? notes : '') }, tools);
const kinds = ({ faults }: Pick<Standing, 'faults'>) =>
  faults.map(({ kind, chain: name, entry, calm }) =>
    [kind, name, entry, calm && 'calm'].filter((part) => part !== null && part !== undefined).join(' '),
  );
const statuses = ({ entries }: Pick<Standing, 'entries'>) =>
  entries().map(({ chain: name, seq, status }) => `${name} ${seq} ${status}`);
/** The blocks of the notes that a decision stands behind, and those without one. */
const blocks = ({ files }: Standing) => {
  const all = files.get('notes.md')?.blocks ?? [];
  return [all.filter(({ origin }) => origin), all.filter(({ origin }) => !origin)].map((list) =>
    list.map(({ text }) => text),
  );
};
const without = (line: string, more: object) => JSON.stringify({ ...JSON.parse(line), ...more });

describe('a ledger and its files', () => {
  const one = chain('m', [accept('one'), accept('two')]);

  it('M50 is every block with its decision, and nothing else', () => {
    const found = stand(ledger([one]), OWN, 'one\n\ntwo\n\nby hand\n');
    expect(blocks(found)).toEqual([['one', 'two'], ['by hand']]);
    expect([found.faults, found.label, found.decisions.map((list) => list.length)]).toEqual([[], 'w', [2]]);
    expect(statuses(found)).toEqual(['m 1 yours', 'm 2 yours']);
    expect([...found.ends]).toEqual([['m', one.head]]);
    expect(found.files.get('notes.md')).toMatchObject({
      gone: [],
      blocks: [
        {
          first_line: 1,
          last_line: 1,
          fingerprint: blockPrint('one', sha256),

          origin: { machine: 'm', seq: 1 },
        },
        { first_line: 3, last_line: 3, origin: { machine: 'm', seq: 2, signed_by: 'you', key: 'print me' } },
        { first_line: 5, last_line: 5, origin: null },
      ],
    });
    // Only of the file that it was decided for.
    const brief = chain('m', [accept('one', { file: 'brief.md' })]);
    expect(blocks(stand(ledger([brief]), OWN, 'one'))).toEqual([[], ['one']]);
  });

  it('M50 the same state gives the same answer, to every face', () => {
    const ask = () => stand(ledger([one, chain('x', [accept('evil', { by: 'eve' })])]), OWN, 'one\n\nevil');
    const plain = ({ files, ...rest }: Standing) =>
      JSON.stringify([rest, [...files.values()].map((file) => file.blocks)]);
    expect(plain(ask())).toBe(plain(ask()));
  });

  it('M26 M50 what a key signed that nobody knows stands behind nothing, and is told once for each key', () => {
    const eve = chain('x', [accept('evil', { by: 'eve' }), accept('worse', { by: 'eve' }), accept('mine')]);
    const found = stand(ledger([one, eve]), OWN, 'one\n\nevil\n\nworse\n\nmine');
    expect(blocks(found)).toEqual([
      ['one', 'mine'],
      ['evil', 'worse'],
    ]);
    expect(kinds(found).filter((kind) => !kind.startsWith('block_gone'))).toEqual(['foreign_key x']);
    expect(found.faults[0]?.message).toBe('2 decisions by a key you do not know (print eve)');
    expect(statuses(found)).toEqual(['m 1 yours', 'm 2 yours', 'x 1 foreign', 'x 2 foreign', 'x 3 yours']);
    // A chain with a fault is not remembered as seen.
    expect([...found.ends.keys()]).toEqual(['m']);
    const trusting = home(HERE, { decision: 'trust', subject: 'print eve' });
    const trusted = stand(ledger([one, eve]), trusting, 'one\n\ntwo\n\nevil\n\nworse\n\nmine');
    expect([blocks(trusted)[1], trusted.faults]).toEqual([[], []]);
    expect(statuses(trusted).slice(2)).toEqual(['x 1 trusted', 'x 2 trusted', 'x 3 yours']);
    expect(trusted.files.get('notes.md')?.blocks[2]?.origin?.signed_by).toBe('a key you trust');
  });

  it('M50 M38 a folder that the person never said is a clone’s: nothing of it counts, and that is told calmly', () => {
    for (const state of [
      home(),
      home({ ...HERE, place: 'elsewhere' }),
      home({ ...HERE, about: 'workspace v' }),
      home(HERE, { ...HERE, chain: '' }),
    ]) {
      const found = stand(ledger([one]), state, 'one\n\ntwo');
      expect(blocks(found)).toEqual([[], ['one', 'two']]);
      expect([kinds(found), found.decisions, found.ends.size]).toEqual([['clone m calm'], [], 0]);
      expect(statuses(found)).toEqual(['m 1 clone', 'm 2 clone']);
      expect(found.faults[0]?.message).toMatch(/^2 decisions came with this folder/);
    }
    // What came with the folder does not count because the person decided something beside it.
    const beside = chain('old', [accept('planted')]);
    const excepted = stand(ledger([one, beside]), home({ ...HERE, hashes: ['old'] }), 'one\n\ntwo\n\nplanted');
    expect([blocks(excepted), kinds(excepted)]).toEqual([[['one', 'two'], ['planted']], ['clone old calm']]);
    // The tastes are the home's own.
    const tastes = chain('m', [accept('one', { file: 'notes.md' })], 'tastes');
    const input = ledger([tastes], { name: 'tastes', label: 'tastes', isWorkspace: false });
    expect(blocks(stand(input, home(), 'one'))).toEqual([['one'], []]);
  });

  it('M50 a line that was signed for another ledger ends what counts, and is told', () => {
    const copied = chain('c', [accept('copied')], 'workspace v');
    const found = stand(ledger([one, copied]), OWN, 'one\n\ntwo\n\ncopied');
    expect([blocks(found), kinds(found)]).toEqual([[['one', 'two'], ['copied']], ['copied c 1']]);
    expect(statuses(found)[2]).toBe('c 1 broken');
    expect([...found.ends.keys()]).toEqual(['m']);
    // Of a workspace that was renamed the earlier name counts on.
    const renamed = home(HERE, { ...HERE, was: 'workspace v' });
    expect([
      blocks(stand(ledger([one, copied]), renamed, 'copied'))[0],
      kinds(stand(ledger([one, copied]), renamed, 'one\n\ntwo\n\ncopied')),
    ]).toEqual([['copied'], []]);
  });

  it('M50 a broken chain counts up to its last good entry, and deciding went on in another', () => {
    const [first = '', second = ''] = one.text.lines;
    const broken = { ...one, text: { ...one.text, lines: [first, 'junk', second] } };
    const next = chain('n', [accept('after')]);
    const found = stand(ledger([broken, next], { marks: new Map([['m', one.head]]) }), OWN, 'one\n\ntwo\n\nafter');
    expect([blocks(found), kinds(found)]).toEqual([[['one', 'after'], ['two']], ['not_an_entry m 2']]);
    expect(statuses(found)).toEqual(['m 1 yours', 'm 2 broken', 'm 3 broken', 'n 1 yours']);
    expect([...found.ends.keys()]).toEqual(['n']);
    const unreadable = { ...one, text: { ...one.text, lines: [], unreadable: 'it is a directory' } };
    expect(kinds(stand(ledger([unreadable])))).toEqual(['unreadable m']);
    const torn = { ...one, text: { ...one.text, torn: true } };
    expect([blocks(stand(ledger([torn]), OWN, 'one\n\ntwo')), kinds(stand(ledger([torn]), OWN, 'one\n\ntwo'))]).toEqual(
      [[['one', 'two'], []], ['torn m']],
    );
  });

  it('M18 M50 a key that was given up decides nothing any more, and since when is told', () => {
    const mine = chain('m', [accept('one', { by: 'me' }), accept('late', { by: 'me' })]);
    const given: Said = { decision: 'level', subject: 'next', to: 'passphrase', hashes: [mine.hashes[0] ?? ''] };
    const found = stand(ledger([mine]), home(HERE, given, { by: 'next' }), 'one\n\nlate');
    expect([blocks(found), kinds(found)]).toEqual([[['one'], ['late']], ['retired_key m 2']]);
    expect(found.faults[0]?.message).toBe(
      'entry 2: it is signed by the key you gave up on 2026-01-03, and was not there then',
    );
    expect([statuses(found), found.ends.size]).toEqual([['m 1 earlier', 'm 2 retired'], 0]);
  });

  it('M26 tells of each entry what a person asks of it', () => {
    const [entry] = stand(ledger([one])).entries();
    expect(entry).toEqual({
      ...{ chain: 'm', seq: 1, status: 'yours', at: day(1), decision: 'accept', file: 'notes.md' },
      ...{ level: 'ask', key: 'print me', who: 'ada' },
    });
    const erase = chain('m', [accept('x'), { decision: 'erase', hashes: ['a', 'b'] }]);
    expect(stand(ledger([erase])).entries()[1]).toMatchObject({ decision: 'erase', erased: 2, file: null });
  });

  it('M12 whatever a foreign line holds, what is told of it are texts', () => {
    const odd = chain('x', [{ by: 'eve', at: 5, who: null, file: 5, decision: 7 } as never]);
    for (const { file, at, who, decision } of stand(ledger([odd])).entries())
      expect([file === null || typeof file === 'string', typeof at, typeof who, typeof decision]).toEqual([
        true,
        'string',
        'string',
        'string',
      ]);
  });
});

describe('what is wrong with the texts and the files', () => {
  const one = chain('m', [accept('one', { reason: 'because' }), accept('two')]);

  it('M44 a text that is missing is a fault, one that was erased by decision is none', () => {
    const record = one.texts.map((text) => JSON.parse(text)).find(({ text }) => text === 'two');
    const rest = one.texts.filter((text) => JSON.parse(text).hash !== record.hash);
    const missing = stand(ledger([one], { texts: lookup(rest) }), OWN, 'one\n\ntwo');
    expect([blocks(missing), kinds(missing)]).toEqual([[['one'], ['two']], ['text_missing m 2']]);
    expect(missing.faults[0]?.message).toBe("entry 2: a text of it can't be found next to the chain");
    const none = stand(ledger([one], { texts: new Map() }), OWN, 'one');
    expect(none.faults.map(({ message }) => message)).toEqual([
      "entry 1: 2 texts of it can't be found next to the chain",
      "entry 2: a text of it can't be found next to the chain",
    ]);
    const erased = chain('n', [{ decision: 'erase', file: 'notes.md', hashes: [record.hash] }]);
    expect(kinds(stand(ledger([one, erased], { texts: lookup(rest) }), OWN, 'one'))).toEqual([]);
    // A record that an older checkout brings back covers nothing.
    const back = stand(ledger([one, erased], { texts: lookup(one.texts) }), OWN, 'one\n\ntwo');
    expect([blocks(back), kinds(back)]).toEqual([[['one'], ['two']], ['erased_back']]);
    // Nobody else's word erases.
    const foreign = chain('n', [{ by: 'eve', decision: 'erase', hashes: [record.hash] }]);
    expect(kinds(stand(ledger([one, foreign], { texts: lookup(rest) }), OWN, 'one')).sort()).toEqual([
      'foreign_key n',
      'text_missing m 2',
    ]);
    const cloned = stand(ledger([one, erased], { texts: lookup(rest) }), home({ ...HERE, hashes: ['n'] }), 'one');
    expect(kinds(cloned)).toContain('text_missing m 2');
  });

  it('M32 an accepted block that is gone is told; one that was taken out or runs into others is not', () => {
    const gone = stand(ledger([one]), OWN, 'one');
    expect(kinds(gone)).toEqual(['block_gone']);
    expect(gone.files.get('notes.md')?.gone).toEqual([blockPrint('two', sha256)]);
    expect(gone.faults[0]?.message).toBe(
      "an accepted block of notes.md can't be found there any more: bearings review",
    );
    expect(stand(ledger([one]), OWN, '').faults[0]?.message).toMatch(/^2 accepted blocks of notes\.md/);
    expect(kinds(stand(ledger([one]), OWN, 'two\none'))).toEqual([]);
    expect(kinds(stand(ledger([one]), OWN, '  two \r\n\r\n\tone'))).toEqual([]);
    const out = chain('n', [accept('two', { decision: 'remove', at: day(9) })]);
    expect(kinds(stand(ledger([one, out]), OWN, 'one'))).toEqual([]);
    // Also of a file that is not in the list because it is gone.
    const taste = chain('m', [accept('one', { file: 'tastes/a.md' })], 'tastes');
    const tastes = ledger([taste], { name: 'tastes', label: 'tastes', isWorkspace: false });
    const known = standing(tastes, OWN, { names: [], textOf: () => '' }, tools);
    expect([kinds(known), [...known.files.keys()]]).toEqual([['block_gone'], ['a.md']]);
  });

  it('M14 M50 a file that is too large is unaccounted as a whole, which is told where decisions are in it', () => {
    const found = stand(ledger([one]), OWN, null);
    expect(found.files.get('notes.md')).toMatchObject({
      gone: [],
      blocks: [{ origin: null, text: '', fingerprint: '' }],
    });
    expect([found.files.get('notes.md')?.blocks.length, kinds(found)]).toEqual([1, ['block_gone']]);
    expect(kinds(stand(ledger([]), OWN, null))).not.toContain('block_gone');
  });

  it('M50 a fault that is settled is told no more, another one of the same kind is', () => {
    const [fault] = stand(ledger([one]), OWN, 'one').faults;
    const settled = home(HERE, { decision: 'settle', subject: fault?.id ?? '' });
    expect(kinds(stand(ledger([one]), settled, 'one'))).toEqual([]);
    expect(
      kinds(stand(ledger([one]), home(HERE, { by: 'eve', decision: 'settle', subject: fault?.id ?? '' }), 'one')),
    ).toEqual(['block_gone']);
    expect(kinds(stand(ledger([one]), settled, ''))).toEqual(['block_gone']);
    const [first = '', second = ''] = one.text.lines;
    const broken = (...lines: string[]) => ledger([{ ...one, text: { ...one.text, lines } }], { marks: new Map() });
    const junk = stand(broken(first, second, 'junk'), OWN, 'one\n\ntwo').faults.find(
      ({ kind }) => kind === 'not_an_entry',
    );
    const known = home(HERE, { decision: 'settle', subject: junk?.id ?? '' });
    const told = (input: LedgerInput) =>
      kinds(stand(input, known, 'one\n\ntwo')).filter((kind) => kind.startsWith('not'));
    expect([told(broken(first, second, 'junk')), told(broken(first, 'junk'))]).toEqual([[], ['not_an_entry m 2']]);
  });

  it('M50 M32 a block that is gone is settled alone: another one that goes later is told', () => {
    const [fault] = stand(ledger([one]), OWN, 'one').faults;
    const settled = home(HERE, { decision: 'settle', subject: fault?.id ?? '' });
    expect(kinds(stand(ledger([one]), settled, 'two'))).toEqual(['block_gone']);
  });
});

describe('what the marks of the home tell', () => {
  const one = chain('m', [accept('one'), accept('two'), accept('three')]);
  const NOTES = 'one\n\ntwo\n\nthree';
  const cut = (count: number): Made => ({ ...one, text: { ...one.text, lines: one.text.lines.slice(0, count) } });
  const marked = (made: Made[], marks: [string, LedgerHead][], more: Partial<LedgerInput> = {}) =>
    stand(ledger(made, { marks: new Map(marks), ...more }), OWN, NOTES);
  const marksTold = (found: Standing) => kinds(found).filter((kind) => !kind.startsWith('block_gone'));

  it('M26 a chain that goes on after its mark is as it should be', () => {
    for (const [index, hash] of one.hashes.entries())
      expect(marked([one], [['m', { seq: index + 1, hash }]]).faults).toEqual([]);
  });

  it('M26 an end that was cut off is told, calmly where another branch may hold it', () => {
    const short = marked([cut(1)], [['m', one.head]]);
    expect(marksTold(short)).toEqual(['chain_short m']);
    expect(short.faults[0]?.message).toBe('the chain m ends at entry 1, but entry 3 was written: its end is cut off');
    const branch = marked([cut(1)], [['m', one.head]], { mayBeBranch: true });
    expect(marksTold(branch)).toEqual(['chain_short m calm']);
    expect(branch.faults[0]?.message).toBe('2 decisions of m are not in this checkout: another branch, or cut off');
    expect(marked([cut(2)], [['m', one.head]], { mayBeBranch: true }).faults[0]?.message).toMatch(
      /^a decision of m is not/,
    );
    // The whole chain, also of a team mate.
    expect(marksTold(marked([], [['m', one.head]]))).toEqual(['chain_short m']);
    expect(
      marksTold(
        marked(
          [one],
          [
            ['m', one.head],
            ['mate', { seq: 4, hash: 'h' }],
          ],
        ),
      ),
    ).toEqual(['chain_short mate']);
    expect(short.ends.size).toBe(0);
  });

  it('M26 another entry in the place of the one that was seen is told, wherever it may have come from', () => {
    const other = chain('m', [accept('one'), accept('other'), accept('three'), accept('four')]);
    for (const mayBeBranch of [false, true]) {
      const found = marked([other], [['m', one.head]], { mayBeBranch });
      expect([marksTold(found), found.ends.size]).toEqual([['chain_replaced m 3'], 0]);
    }
  });

  it('M50 a broken chain is told by its break, and by its mark only where that is about what still counts', () => {
    const [first = '', second = ''] = one.text.lines;
    const broken = { ...one, text: { ...one.text, lines: [first, second, 'junk'] } };
    expect(marksTold(marked([broken], [['m', one.head]]))).toEqual(['not_an_entry m 3']);
    expect(marksTold(marked([broken], [['m', { seq: 2, hash: 'other' }]]))).toEqual([
      'not_an_entry m 3',
      'chain_replaced m 2',
    ]);
  });

  it('M50 a missing mark of the chain that the home names is a fault itself, and so is a ledger that is gone with it', () => {
    expect(marksTold(marked([one], []))).toEqual(['mark_gone m']);
    expect(marksTold(marked([], []))).toEqual(['ledger_gone m']);
    expect(marksTold(marked([chain('n', [accept('one')])], []))).toEqual(['ledger_gone m']);
    for (const mayBeBranch of [true, false]) expect(marked([], [], { mayBeBranch }).faults[0]?.calm).toBeUndefined();
    // Of a folder that nobody said, nothing is missed.
    expect(stand(ledger([], { marks: new Map() }), home(), '').faults).toEqual([]);
  });

  it('M12 whatever a mark says, it is told and nothing throws', () => {
    const head = fc.record({ seq: fc.integer(), hash: fc.constantFrom('', 'h', ...one.hashes) });
    fc.assert(
      fc.property(head, fc.boolean(), (mark, mayBeBranch) => {
        const isRight = one.hashes[mark.seq - 1] === mark.hash;
        const found = marked([one], [['m', mark]], { mayBeBranch });
        expect(found.faults.length > 0).toBe(!isRight);
      }),
    );
  });

  it('M50 marks only add faults: with any others no block is decided that was not, and no fault of the chains is less', () => {
    const said = fc.record({
      text: fc.constantFrom('one', 'two', 'three', 'four'),
      by: fc.constantFrom('me', 'me', 'mate', 'eve'),
      decision: fc.constantFrom('accept' as const, 'adopt' as const, 'remove' as const),
    });
    const list = fc.array(said, { maxLength: 5 });
    const mark = fc.tuple(fc.constantFrom('m', 'n', 'other'), fc.nat(6), fc.nat(6));
    const state = home(HERE, { decision: 'trust', subject: 'print mate' });
    fc.assert(
      fc.property(
        list,
        list,
        fc.array(mark, { maxLength: 3 }),
        fc.boolean(),
        fc.nat(6),
        (own, others, marks, isBroken, cutAt) => {
          const chains = [own, others].map((words, index) =>
            chain(
              index === 0 ? 'm' : 'n',
              words.map(({ text, by, decision }) => accept(text, { by, decision })),
            ),
          );
          const read = chains.map((made): Made => {
            const lines = isBroken
              ? made.text.lines.map((line, at) => (at === cutAt ? without(line, { who: 'eve' }) : line))
              : made.text.lines;
            return { ...made, text: { ...made.text, lines } };
          });
          const hashes = chains.flatMap((made) => made.hashes);
          const given = new Map(marks.map(([name, seq, at]) => [name, { seq, hash: hashes[at] ?? 'h' }]));
          const notes = 'one\n\ntwo\n\nthree\n\nfour\n\nfive';
          const right = stand(ledger(read), state, notes);
          const bare = stand(ledger(read, { marks: new Map() }), state, notes);
          for (const found of [stand(ledger(read, { marks: given }), state, notes), bare]) {
            expect([blocks(found), statuses(found)]).toEqual([blocks(right), statuses(right)]);
            const MARKS = new Set(['chain_short', 'chain_replaced', 'mark_gone', 'ledger_gone']);
            const rest = (each: Standing) => each.faults.filter(({ kind }) => !MARKS.has(kind));
            expect(rest(found)).toEqual(rest(bare));
          }
        },
      ),
      { numRuns: effort(500, 60) },
    );
  });
});

describe('the record of the home itself', () => {
  const key = (more: Partial<KeyInHome> = {}): KeyInHome => ({
    publicKey: 'me',
    fingerprint: 'print me',
    level: 'ask',
    ...more,
  });
  const told = (input: LedgerInput, own: KeyInHome | null) => kinds(homeStanding(input, () => own, tools).decided);
  const raised: Said = { decision: 'level', subject: 'next', to: 'passphrase' };

  it('M26 the key in the home is the one that its chain names; another one is told', () => {
    expect(told(homeLedger(), key())).toEqual([]);
    expect(told(homeLedger(), null)).toEqual(['key_replaced']);
    expect(told(homeLedger(), key({ publicKey: 'eve', fingerprint: 'print eve' }))).toEqual(['key_replaced']);
    expect(
      homeStanding(homeLedger(), () => key({ publicKey: 'eve', fingerprint: 'print eve' }), tools).decided.faults[0]
        ?.message,
    ).toContain('(print eve)');
    // In a new home any key is the first.
    expect(told(ledger([], { name: 'home', isWorkspace: false }), key({ publicKey: 'eve' }))).toEqual([]);
  });

  it('M18 a level that is lower in the home than in its chain is told, a higher one is not', () => {
    const next = { publicKey: 'next', fingerprint: 'print next' };
    const input = homeLedger(raised, { by: 'next' });
    expect(told(input, key({ ...next, level: 'passphrase' }))).toEqual([]);
    expect(told(input, key({ ...next, level: 'ask' }))).toEqual(['level_lowered']);
    expect(told(input, key({ ...next, level: 'passkey' }))).toEqual([]);
    expect(told(input, key())).toEqual(['key_replaced']);
  });

  it('M50 two keys that both claim to be the person’s are told, and nothing of the home counts', () => {
    const forked = homeLedger({ by: 'eve', decision: 'key', subject: 'eve' }, { decision: 'allow', subject: 'x' });
    const { state, decided } = homeStanding(forked, () => key(), tools);
    expect(kinds(decided)).toContain('key_replaced');
    expect([state.isForked, state.keys.size, decided.decisions.flat()]).toEqual([true, 0, []]);
    expect(statuses(decided)).toEqual(['h 1 foreign', 'h 2 foreign', 'h 3 foreign']);
  });

  it('M50 what counts of the home is what `verify` lists of it: nothing after a line of another ledger', () => {
    const own = chain('h', [{ decision: 'key', subject: 'me' }], 'home');
    const copied = chain('x', [{ decision: 'trust', subject: 'print eve' }], 'workspace w');
    const input = ledger([own, copied], { name: 'home', label: 'home', isWorkspace: false });
    const { state, decided } = homeStanding(input, () => key(), tools);
    expect([kinds(decided), statuses(decided)]).toEqual([['copied x 1'], ['h 1 yours', 'x 1 broken']]);
    expect([...state.trusted]).toEqual([]);
  });

  it('M18 after a key was given up its home has no fault', () => {
    const sealed = chain('h', [{ decision: 'key', subject: 'me' }], 'home').hashes;
    const next = key({ publicKey: 'next', fingerprint: 'print next', level: 'passphrase' });
    expect(told(homeLedger({ ...raised, hashes: sealed }), next)).toEqual([]);
  });

  it('M50 a fault of the home is settled as any other; a replaced key and a lowered level are told for ever', () => {
    const faultOf = (input: LedgerInput, own: KeyInHome) => homeStanding(input, () => own, tools).decided.faults[0];
    const foreign: Said = { by: 'eve', decision: 'allow', subject: 'x' };
    const fault = faultOf(homeLedger(foreign), key());
    expect(fault?.kind).toBe('foreign_key');
    expect(told(homeLedger(foreign, { decision: 'settle', subject: fault?.id ?? '' }), key())).toEqual([]);
    const eve = key({ publicKey: 'eve', fingerprint: 'print eve' });
    const replaced = faultOf(homeLedger(), eve);
    expect(told(homeLedger({ decision: 'settle', subject: replaced?.id ?? '' }), eve)).toEqual(['key_replaced']);
    const low = key({ publicKey: 'next', fingerprint: 'print next' });
    const lowered = faultOf(homeLedger(raised, { by: 'next' }), low);
    expect(lowered?.kind).toBe('level_lowered');
    expect(told(homeLedger(raised, { by: 'next', decision: 'settle', subject: lowered?.id ?? '' }), low)).toEqual([
      'level_lowered',
    ]);
  });
});
