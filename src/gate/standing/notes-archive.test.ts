import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, collapsed } from '../ledger/text-blocks.ts';
import { archiveAfter } from './tidy.ts';

const block = fc.stringMatching(/^[a-d ]{0,3}[a-d]{1,4}(\n[a-d]{1,4})?$/);

describe('M4 the archive', () => {
  it('M4 takes blocks in once, gives them back, and leaves all others as they are', () => {
    expect(archiveAfter('', { add: ['One.\nof two'], drop: [] })).toBe('One.\nof two\n');
    expect(archiveAfter('One.\r\n', { add: ['Two.'], drop: [] })).toBe('One.\r\n\r\nTwo.\r\n');
    expect(archiveAfter('One.\n\nTwo.\n', { add: ['  One. '], drop: ['Two.'] })).toBe('One.\n');
  });

  it('M24 the same change twice is the same change: a crash may have made it already', () => {
    fc.assert(
      fc.property(fc.array(block), fc.array(block), fc.array(block), (there, add, drop) => {
        const archive = there.join('\n\n');
        const once = archiveAfter(archive, { add, drop });
        expect(
          archiveAfter(once, { add, drop: drop.filter((each) => !add.map(collapsed).includes(collapsed(each))) }),
        ).toBe(once);
        const prints = blocksOf(once).map(collapsed);
        for (const each of add.flatMap(blocksOf)) expect(prints).toContain(collapsed(each));
      }),
    );
  });
});
