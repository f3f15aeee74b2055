import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../test/support/effort.ts';
import { blocksOf } from '../gate/ledger/text-blocks.ts';
import { planImport } from './import-plan.ts';
import { EXPORT_FORMATS, exportFiles, readChatGpt, readMem0, readSections } from './memory-formats.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const line = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom(
    '# A heading',
    '- an item',
    '```',
    '---',
    '<!-- bearings 0123abcd: notes.md -->',
    '@docs/x.md',
    'Tastes: a',
    '> quoted',
    '<b>&amp;',
  ),
);
// A text as any editor leaves it: runs of lines, blank lines between.
const text = fc
  .array(fc.array(line, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  .map((blocks) =>
    blocks
      .map((lines) => lines.map((each) => each.replace(/[\r\n\u2028\u2029\u0085\u000b\u000c]/g, ' ')).join('\n'))
      .join('\n\n'),
  )
  .filter((whole) => blocksOf(whole).length > 0);

describe('M45 round trip', () => {
  for (const format of EXPORT_FORMATS)
    it(`M45 ${format}: what goes out and comes in again is the same blocks, each where it was`, () => {
      fc.assert(
        fc.property(text, text, text, (taste, brief, notes) => {
          const memory = {
            id: 'manta',
            tastes: [
              { name: '_default', text: taste },
              { name: 'water', text: notes },
            ],
            brief,
            notes,
            records: new Map(),
          };
          const files = exportFiles(format, memory, sha256);
          const items = files.flatMap(({ path, text: whole }) =>
            planImport({ name: path, text: whole, to: targetOf(format, path) }),
          );
          const blocks = (kind: string, file: string) =>
            items
              .filter((item) => item.kind === kind && item.file === file)
              .flatMap(({ content }) => blocksOf(content));
          if (format === 'chemigram') {
            // Its files are plain ones, as ours: their bytes are what goes over.
            expect(files.map(({ path, text: whole }) => [path, whole])).toEqual([
              ['tastes/_default.md', taste],
              ['tastes/water.md', notes],
              ['images/manta/brief.md', brief],
              ['images/manta/notes.md', notes],
            ]);
            return;
          }
          expect(blocks('taste', '_default.md')).toEqual(blocksOf(taste));
          expect(blocks('taste', 'water.md')).toEqual(blocksOf(notes));
          expect(blocks('notes', 'notes.md')).toEqual(blocksOf(notes));
          expect(blocks('brief', 'brief.md')).toEqual(blocksOf(brief));
        }),
        { numRuns: effort(300) },
      );
    });

  it('M45 a file that is not ours has no sections; a mark of another export is text', () => {
    expect(readSections('# Rules\n\nUse pnpm.\n')).toBeNull();
    const other = 'a\n<!-- bearings 01234567: tastes/_default.md -->\nb';
    const [file] = exportFiles(
      'agents',
      { id: 'x', tastes: [], brief: null, notes: other, records: new Map() },
      sha256,
    );
    expect(readSections(file?.text ?? '')).toEqual([{ target: 'notes.md', text: expect.stringContaining(other) }]);
  });
});

function targetOf(_: string, path: string) {
  return path.startsWith('tastes/') ? ({ kind: 'taste', file: path.slice(7) } as const) : ({ kind: 'notes' } as const);
}

describe('M45 exports of others', () => {
  it('M45 mem0: a list of memories, in each of its forms', () => {
    const wanted = ['Likes tea', 'Works\nat night'];
    const items = wanted.map((memory, id) => ({ id, memory, hash: 'x', metadata: null }));
    for (const value of [items, { results: items }, { memories: items }, wanted])
      expect(readMem0(JSON.stringify(value))).toEqual(wanted);
    for (const bad of ['', 'no JSON', '{}', '{"results":3}', '[1,null,{"memory":7}]'])
      expect(readMem0(bad) ?? []).toEqual([]);
  });

  it('M45 ChatGPT: the last saved memories in its conversations, one text each', () => {
    const saved = (text: string) => ({
      mapping: { a: { message: { content: { content_type: 'model_editable_context', model_set_context: text } } } },
    });
    const export_ = [
      saved('1. [2024-05-01]. Old'),
      { mapping: {} },
      saved('1. [2024-05-01]. Likes tea\n\n2. [2024-06-01]. Works\nat night'),
    ];
    expect(readChatGpt(JSON.stringify(export_))).toEqual(['Likes tea', 'Works\nat night']);
    expect(readChatGpt('["a", "b"]')).toEqual(['a', 'b']);
    expect(readChatGpt('<html>')).toBeNull();
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(readChatGpt(deep) ?? []).toEqual([]);
  });
});
