import { describe, expect, it } from 'vitest';
import type { BearingsError } from '../../errors.ts';
import { assertLimit, limitsOf } from '../policy/limits.ts';
import { argumentsOf, type LoadOptions, normaliseArguments } from './arguments.ts';

const refusal = (work: () => unknown): BearingsError | null => {
  try {
    work();
    return null;
  } catch (error) {
    return error as BearingsError;
  }
};
const PLAIN = {
  ...{ task: '', policy: null, max_files: null, max_chars_per_file: null, max_total_chars: null, max_tokens: null },
  ...{ fallback: 'none', tactical: false, workspace: null, adapters: [], redact: true, now: null },
};

describe('arguments of a load', () => {
  it.each<[LoadOptions, object]>([
    [{}, {}],
    [{ task: '  fix it\n' }, { task: 'fix it' }],
    [{ workspace: 'w' }, { workspace: 'w', tactical: true }],
    [
      { workspace: 'w', tactical: false },
      { workspace: 'w', tactical: false },
    ],
    [{ tactical: true }, { tactical: true }],
    [{ adapters: ['b', 'a', 'b'] }, { adapters: ['a', 'b'] }],
    [{ now: '2026-11-15 10:00' }, { now: '2026-11-15T10:00:00Z' }],
    [
      { redact: false, fallback: 'relaxed', policy: 'p' },
      { redact: false, fallback: 'relaxed', policy: 'p' },
    ],
    [
      { max_files: 1, max_chars_per_file: 2, max_total_chars: 1_000_000_000, max_tokens: 4 },
      { max_files: 1, max_chars_per_file: 2, max_total_chars: 1_000_000_000, max_tokens: 4 },
    ],
    [
      { adapter_file: '.cortex/reports/beads.json', adapter_max_items: 2, adapter_stale_seconds: 0 },
      { adapter_file: '.cortex/reports/beads.json', adapter_max_items: 2, adapter_stale_seconds: 0 },
    ],
    [{ adapter_file: null, adapter_max_items: undefined }, {}],
    [{ max_files: null, task: '😀'.repeat(100_000) }, { task: '😀'.repeat(100_000) }],
    [{ task: '😀'.repeat(100_001) }, { task: `${'😀'.repeat(50_000)}…${'😀'.repeat(50_000)}` }],
  ])('L13 L14 have one form for every way to say the same', (options, form) =>
    expect(normaliseArguments(options)).toEqual({ ...PLAIN, ...form }),
  );

  it.each<[string, LoadOptions, string]>([
    ['an unknown level', { fallback: 'all' as never }, 'fallback must be none, relaxed or unrestricted.'],
    ['a time that is none', { now: 'soon' }, 'now must be a time such as 2026-11-15T10:00:00Z.'],
    ['no files', { max_files: 0 }, 'max_files must be a whole number from 1 to 1000000000.'],
    ['too many tokens', { max_tokens: 1_000_000_001 }, 'max_tokens must be a whole number from 1 to 1000000000.'],
    ['an adapter file outside', { adapter_file: '../x.json' }, 'adapter_file must not leave the project with "..".'],
    ['no items', { adapter_max_items: 0 }, 'adapter_max_items must be a whole number from 1 to 100.'],
    ['half a second', { adapter_stale_seconds: 0.5 }, 'adapter_stale_seconds must be a whole number from 0.'],
    ['half a character', { max_total_chars: 0.5 }, 'max_total_chars must be a whole number from 1 to 1000000000.'],
  ])('L8 %s is refused', (_, options, message) =>
    expect(refusal(() => normaliseArguments(options))).toMatchObject({ code: 'invalid_input', message }),
  );

  it('L16 those of a bundle are read back as they were written', () => {
    const written = normaliseArguments({ task: 't', workspace: 'w', adapters: ['a'], now: '2026-11-15', policy: 'p' });
    expect(argumentsOf({ version: 1, arguments: written })).toEqual(written);
    expect(argumentsOf({ version: 1, arguments: PLAIN })).toEqual(PLAIN);
    const withFile = normaliseArguments({ adapter_file: 'a.json', adapter_max_items: 3, adapter_stale_seconds: 60 });
    expect(argumentsOf({ version: 1, arguments: withFile })).toEqual(withFile);
    const cut = normaliseArguments({ task: 'x '.repeat(100_000) });
    expect(argumentsOf({ version: 1, arguments: cut })).toEqual(cut);
  });

  it.each<[string, unknown]>([
    ['no record', []],
    ['another version', { version: 2, arguments: PLAIN }],
    ['no arguments', { version: 1 }],
    ['a task that is not text', { version: 1, arguments: { ...PLAIN, task: 1 } }],
    ['a policy that is not text', { version: 1, arguments: { ...PLAIN, policy: 1 } }],
    ['a workspace that is not text', { version: 1, arguments: { ...PLAIN, workspace: {} } }],
    ['a time that is not text', { version: 1, arguments: { ...PLAIN, now: 5 } }],
    ['tactical by word', { version: 1, arguments: { ...PLAIN, tactical: 'yes' } }],
    ['adapters by name', { version: 1, arguments: { ...PLAIN, adapters: 'a' } }],
    ['an adapter that is not text', { version: 1, arguments: { ...PLAIN, adapters: [1] } }],
  ])('L16 %s is no bundle', (_, bundle) =>
    expect(refusal(() => argumentsOf(bundle))).toMatchObject({
      code: 'invalid_input',
      message: 'This file holds no bundle.',
    }),
  );
});

describe('limits', () => {
  it('L12 relaxed doubles every limit, unrestricted lifts them, tokens only where they are counted', () => {
    const limits = { max_files: 1, max_chars_per_file: 2, max_total_chars: 3, max_tokens: 4 };
    expect(limitsOf('none', limits)).toEqual(limits);
    expect(limitsOf('relaxed', limits)).toEqual({
      max_files: 2,
      max_chars_per_file: 4,
      max_total_chars: 6,
      max_tokens: 8,
    });
    expect(limitsOf('relaxed', { ...limits, max_tokens: null }).max_tokens).toBeNull();
    expect(limitsOf('unrestricted', limits)).toEqual({
      max_files: null,
      max_chars_per_file: null,
      max_total_chars: null,
      max_tokens: null,
    });
  });

  it('L8 the hint names the flag', () =>
    expect(refusal(() => assertLimit('max_files', '3'))?.hint).toContain('--max-files 20'));
});
