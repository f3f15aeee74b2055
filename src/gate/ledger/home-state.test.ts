import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { sha256 } from '../../../test/support/signed-entry.ts';
import { type CheckedChain, checkChain } from './chain.ts';
import type { DecisionRecord } from './entry.ts';
import { type HomeState, homeState, inOrder, ownersIn } from './home-state.ts';
import { draftEntry, EMPTY_HEAD, type parseEntry, signedLine, signedText } from './ledger.ts';

// Hashes in place of signatures: the rules are about which key comes after which.
const sign = (key: string, text: string) => sha256(`${key} ${text}`);
const fingerprintOf = (key: string) => `print ${key}`;
type Said = Partial<Omit<DecisionRecord, 'decision'>> & { by: string; decision?: DecisionRecord['decision'] };
const NOTHING: DecisionRecord = {
  ...{ decision: 'accept', level: 'ask', who: 'ada', at: '', via: 'terminal', client: null, proposal_id: null },
  ...{ session_id: null, image_id: null, file: null, category: null, edited: false, already_present: false },
  ...{ reason: null, content_sha256: null },
};
const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

function chain(machine: string, said: readonly Said[], ledger = 'home'): CheckedChain {
  const lines: string[] = [];
  for (const [index, { by, ...fields }] of said.entries()) {
    const head = index === 0 ? EMPTY_HEAD : { seq: index, hash: sha256(lines[index - 1] ?? '') };
    const key = { fingerprint: fingerprintOf(by), publicKey: by, level: fields.level ?? 'ask' };
    const record = { ...NOTHING, at: day(index + 1), ...fields };
    const draft = draftEntry(record, { ledger, machine, head, key }, { seed: `${machine} ${index}`, sha256 });
    lines.push(signedLine(draft, { ...key, sign: (text) => sign(by, text) }).line);
  }
  const isSigned = (entry: NonNullable<ReturnType<typeof parseEntry>>) =>
    entry.sig === sign(entry.public_key, signedText(entry));
  const checked = checkChain({ name: machine, lines, torn: false, unreadable: null }, { sha256, isSigned });
  expect(checked.broken).toBeNull();
  return checked;
}
const stateOf = (...chains: CheckedChain[]) => homeState(chains, fingerprintOf);
const inForce = (...chains: CheckedChain[]) => [...stateOf(...chains).keys];
const ownersOf = (checked: CheckedChain, state: HomeState) => {
  const ownerOf = ownersIn(checked, state, fingerprintOf);
  return checked.entries.map(({ entry }, index) => ownerOf(entry, index));
};
const root = (by: string): Said => ({ by, decision: 'key', subject: by });
const added = (by: string, subject: string): Said => ({ by, decision: 'key', subject });
const handover = (by: string, subject: string, more: Partial<Said> = {}): Said => ({
  ...{ by, decision: 'level', subject, to: 'passphrase' },
  ...more,
});

