import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileView } from './memory.ts';

type Blocks = Parameters<typeof fileView>[0]['blocks'];

function blocksOf(texts: readonly string[]): Blocks {
  let line = 1;
  return texts.map((text, index) => {
    const lines = text.split('\n').length;
    const block = {
      first_line: line,
      last_line: line + lines - 1,
      fingerprint: String(index),
      mixed: false,
      text,
      origin: null,
    };
    line += lines + 1;
    return block;
  });
}

const view = (texts: readonly string[]) =>
  fileView({ target: 't', image_id: null, file: 'f', blocks: blocksOf(texts), faults: [] });

it('every block is in exactly one passage, in order, and no passage has too many', () => {
  const text = fc.array(fc.constantFrom('a', '- b', '```', '~~~', ''), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(
        text.map((lines) => `x\n${lines.join('\n')}`),
        { maxLength: 300 },
      ),
      (texts) => {
        const { passages } = view(texts);
        expect(passages.flatMap(({ blocks }) => blocks).map((block) => block.text)).toEqual(texts);
        for (const { blocks } of passages) expect(blocks.length).toBeLessThan(200);
      },
    ),
    { numRuns: 50 },
  );
});

it('a fence with blank lines is one passage', () => {
  const { passages } = view(['before', '```js\nconst a = 1;', 'const b = 2;\n```', 'after']);
  expect(passages.map(({ text }) => text)).toEqual(['before', '```js\nconst a = 1;\n\nconst b = 2;\n```', 'after']);
});

it('growth never falls, ends at all lines that were decided, and stays short', () => {
  const times = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 2000 });
  fc.assert(
    fc.property(times, (all) => {
      const decided = {
        decision: 'accept',
        who: 'me',
        client: null,
        proposed_by: null,
        proposal_id: null,
        session_id: null,
      } as const;
      const rest = { edited: false, machine: 'm', seq: 1, signed_by: 'you', key: 'k' } as const;
      const blocks = blocksOf(all.map(() => 'one line')).map((block, index) => ({
        ...block,
        origin: { ...decided, ...rest, at: new Date((all[index] ?? 0) * 1000).toISOString() },
      }));
      const { growth } = fileView({ target: 't', image_id: null, file: 'f', blocks, faults: [] });
      expect(growth.at(-1)?.lines).toBe(all.length);
      expect(growth.length).toBeLessThanOrEqual(242);
      for (const [index, point] of growth.entries())
        expect(point.lines).toBeGreaterThan(index === 0 ? 0 : (growth[index - 1]?.lines ?? 0));
    }),
    { numRuns: 30 },
  );
});
