import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareItems, ITEM_STATES, parsePayload } from './adapter-items.ts';

const ids = (payload: unknown) => parsePayload(payload)?.items.map(({ id }) => id);

describe('adapter items', () => {
  it('L6 order: state, priority, updated (newest first, unknown last), id', () => {
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
    expect(ids({ items })).toEqual(['a', 'b', 'c1', 'c2', 'c3', 'c4', 'd', 'e', 'f', 'g']);
    expect(ids([...items].reverse())).toEqual(ids(items));
  });

  it('L14 times without a zone count as UTC and have one written form', () => {
    const payload = parsePayload({
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

  it('L18 what is no payload is refused; bad items are skipped and counted', () => {
    for (const bad of [null, 1, 'x', {}, { items: {} }, { item: [] }]) expect(parsePayload(bad)).toBeNull();
    const payload = parsePayload([null, {}, { id: '' }, { id: ' ' }, { id: Number.NaN }, { id: 'a' }, { id: 'a' }]);
    expect(payload?.items).toHaveLength(1);
    expect(payload?.warnings.join()).toContain('6 of 7');
    expect(parsePayload([{ id: 'x', priority: Number.POSITIVE_INFINITY }])?.items[0]?.priority).toBeNull();
  });

  it('L18 any JSON is a payload or is not; nothing throws, sizes are bounded', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (value, items) => {
        parsePayload(value);
        for (const item of parsePayload({ items, fetched_at: value })?.items ?? [])
          expect([...item.id].length).toBeLessThanOrEqual(200);
      }),
    );
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