describe('which keys are the person’s', () => {
  it('M26 M50 none in a home where nothing was signed; then the one that named itself first', () => {
    expect(stateOf()).toMatchObject({ isNew: true, isForked: false, level: 'ask', entries: [], registrations: [] });
    expect(inForce()).toEqual([]);
    expect(stateOf(chain('m', []))).toMatchObject({ isNew: true, isForked: false });
    const state = stateOf(chain('m', [root('a'), { by: 'a' }]));
    expect(state).toMatchObject({ isNew: false, isForked: false, level: 'ask' });
    expect([[...state.keys], state.earlier.size, state.entries.length]).toEqual([['a'], 0, 2]);
  });

  it('M50 none where nobody named the first one, and none where two did, in one chain or in two', () => {
    for (const chains of [
      [chain('m', [{ by: 'a' }])],
      [chain('m', [added('a', 'b')])],
      [chain('m', [root('a'), root('eve')])],
      [chain('m', [root('a'), { by: 'a', decision: 'allow', subject: 'x' }]), chain('x', [root('eve')])],
    ]) {
      const state = stateOf(...chains);
      expect(state).toMatchObject({ isNew: false, isForked: true, level: 'ask', entries: [] });
      expect([state.keys.size, state.earlier.size, state.trusted.size]).toEqual([0, 0, 0]);
    }
    expect(inForce(chain('m', [root('a')]), chain('n', [root('a')]))).toEqual(['a']);
  });

  it('M18 a key hands over to the next, with the level; the one before is an earlier one', () => {
    const one = handover('a', 'b', { hashes: ['end'] });
    expect(stateOf(chain('m', [root('a'), one]))).toMatchObject({ level: 'passphrase', isForked: false });
    const state = stateOf(chain('m', [root('a'), one, handover('b', 'c', { to: 'passkey', hashes: [] })]));
    expect([[...state.keys], state.level]).toEqual([['c'], 'passkey']);
    expect([...state.earlier]).toMatchObject([
      ['a', { until: day(2), generation: 0 }],
      ['b', { until: day(3), generation: 1 }],
    ]);
    expect(['a', 'b'].map((key) => state.earlier.get(key)?.sealed.has('end'))).toEqual([true, false]);
  });

  it('M18 no key says another level of itself, before it was given up or after', () => {
    const lowered = stateOf(chain('m', [root('a'), handover('a', 'b'), handover('b', 'b', { to: 'ask' })]));
    expect([[...lowered.keys], lowered.level]).toEqual([['b'], 'passphrase']);
    const after = stateOf(chain('m', [root('a'), handover('a', 'b'), handover('a', 'a', { to: 'ask' })]));
    expect([[...after.keys], after.level]).toEqual([['b'], 'passphrase']);
  });

  it('M18 M50 where two come after one key, in one chain or in two, none counts', () => {
    const first = [root('a'), handover('a', 'b')];
    for (const chains of [
      [chain('m', [...first, handover('a', 'eve')])],
      [chain('m', first), chain('x', [handover('a', 'eve')])],
      [chain('x', [handover('a', 'eve')]), chain('z', first)],
      // Back to an earlier one, in a circle.
      [chain('m', [...first, handover('b', 'a')])],
    ]) {
      const state = stateOf(...chains);
      expect([state.isForked, state.keys.size, state.entries.length]).toEqual([true, 0, 0]);
    }
  });

  it('M18 nobody else is heard: neither a key that was never named nor what it says of levels and keys', () => {
    const own = chain('m', [root('a'), handover('a', 'b')]);
    const eve = chain('x', [handover('eve', 'eve', { to: 'ask' }), added('eve', 'b'), handover('eve', 'c')]);
    const state = stateOf(own, eve);
    expect([[...state.keys], state.level, state.isForked]).toEqual([['b'], 'passphrase', false]);
  });

  it('M46 an authenticator is added by one that is there, also by one that was added, and all go together', () => {
    const said = [
      root('a'),
      handover('a', 'p', { to: 'passkey' }),
      added('p', 'q'),
      added('q', 'r'),
      { by: 'r', decision: 'allow', subject: 'x' } as const,
    ];
    const state = stateOf(chain('m', said));
    expect([[...state.keys], state.level, [...state.earlier.keys()]]).toEqual([['p', 'q', 'r'], 'passkey', ['a']]);
    const left = stateOf(chain('m', [...said, handover('q', 'n', { to: 'ask' })]));
    expect([[...left.keys], left.level, [...left.earlier.keys()]]).toEqual([['n'], 'ask', ['a', 'p', 'q', 'r']]);
    expect(left.earlier.get('r')?.generation).toBe(1);
    const forked = stateOf(chain('m', [...said, handover('p', 'n'), handover('r', 'other')]));
    expect([forked.isForked, forked.keys.size]).toEqual([true, 0]);
    expect(inForce(chain('m', said), chain('x', [added('eve', 'evil')]))).toEqual(['p', 'q', 'r']);
  });

  it('M18 M50 a copy of a key that was given up comes back by nothing that it signs', () => {
    const own = [root('a'), handover('a', 'b', { hashes: ['end'] }), { by: 'b' }];
    const claims: Said[][] = [
      [added('a', 'b')],
      [added('a', 'eve')],
      [added('a', 'eve'), added('eve', 'b')],
      [handover('a', 'b', { to: 'ask', hashes: ['mine'] })],
      [handover('a', 'a', { to: 'ask' })],
      [root('a')],
      [{ by: 'a', decision: 'trust', subject: 'print eve' }],
      [{ by: 'a', decision: 'settle', subject: 'fault' }],
      [{ by: 'a', decision: 'workspace', about: 'workspace w', place: 'x', chain: 'c' }],
    ];
    for (const claim of claims)
      for (const name of ['aaa', 'zzz']) {
        const chains = [chain('m', own), chain(name, claim)].sort((one, two) => (one.name < two.name ? -1 : 1));
        const state = stateOf(...chains);
        const told = [claim, state.keys.has('a'), state.keys.has('eve'), state.trusted.size, state.settled.size];
        expect([...told, state.registrations.length]).toEqual([claim, false, false, 0, 0, 0]);
        // Either the one true state, or none at all.
        const sealed = state.earlier.get('a')?.sealed;
        if (!state.isForked)
          expect([claim, [...state.keys], state.level, sealed?.has('end'), sealed?.has('mine')]).toEqual([
            ...[claim, ['b'], 'passphrase', true, false],
          ]);
      }
  });

  it('M46 nor a copy of one of several authenticators that were given up by another one of them', () => {
    const group = [root('a'), handover('a', 'p', { to: 'passkey' }), added('p', 'q')];
    const own = [...group, handover('q', 'n', { to: 'ask' }), { by: 'n' }];
    for (const claim of [[added('p', 'n')], [added('p', 'x'), added('x', 'n')], [handover('p', 'n')]])
      for (const chains of [
        [chain('m', own), chain('z', claim)],
        [chain('b', claim), chain('m', own)],
      ]) {
        const state = stateOf(...chains);
        expect([claim, state.keys.has('p'), state.keys.has('x'), state.isForked || state.keys.has('n')]).toEqual([
          ...[claim, false, false, true],
        ]);
      }
    // And nobody else takes one away.
    for (const claim of [[handover('eve', 'q')], [added('eve', 'q')], [handover('a', 'a')]])
      expect(inForce(chain('m', [...group, { by: 'p' }]), chain('x', claim))).toEqual(['p', 'q']);
  });

  it('M50 what such a copy seals with a second word is not sealed', () => {
    const forged = chain('x', [{ by: 'a', decision: 'allow', subject: 'evil' }]);
    const again = handover('a', 'b', { hashes: [forged.head.hash] });
    const evil = chain('aaa', [{ by: 'a', decision: 'allow', subject: 'evil' }, again]);
    const state = stateOf(evil, chain('m', [root('a'), handover('a', 'b'), { by: 'b' }]), forged);
    expect(state.entries.filter(({ entry }) => entry.subject === 'evil')).toEqual([]);
  });

  it('M50 any chains of any keys: what counts comes from the first key alone, or nothing does', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const word = fc.oneof(
      fc.tuple(key, key).map(([by, subject]) => added(by, subject)),
      fc.tuple(key, key).map(([by, subject]) => handover(by, subject)),
      key.map((by): Said => ({ by, decision: 'trust', subject: `by ${by}` })),
    );
    const words = fc.array(word, { maxLength: 4 });
    fc.assert(
      fc.property(words, words, (one, two) => {
        const state = stateOf(chain('m', [root('a'), ...one]), chain('n', two));
        // Every key that counts now or counted once was named by another such key, back to the first.
        const named = new Set(['a']);
        for (const from of named)
          for (const { by, subject } of [...one, ...two])
            if (by === from && subject && !subject.startsWith('by ')) named.add(subject);
        for (const each of [...state.keys, ...state.earlier.keys()]) expect(named.has(each)).toBe(true);
        // Beside the one that the last key handed over to, each was named by one that is in force.
        const byThem = [...one, ...two].filter(({ by, subject }) => by !== subject && state.keys.has(by));
        const unnamed = [...state.keys].filter((each) => !byThem.some(({ subject }) => subject === each));
        expect(unnamed.length).toBeLessThanOrEqual(1);
        for (const { entry } of state.entries)
          expect(state.keys.has(entry.public_key) || state.earlier.has(entry.public_key)).toBe(true);
        if (state.isForked) expect([state.keys.size, state.entries.length, state.trusted.size]).toEqual([0, 0, 0]);
        else expect(state.keys.size).toBeGreaterThan(0);
      }),
      { numRuns: effort(2000, 300) },
    );
  });
});

