import { expect, it } from 'vitest';
import { parseTask } from '../../src/index.ts';
import { BROKEN_OPERATORS } from '../samples/broken-operators.ts';

const TEMPLATES: Record<string, string> = {
  'one.xml':
    '<task type="atomic"><description>About {{topic}}</description><inputs><input name="topic"/></inputs></task>',
  'broken.xml': '<task type="atomic"/>',
};
const templates = (name: string) => {
  if (name === 'template') return { file: 'template', source: '' };
  return TEMPLATES[name] ? { file: name, source: TEMPLATES[name] } : { problem: 'it is not there' };
};

it('T25 there are at least 60 of them', () => expect(BROKEN_OPERATORS.length).toBeGreaterThanOrEqual(60));

it.each(BROKEN_OPERATORS)('T5 T25 T26 T27 told with its place and a hint: %s', (_, marked, says) => {
  const at = marked.indexOf('‸');
  const before = marked.slice(0, at).split('\n');
  const place = { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
  const { problems } = parseTask(marked.replace('‸', ''), { templates });
  const found = problems.filter(({ message }) => says.test(message));
  expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n')).toMatch(says);
  expect(found.map(({ line, column }) => ({ line, column }))).toContainEqual(place);
  for (const { hint } of problems) expect(hint).not.toBe('');
});
