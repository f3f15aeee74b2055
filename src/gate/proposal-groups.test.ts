import { expect, it } from 'vitest';
import { foldRepeats, minutesFor } from './proposal-groups.ts';
import type { Proposal } from './proposals/proposal.ts';

const proposal = (content: string, more: Partial<Proposal> = {}): Proposal => ({
  version: 1,
  proposal_id: `p_${content} ${more.kind ?? ''}${more.replaces ?? ''}`,
  kind: 'notes',
  image_id: 'w',
  file: 'notes.md',
  content,
  content_sha256: '',
  category: null,
  reason: null,
  replaces: null,
  session_id: 's1',
  client: 'studio',
  created_at: '2026-11-16T10:00:00.000Z',
  ...more,
});
const folded = (...texts: string[]) =>
  foldRepeats(texts.map((text) => proposal(text))).map((each) => [
    each.proposal.content,
    ...each.repeats.map(({ content }) => content),
  ]);

it('M47 near repeats are folded under the one that says the most', () => {
  expect(
    folded('The parser drops the last token.', 'Something else here.', 'The parser drops the very last token.'),
  ).toEqual([['Something else here.'], ['The parser drops the very last token.', 'The parser drops the last token.']]);
});

it('M47 another number, the opposite, another file and a replacement are no repeats', () => {
  expect(folded('Start the white balance from 5400 K.', 'Start the white balance from 5200 K.')).toHaveLength(2);
  expect(folded('Lift the shadows on the subject.', 'Never lift the shadows on the subject.')).toHaveLength(2);
  expect(
    folded('The parser drops the last token of a line.', 'The router drops the last token of a line.'),
  ).toHaveLength(2);
  const text = 'Keep the water blue and quiet.';
  expect(foldRepeats([proposal(text), proposal(text, { kind: 'taste', file: 'a.md', image_id: null })])).toHaveLength(
    2,
  );
  expect(foldRepeats([proposal(text), proposal(text, { replaces: 'x' })])).toHaveLength(2);
});

it('M47 the time to decide grows with what is to be read', () => {
  expect(minutesFor([])).toBe(0);
  expect(minutesFor(['short'])).toBe(1);
  expect(minutesFor(Array.from({ length: 100 }, () => 'x'.repeat(150)))).toBe(25);
});