describe('whose an entry is', () => {
  const keys = (more: Partial<HomeState> = {}): HomeState => ({ ...stateOf(chain('h', [root('a')])), ...more });

  it('M26 yours, of a key you trust by its fingerprint, or nobody’s', () => {
    const work = chain('m', [{ by: 'a' }, { by: 'mate' }, { by: 'eve' }], 'workspace w');
    expect(ownersOf(work, keys())).toEqual(['yours', null, null]);
    const trusting = keys({ trusted: new Set(['print mate', 'eve']) });
    expect(ownersOf(work, trusting)).toEqual(['yours', 'trusted', null]);
    expect(ownersOf(work, keys({ keys: new Set() }))).toEqual([null, null, null]);
  });

  it('M18 M26 of a key that was given up what was sealed counts, what came later is retired', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(6), (length, seal) => {
        const work = chain('m', Array(length).fill({ by: 'a' }), 'workspace w');
        const sealed = work.entries.slice(0, seal).at(-1)?.hash ?? 'none';
        const state = stateOf(chain('h', [root('a'), handover('a', 'b', { hashes: ['other', sealed] })]));
        const count = Math.min(seal, length);
        expect(ownersOf(work, state)).toEqual(work.entries.map((_, index) => (index < count ? 'earlier' : 'retired')));
      }),
      { numRuns: 50 },
    );
  });

  const owners = (...by: string[]) => {
    const state = stateOf(chain('h', [root('a'), handover('a', 'b'), handover('b', 'c')]));
    const work = by.map((key) => ({ by: key }));
    return ownersOf(chain('m', work, 'workspace w'), state);
  };

  it('M18 a chain without a seal counts up to where the key in force goes on, and no further', () => {
    expect(owners('a', 'a', 'b', 'a', 'c', 'a')).toEqual([...Array(4).fill('earlier'), 'yours', 'retired']);
    expect(owners('a', 'b', 'c', 'b')).toEqual(['earlier', 'earlier', 'yours', 'retired']);
    expect(owners('b', 'a')).toEqual(['retired', 'retired']);
    expect(owners('a', 'eve')).toEqual(['retired', null]);
  });

  it('M18 a key that was given up does not bring back another one', () => {
    expect(owners('a', 'b')).toEqual(['retired', 'retired']);
    expect(owners('a', 'c', 'a', 'b')).toEqual(['earlier', 'yours', 'retired', 'retired']);
  });

  it('M18 the word by which a key was given up is still its own, though it could not seal itself', () => {
    const home = chain('h', [root('a'), { by: 'a', decision: 'trust', subject: 'print mate' }]);
    const sealed = home.head.hash;
    const said: Said[] = [root('a'), { by: 'a', decision: 'trust', subject: 'print mate' }];
    const after = chain('h', [...said, handover('a', 'b', { hashes: [sealed] })]);
    expect(after.entries[1]?.hash).toBe(sealed);
    const state = stateOf(after);
    expect([...state.trusted]).toEqual(['print mate']);
    expect(ownersOf(after, state)).toEqual(['earlier', 'earlier', 'earlier']);
  });
});

