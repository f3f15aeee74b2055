import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../policy/extend-policy.ts';
import { DEFAULT_PARTITIONS } from '../policy/limits.ts';
import { partition, SLICES } from './partitions.ts';

const rooms = (files: number, chars: number, on: { tactical?: boolean; adapters?: number } = {}) =>
  partition(
    { max_files: files, max_chars_per_file: 2500, max_total_chars: chars, max_tokens: null },
    DEFAULT_PARTITIONS,
    { tactical: on.tactical ?? false, adapters: on.adapters ?? 0 },
  );
const short = (made: ReturnType<typeof rooms>) =>
  Object.fromEntries(SLICES.map((slice) => [slice, [made[slice].files, made[slice].chars]]));

describe('partitions', () => {
  it('L9 the default budget', () => {
    expect(short(rooms(12, 30_000))).toEqual({
      control_plane: [7, 12_000],
      task: [5, 18_000],
      tactical: [0, 0],
      adapter: [0, 0],
    });
    expect(short(rooms(12, 30_000, { tactical: true, adapters: 1 }))).toEqual({
      control_plane: [7, 12_000],
      task: [3, 12_000],
      tactical: [1, 3_000],
      adapter: [1, 3_000],
    });
  });

  it('L9 every adapter that is on has a share, up to three', () => {
    expect(rooms(12, 30_000, { adapters: 2 }).adapter).toMatchObject({ files: 2, chars: 6_000 });
    expect(rooms(12, 30_000, { adapters: 9, tactical: true }).adapter).toMatchObject({ files: 3, chars: 9_000 });
    expect(rooms(12, 30_000, { adapters: 9, tactical: true }).task.files).toBe(1);
  });

  it.each([
    [1, { control_plane: 1, adapter: 0, tactical: 0, task: 0 }],
    [2, { control_plane: 1, adapter: 0, tactical: 0, task: 1 }],
    [3, { control_plane: 1, adapter: 1, tactical: 0, task: 1 }],
    [4, { control_plane: 2, adapter: 1, tactical: 0, task: 1 }],
    [5, { control_plane: 2, adapter: 1, tactical: 1, task: 1 }],
    [6, { control_plane: 3, adapter: 1, tactical: 1, task: 1 }],
    [24, { control_plane: 14, adapter: 2, tactical: 2, task: 6 }],
  ])('L9 %i files are given in order, one kept for the task', (files, expected) => {
    const made = rooms(files, 30_000, { tactical: true, adapters: 1 });
    expect(Object.fromEntries(SLICES.map((slice) => [slice, made[slice].files]))).toEqual(expected);
  });

  it('L9 whatever the budget: all of it is given, nothing twice, the order of precedence holds', () => {
    const budget = fc.integer({ min: 1, max: 1_000_000_000 });
    fc.assert(
      fc.property(budget, budget, fc.boolean(), fc.nat(5), (files, chars, tactical, adapters) => {
        const made = rooms(files, chars, { tactical, adapters });
        expect(SLICES.reduce((sum, slice) => sum + made[slice].files, 0)).toBe(files);
        expect(SLICES.reduce((sum, slice) => sum + made[slice].chars, 0)).toBe(chars);
        expect(made.control_plane.files).toBe(Math.max(1, Math.floor((files * 7) / 12)));
        if (files >= 2) expect(made.task.files).toBeGreaterThanOrEqual(1);
        if (chars >= 2) expect(made.task.chars).toBeGreaterThanOrEqual(1);
        if (!tactical) expect(made.tactical.files).toBe(0);
        for (const slice of ['tactical', 'adapter'] as const)
          expect(made[slice].files === 0).toBe(made[slice].chars === 0);
        if (files >= 5 && chars >= 5 && adapters > 0) expect(made.adapter.files).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [1, {}, { control_plane: 1, adapter: 0, tactical: 0, task: 0 }],
    [2, {}, { control_plane: 1, adapter: 0, tactical: 0, task: 1 }],
    [3, {}, { control_plane: 2, adapter: 0, tactical: 0, task: 1 }],
    [8, {}, { control_plane: 7, adapter: 0, tactical: 0, task: 1 }],
    [9, {}, { control_plane: 7, adapter: 0, tactical: 0, task: 2 }],
    [8, { tactical: true, adapters: 1 }, { control_plane: 5, adapter: 1, tactical: 1, task: 1 }],
    [24, { tactical: true, adapters: 1 }, { control_plane: 14, adapter: 2, tactical: 2, task: 6 }],
  ])('L9 of %i files the control plane has its least, from the task’s room alone: %j', (files, on, expected) => {
    const made = partition(
      { max_files: files, max_chars_per_file: 2500, max_total_chars: 30_000, max_tokens: null },
      BUILT_IN.cortex.partitions,
      { tactical: false, adapters: 0, ...on },
    );
    expect(Object.fromEntries(SLICES.map((slice) => [slice, made[slice].files]))).toEqual(expected);
  });

  it('L12 lifted limits lift the partitions of what is on', () => {
    const lifted = { max_files: null, max_chars_per_file: null, max_total_chars: null, max_tokens: null };
    const made = partition(lifted, DEFAULT_PARTITIONS, { tactical: true, adapters: 0 });
    expect(made.task.files).toBe(Number.POSITIVE_INFINITY);
    expect(made.tactical.chars).toBe(Number.POSITIVE_INFINITY);
    expect(made.adapter.files).toBe(0);
  });
});
