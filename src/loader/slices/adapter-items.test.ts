import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileAdapter } from '../policy/adapter-definitions.ts';
import { compareItems, ITEM_STATES } from './adapter-items.ts';
import { cleanPayload } from './clean-payload.ts';

const FILE: FileAdapter = { name: 'a', kind: 'file', path: 'a.json', stale_after_hours: 1 };
const parsePayload = (payload: unknown, shape: Partial<FileAdapter> = {}) =>
  cleanPayload(payload, { ...FILE, ...shape }, async (value) => ({ value, actions: [] }));

const ids = async (payload: unknown, shape: Partial<FileAdapter> = {}) =>
  (await parsePayload(payload, shape))?.items.map(({ id }) => id);

describe('adapter items', () => {
  it('L6 order: state, priority, updated (newest first, unknown last), id', async () => {
    const items = [
      { id: 'g', state: 'odd' },
      { id: 'f', state: 'stale', priority: 0 },
      { id: 'e', state: 'priority' },
      { id: 'd', state: 'ready', priority: 1 },
      { id: 'c2', state: 'ready', priority: 0, source_updated_at: '2026-01-01' },
      { id: 'c1', state: 'ready', priority: 0, source_updated_at: '2026-01-02' },
      { id: 'c4', state: 'ready', priority: 0 },
      { id: 'c3', state: 'ready', priority: 0 },
      { id: 'a', state: 'Blocked', priority: 'low' },
      { id: 'b', state: 'blocked' },
    ];
    expect(await ids({ items })).toEqual(['a', 'b', 'c1', 'c2', 'c3', 'c4', 'd', 'e', 'f', 'g']);
    expect(await ids([...items].reverse())).toEqual(await ids(items));
  });

  it('L14 times without a zone count as UTC and have one written form', async () => {
    const payload = await parsePayload({
      fetched_at: '2026-11-15T12:00:00+02:00',
      items: [
        { id: 1, source_updated_at: '2026-11-15 10:00' },
        { id: 2, source_updated_at: 'yesterday' },
        { id: 3, source_updated_at: '2026-02-30' },
      ],
    });
    expect(payload?.fetched_at).toBe('2026-11-15T10:00:00Z');
    expect(payload?.items.map(({ source_updated_at }) => source_updated_at)).toEqual([
      '2026-11-15T10:00:00Z',
      null,
      null,
    ]);
  });

  it('L6 a priority is a number, p and a number, or a word; anything else is none', async () => {
    const priorityOf = async (priority: unknown) => (await parsePayload([{ id: 'x', priority }]))?.items[0]?.priority;
    for (const [written, meant] of [
      ...([
        [2, 2],
        [-1.5, -1.5],
        ['3', 3],
        ['P0', 0],
        [' p12 ', 12],
        ['123456', 123_456],
        ['HIGH', await priorityOf('high')],
      ] as const),
      ...[
        'p',
        '1234567',
        '1.5',
        'p1x',
        'xp1',
        '1 2',
        'urgent-ish',
        '',
        'toString',
        null,
        true,
        [1],
        {},
        Number.NaN,
        Number.POSITIVE_INFINITY,
      ].map((bad) => [bad, null] as const),
    ])
      expect([written, await priorityOf(written)]).toEqual([written, meant]);
    expect(await priorityOf('high')).toBeTypeOf('number');
  });

  it('L18 an item is tidied: blanks around id and state go, tags are texts, not too many and not too long', async () => {
    const tags = ['a', '', 5, null, 'b', 'x'.repeat(5_000), ...Array.from({ length: 200 }, (_, at) => `t${at}`)];
    const item = (await parsePayload([{ id: ' 7 ', state: ' Ready ', tags }]))?.items[0];
    expect([item?.id, item?.state]).toEqual(['7', 'ready']);
    expect(item?.tags.slice(0, 2)).toEqual(['a', 'b']);
    expect(item?.tags[2]?.length).toBeLessThan(5_000);
    expect(item?.tags.length).toBeLessThan(200);
    expect((await parsePayload([{ id: 1, tags: 'a' }]))?.items[0]?.tags).toEqual(['a']);
    expect((await parsePayload([{ id: 1, tags: { a: 1 } }]))?.items[0]?.tags).toEqual([]);
  });

  it('L18 what is no payload is refused; bad items are skipped and counted', async () => {
    for (const bad of [null, 1, 'x', {}, { items: {} }, { item: [] }]) expect(await parsePayload(bad)).toBeNull();
    const payload = await parsePayload([
      null,
      {},
      { id: '' },
      { id: ' ' },
      { id: Number.NaN },
      { id: 'a' },
      { id: 'a' },
    ]);
    expect(payload?.items).toHaveLength(1);
    expect(payload?.warnings.join()).toContain('6 of 7');
    expect((await parsePayload([{ id: 'x', priority: Number.POSITIVE_INFINITY }]))?.items[0]?.priority).toBeNull();
  });

  it('L18 any JSON is a payload or is not; nothing throws, sizes are bounded', async () => {
    const id = fc.string({ unit: 'grapheme', maxLength: 400 }).filter((text) => text.trim() !== '');
    const item = fc.tuple(id, fc.dictionary(fc.string(), fc.jsonValue())).map(([id, rest]) => ({ ...rest, id }));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.array(fc.jsonValue()), item, async (value, others, whole) => {
        await parsePayload(value);
        const items = (await parsePayload({ items: [...others, whole], fetched_at: value }))?.items ?? [];
        expect(items.length).toBeGreaterThan(0);
        for (const { id } of items) expect([...id].length).toBeLessThanOrEqual(200);
      }),
    );
  });

  it('L6 a code host and a work graph fit by paths, their words for a state by a table', async () => {
    const issues = { data: { issues: [{ number: 7, name: 't', labels: [{ name: 'a' }, { name: 'b' }], s: 'OPEN' }] } };
    const map = { id: 'number', title: 'name', tags: 'labels.name', state: 's' };
    const payload = await parsePayload(issues, { items: 'data.issues', map, states: { open: 'ready' } });
    expect(payload?.items).toMatchObject([{ id: '7', title: 't', tags: ['a', 'b'], state: 'ready' }]);
    const list = [
      { id: 'x', state: 'closed' },
      { id: 'y', state: ['odd', 'held'] },
    ];
    expect(await ids(list, { states: { closed: 'omit', held: 'blocked' } })).toEqual(['y']);
    for (const items of ['a', 'data', '__proto__', 'data.__proto__.x', 'constructor.name'])
      expect([items, await parsePayload(issues, { items })]).toEqual([items, null]);
    // A list of what are no items.
    expect(await parsePayload(issues, { items: 'data.issues.number' })).toMatchObject({
      items: [],
      warnings: [expect.stringContaining('1 of 1 items are skipped')],
    });
  });

  it('L17 what cannot be checked is dropped, only the best are looked at, and nothing unseen gets in', async () => {
    const list = Array.from({ length: 300 }, (_, at) => ({ id: `i${at}`, priority: at }));
    const seen: string[] = [];
    const payload = await cleanPayload(list, FILE, async (value, path) => {
      seen.push(path);
      if (path === 'items[1]') throw new Error('secret');
      return { value: path === 'items[2]' ? null : value, actions: [] };
    });
    expect(seen).toHaveLength(100);
    expect(payload).toMatchObject({ total: 300 });
    expect(payload?.items).toHaveLength(98);
    expect(payload?.warnings).toEqual([
      'only the best 100 of 300 items are looked at.',
      'items[1] could not be checked and is dropped.',
    ]);
  });

  it('L17 L18 what is looked at is bounded by count, never by the clock', async () => {
    const long = 'word '.repeat(8_000);
    const payload = await parsePayload(
      Array.from({ length: 60 }, (_, at) => ({ id: `i${at}`, priority: at, summary: long })),
    );
    expect(payload?.items).toHaveLength(14);
    const [huge] = [{ id: 'huge', more: Array.from({ length: 20 }, () => long) }];
    expect((await parsePayload([huge, { id: 'small' }]))?.items.map(({ id }) => id)).toEqual(['small']);
  });

  it('L6 the order is total and the same from any start', () => {
    const item = fc.record({
      id: fc.string(),
      title: fc.constant(''),
      summary: fc.constant(''),
      state: fc.constantFrom(...ITEM_STATES),
      priority: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
      tags: fc.constant<string[]>([]),
      source_updated_at: fc.option(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'), { nil: null }),
    });
    fc.assert(
      fc.property(item, item, item, (a, b, c) => {
        expect(Math.sign(compareItems(a, b)) + Math.sign(compareItems(b, a))).toBe(0);
        if (compareItems(a, b) <= 0 && compareItems(b, c) <= 0) expect(compareItems(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