describe('what the person said in the home', () => {
  const said = (...words: Partial<Said>[]) =>
    stateOf(chain('m', [root('a'), ...words.map((word) => ({ by: 'a', ...word }))]));
  const folder = (more: Partial<Said> = {}): Said => ({
    ...{ by: 'a', decision: 'workspace', about: 'workspace w', place: 'here', chain: 'm' },
    ...more,
  });

  it('M26 a key is trusted until it is not, and by no word of another', () => {
    const trust = (subject: string, decision: 'trust' | 'untrust' = 'trust') => ({ decision, subject });
    expect([...said(trust('x'), trust('y')).trusted]).toEqual(['x', 'y']);
    expect([...said(trust('x'), trust('y'), trust('x', 'untrust')).trusted]).toEqual(['y']);
    expect([...said(trust('x', 'untrust'), trust('x')).trusted]).toEqual(['x']);
    expect([
      ...said(trust('x'), { by: 'eve', ...trust('eve') }, { by: 'eve', ...trust('x', 'untrust') }).trusted,
    ]).toEqual(['x']);
    // Whom the person trusts decides on texts, and not on whom to trust.
    const mate = said(trust('print mate'), { by: 'mate', ...trust('eve') }, folder({ by: 'mate' }), {
      by: 'mate',
      decision: 'settle',
      subject: 'f',
    });
    expect([[...mate.trusted], mate.registrations, [...mate.settled]]).toEqual([['print mate'], [], []]);
  });

  it('M50 a fault is settled by its id', () => {
    expect([...said({ decision: 'settle', subject: 'f' }, { decision: 'settle', subject: 'g' }).settled]).toEqual([
      'f',
      'g',
    ]);
    expect([...said({ by: 'eve', decision: 'settle', subject: 'f' }).settled]).toEqual([]);
  });

  it('M50 a ledger belongs to the folders that were said, each with its chain and those that do not count', () => {
    const plain = { about: 'workspace w', place: 'here', chain: 'm', was: new Set(), except: new Set() };
    expect(said(folder()).registrations).toEqual([plain]);
    expect(said(folder(), folder({ place: 'there', hashes: ['old', 'older'] })).registrations).toEqual([
      plain,
      { ...plain, place: 'there', except: new Set(['old', 'older']) },
    ]);
    // Said again: the last word holds.
    expect(said(folder({ hashes: ['old'] }), folder({ chain: 'n' })).registrations).toEqual([{ ...plain, chain: 'n' }]);
    for (const word of [folder({ about: '' }), folder({ place: '' }), folder({ by: 'eve' })])
      expect(said(word).registrations).toEqual([]);
  });

  it('M50 one that moved away or was removed belongs nowhere, until it is said again', () => {
    const gone = folder({ chain: '' });
    expect(said(folder(), gone).registrations).toEqual([]);
    expect(said(folder(), folder({ place: 'there' }), gone).registrations.map(({ place }) => place)).toEqual(['there']);
    expect(said(folder(), gone, folder()).registrations).toHaveLength(1);
    expect(said(gone).registrations).toEqual([]);
  });

  it('M50 renamed, it keeps what was signed under every name it had', () => {
    const renamed = (about: string, was: string) => folder({ about, was });
    const state = said(folder(), renamed('workspace x', 'workspace w'), renamed('workspace y', 'workspace x'));
    const names = new Map(state.registrations.map(({ about, was }) => [about, [...was].sort()]));
    expect(names.get('workspace x')).toEqual(['workspace w']);
    expect(names.get('workspace y')).toEqual(['workspace w', 'workspace x']);
    // Said again without a name it had: what it was is not forgotten.
    const again = said(folder(), renamed('workspace x', 'workspace w'), folder({ about: 'workspace x' }));
    expect(again.registrations.find(({ about }) => about === 'workspace x')?.was).toEqual(new Set(['workspace w']));
  });

  it('M50 several chains of one home are read by time', () => {
    const trust = (at: string, decision: 'trust' | 'untrust') => ({ by: 'a', at, decision, subject: 'x' });
    const first = chain('m', [root('a'), trust(day(5), 'trust')]);
    expect([...stateOf(first, chain('n', [trust(day(6), 'untrust')])).trusted]).toEqual([]);
    expect([...stateOf(first, chain('n', [trust(day(4), 'untrust')])).trusted]).toEqual(['x']);
    expect([...stateOf(chain('k', [trust(day(6), 'untrust')]), first).trusted]).toEqual([]);
  });

  it('M50 an entry that was signed for another ledger says nothing here', () => {
    const copied = chain('n', [{ by: 'a', decision: 'trust', subject: 'x' }, folder()], 'workspace w');
    const state = stateOf(chain('m', [root('a')]), copied);
    expect([[...state.trusted], state.registrations, state.entries.length]).toEqual([[], [], 1]);
  });
});

it('M33 entries of several chains are in the order of time, and each chain in its own whatever its clock said', () => {
  const item = fc.record({ at: fc.integer({ min: 1, max: 5 }).map(day) });
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 5 }), { maxLength: 4 }), (lists) => {
      const chains = lists.map((list, name) => list.map((entry, seq) => ({ entry, name, seq })));
      const ordered = inOrder(chains);
      for (const [name, list] of chains.entries()) expect(ordered.filter((each) => each.name === name)).toEqual(list);
      expect(ordered).toHaveLength(chains.flat().length);
      const latest = (each: (typeof ordered)[number]) =>
        (lists[each.name] ?? []).slice(0, each.seq + 1).reduce((max, { at }) => (at > max ? at : max), '');
      const times = ordered.map(latest);
      expect(times).toEqual([...times].sort());
    }),
    { numRuns: 200 },
  );
});
