import { describe, expect, it } from 'vitest';
import { splitNotes } from './atomic.ts';

const derived = (summary: string) => ({ summary, derived: true, model: 'm' });

describe('the notes of an answer', () => {
  it('T10 are what is between the last marks, at the end', () => {
    expect(splitNotes('text\n<notes> short </notes>\n', 'm')).toEqual({
      content: 'text',
      notes: { summary: 'short', model: 'm' },
    });
    expect(splitNotes('<notes>all</notes>', 'm')).toEqual({ content: '', notes: { summary: 'all', model: 'm' } });
    expect(splitNotes('<notes>a</notes> text <notes>b</notes>', 'm').notes.summary).toBe('b');
  });

  it('T10 are derived, and say so, where there are none', () => {
    expect(splitNotes('text', 'm')).toEqual({ content: 'text', notes: derived('text') });
    expect(splitNotes('text <notes> </notes>', 'm')).toEqual({ content: 'text', notes: derived('text') });
    for (const answer of ['a </notes> b', 'a <notes> b', '<notes>a</notes> and more', '</notes><notes>'])
      expect(splitNotes(answer, 'm')).toEqual({ content: answer, notes: derived(answer) });
  });

  it('T10 derived notes end at a sentence, else at a word, else anywhere, with at most 600 characters', () => {
    const summaryOf = (text: string) => splitNotes(text, 'm').notes.summary;
    expect(summaryOf('x'.repeat(600))).toBe('x'.repeat(600));
    expect(summaryOf('x'.repeat(601))).toBe(`${'x'.repeat(599)}…`);
    expect(summaryOf('🙂'.repeat(600))).toBe('🙂'.repeat(600));
    expect(summaryOf(`${'word '.repeat(100)}end. ${'more '.repeat(100)}`)).toBe(`${'word '.repeat(100)}end.…`);
    expect(summaryOf('word '.repeat(200))).toMatch(/^(?:word )+word…$/);
    expect(summaryOf(`a. ${'y'.repeat(900)}`)).toBe(`a. ${'y'.repeat(596)}…`);
    // From the middle on, so that most of the room is used.
    expect(summaryOf(`${'x'.repeat(300)}. ${'y'.repeat(400)}`)).toBe(`${'x'.repeat(300)}.…`);
    expect(summaryOf(`${'x'.repeat(200)}. ${'y'.repeat(200)} ${'z'.repeat(400)}`)).toBe(
      `${'x'.repeat(200)}. ${'y'.repeat(200)}…`,
    );
    expect(summaryOf(`${'x'.repeat(200)} ${'z'.repeat(500)}`)).toBe(`${'x'.repeat(200)} ${'z'.repeat(398)}…`);
  });
});
