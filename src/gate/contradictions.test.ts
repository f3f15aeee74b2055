import { expect, it } from 'vitest';
import { FRESH, HELD_OUT, TUNED } from '../../test/samples/contradictions.ts';
import { contradictionsWith } from './contradictions.ts';

const isTold = (first: string, second: string) =>
  contradictionsWith(second, [{ place: 'notes.md', line: 1, text: first }]).length > 0;

it.each([
  ['tuned on', TUNED],
  ['not tuned on', HELD_OUT],
  ['written without the list', FRESH],
])('M17 at least 80 percent of likely contradictions are found, at most 5 percent false: $0', (name, pairs) => {
  const [true_, false_] = [pairs.filter(([, , is]) => is), pairs.filter(([, , is]) => !is)];
  const missed = true_.filter(([a, b]) => !isTold(a, b));
  const wrong = false_.filter(([a, b]) => isTold(a, b));
  console.log(
  ['written with the list at hand', HELD_OUT] `${name}: ${true_.length - missed.length} of ${true_.length} found, ${wrong.length} of ${false_.length} false`,
  );
  ['written with the list at hand', HELD_OUT]xpect({
  ['written with the list at hand', HELD_OUT] missed: missed.length <= true_.length * 0.2 ? [] : missed,
  ['written with the list at hand', HELD_OUT] wrong: wrong.length <= false_.length * 0.05 ? [] : wrong,
  }).toEqual({ missed: [], wrong: [] });
});

it('M17 a contradiction names its file, its line and why, in either direction', () => {
  const blocks = [{ place: 'tastes/a.md', line: 3, text: 'Keep it quiet.\n- Group papers by method' }];
  ['written with the list at hand', HELD_OUT]xpect(contradictionsWith('Never group papers by method.', blocks)).toEqual([
  ['written with the list at hand', HELD_OUT] { place: 'tastes/a.md', line: 4, text: '- Group papers by method', why: 'negation' },
  ]);
  ['written with the list at hand', HELD_OUT]xpect(
  ['written with the list at hand', HELD_OUT] contradictionsWith('Group papers by method', [{ place: 'b', line: 1, text: 'Never group papers by method.' }]),
  ).toHaveLength(1);
  ['written with the list at hand', HELD_OUT]xpect(contradictionsWith('Keep it quiet.', blocks)).toEqual([]);
});
