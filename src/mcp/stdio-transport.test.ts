import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writtenAnswer } from './stdio-transport.ts';

type Written = ReturnType<typeof writtenAnswer>;

// As the SDK hands them over: the outer objects are new each time, the parts inside are the ones that were served.
function message(id: string | number, value: object, text: string, more: { blocks?: string[]; rest?: object } = {}) {
  const content = [text, ...(more.blocks ?? [])].map((block) => ({ type: 'text', text: block }));
  return { result: { content, structuredContent: { ...value }, ...more.rest }, jsonrpc: '2.0', id } as JSONRPCMessage;
}

function agrees(written: Written, sent: JSONRPCMessage): boolean {
  const line = written(sent);
  if (line === null) return false;
  expect(line.endsWith('\n')).toBe(true);
  expect(line.slice(0, -1)).not.toContain('\n');
  expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(sent)));
  return true;
}

describe('an answer that comes again', () => {
  it('is written as the SDK would write it, from the second time on', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
        fc.array(fc.record({ id: fc.oneof(fc.integer(), fc.string()), blocks: fc.array(fc.string()) })),
        fc.constantFrom({}, { resultType: 'complete', _meta: { a: [1] }, nothing: undefined }),
        (value, calls, rest) => {
          const written = writtenAnswer();
          const text = JSON.stringify(value);
          for (const [index, { id, blocks }] of calls.entries())
            expect(agrees(written, message(id, value, text, { blocks, rest }))).toBe(index > 0);
        },
      ),
    );
  });

  it('is never taken for another: other parts, another text, a text that is no JSON of the parts', () => {
    const tastes = { default: 'calm' };
    const text = JSON.stringify({ tastes });
    const cases: JSONRPCMessage[] = [
      message(1, { tastes: { default: 'warm' } }, text),
      message(1, { tastes }, '# In words'),
      message(1, { tastes, more: 1 }, text),
      message(1, { other: tastes }, text),
      message(1, { other: tastes }, JSON.stringify({ other: tastes })),
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
      { jsonrpc: '2.0', method: 'notifications/message' },
    ];
    for (const between of cases) {
      const written = writtenAnswer();
      for (let time = 0; time < 3; time += 1) agrees(written, message(1, { tastes }, text));
      for (let time = 0; time < 3; time += 1) agrees(written, between);
      agrees(written, message(2, { tastes }, text));
    }
  });
});
