import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertContextShape } from '../../test/support/context-shape.ts';
import type { FileResult } from '../files/read-file.ts';
import { wholeNotes } from './brief-and-notes.ts';
import { type ContextSource, readContext } from './read-context.ts';

const MISSING = { status: 'missing' } as const;
const unreadable = { status: 'unreadable', reason: 'it is a directory' } as const;
const ok = <T>(value: T): FileResult<T> => ({ status: 'ok', value });
const textFile = (text: string, valid = true) => ok({ text, valid, identity: text });

function sourceOf(parts: Partial<ContextSource> = {}): ContextSource {
  return {
    defaultTaste: () => ({ name: '_default.md', file: MISSING, isDouble: false }),
    genre: () => MISSING,
    brief: () => MISSING,
    notes: () => MISSING,
    lastRecords: () => MISSING,
    ...parts,
  };
}

describe('readContext', () => {
  it('M5 M12 gives the empty struct of a fresh workspace, without a warning', () => {
    const { context, warnings } = readContext(sourceOf());
    expect(JSON.stringify(context)).toBe(
      '{"tastes":{"default":"","genres":{},"conflicts":[]},"brief":{"raw":"","intent":"","tastes":[]},"notes":{"summary":"","truncated":false},"recent_log":[],"recent_gaps":[]}',
    );
    expect(warnings).toEqual([]);
  });

  it('M12 warns of each file that is there and unreadable', () => {
    const { context, warnings } = readContext(
      sourceOf({
        defaultTaste: () => ({ name: '_default.md', file: unreadable, isDouble: false }),
        brief: () => unreadable,
        notes: () => unreadable,
        lastRecords: () => unreadable,
      }),
    );
    assertContextShape(context);
    const names = ['brief.md', '_default.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl'];
    expect(warnings).toEqual(names.map((name) => `${name} can't be read: it is a directory. It counts as empty.`));
  });

  it('M12 warns of replaced bytes and skipped lines', () => {
    const { warnings } = readContext(
      sourceOf({
        brief: () => ok({ text: '\ufffd', valid: false }),
        notes: () => ok({ notes: wholeNotes('x'), valid: false }),
        lastRecords: () => ok({ records: [], skipped: 2, valid: false }),
      }),
    );
    expect(warnings.filter((warning) => warning.includes('not valid UTF-8'))).toHaveLength(4);
    expect(warnings).toContain('log.jsonl: 2 lines hold no JSON object and are skipped.');
    const one = readContext(sourceOf({ lastRecords: () => ok({ records: [], skipped: 1, valid: true }) }));
    expect(one.warnings).toContain('log.jsonl: 1 line holds no JSON object and is skipped.');
  });

  it('M6 asks only for declared genres, in their order', () => {
    const asked: string[] = [];
    const { context } = readContext(
      sourceOf({
        brief: () => ok({ text: 'Tastes: 10, 2, none', valid: true }),
        defaultTaste: () => ({ name: '_default.md', file: textFile('default'), isDouble: false }),
        genre: (name) => {
          asked.push(name);
          return name === 'none' ? MISSING : textFile(name);
        },
      }),
    );
    expect(asked).toEqual(['10', '2', 'none']);
    expect(JSON.stringify(context.tastes)).toBe('{"default":"default","genres":{"10":"10","2":"2"},"conflicts":[]}');
  });

  it('M9 keeps a genre without a file in brief.tastes, out of genres, and warns', () => {
    const { context, warnings } = readContext(sourceOf({ brief: () => ok({ text: 'Tastes: wildlife', valid: true }) }));
    expect(context.brief.tastes).toEqual(['wildlife']);
    expect(context.tastes.genres).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('wildlife.md is declared but missing')]);
  });

  it('M3 warns of the older single file', () => {
    const { context, warnings } = readContext(
      sourceOf({ defaultTaste: () => ({ name: '_default.md', file: textFile('old'), isDouble: true }) }),
    );
    expect(context.tastes.default).toBe('old');
    expect(warnings).toEqual([expect.stringContaining('two default tastes, tastes/_default.md and taste.md')]);
  });

  it('M12 gives the exact shape whatever the files hold', () => {
    const noise = fc.string({ unit: 'binary', maxLength: 80 });
    const brief = fc.oneof(
      noise,
      noise.map((names) => `Tastes: ${names}`),
    );
    const record = fc.dictionary(fc.oneof(noise, fc.constantFrom('op', 'satisfaction', 'notes')), fc.jsonValue());
    fc.assert(
      fc.property(brief, noise, fc.array(record, { maxLength: 10 }), (text, taste, records) => {
        const { context } = readContext(
          sourceOf({
            brief: () => ok({ text, valid: true }),
            genre: () => textFile(taste),
            notes: () => ok({ notes: wholeNotes(taste), valid: true }),
            lastRecords: () => ok({ records, skipped: 0, valid: true }),
          }),
        );
        assertContextShape(context);
      }),
    );
  });

  it('M5 gives what the files hold and warns of nothing that is right', () => {
    const asked: unknown[] = [];
    const { context, warnings, declaredAt, notesLines } = readContext(
      sourceOf({
        brief: () => textFile('About it.\n\nTastes: sea'),
        defaultTaste: () => ({ name: '_default.md', file: textFile('calm'), isDouble: false }),
        genre: () => textFile('blue'),
        notes: () => ok({ notes: wholeNotes('one\ntwo\n'), valid: true }),
        lastRecords: (file, count) => {
          asked.push([file, count]);
          return ok({ records: [{ op: file, description: file }, { op: 'older' }], skipped: 0, valid: true });
        },
      }),
    );
    expect(warnings).toEqual([]);
    expect(asked).toEqual([
      ['log.jsonl', 10],
      ['vocabulary_gaps.jsonl', 10],
    ]);
    expect(context.tastes).toEqual({ default: 'calm', genres: { sea: 'blue' }, conflicts: [] });
    expect(context.brief.intent).toBe('About it.');
    expect(context.notes).toEqual({ summary: 'one\ntwo\n', truncated: false });
    expect(context.recent_log.map(({ op }) => op)).toEqual(['log.jsonl', 'older']);
    expect(context.recent_gaps.map(({ description }) => description)).toEqual(['vocabulary_gaps.jsonl', '']);
    expect([[...declaredAt], notesLines]).toEqual([[['sea', 3]], 2]);
    expect(readContext(sourceOf()).notesLines).toBe(0);
  });

  it('M12 a genre that is there and can’t be read is told as that, not as missing', () => {
    const brief = () => textFile('Tastes: sea');
    const { context, warnings } = readContext(sourceOf({ brief, genre: () => unreadable }));
    expect(warnings).toEqual(["sea.md can't be read: it is a directory. It counts as empty."]);
    expect(context.tastes.genres).toEqual({});
    expect(readContext(sourceOf({ brief, genre: () => textFile('x', false) })).warnings).toEqual([
      'sea.md is not valid UTF-8: bad bytes are shown as U+FFFD. Save it as UTF-8.',
    ]);
  });

  it('M9 hands on what the brief says that is refused', () => {
    const { warnings } = readContext(sourceOf({ brief: () => textFile('Tastes: ../x') }));
    expect(warnings).toEqual([expect.stringContaining('brief.md names the taste "../x"')]);
  });
});
