import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { accountsOf, signedEntry as entry, sha256 } from '../../../test/support/signed-entry.ts';
import { fileBlocks, fingerprintOf, withoutLines } from '../ledger/text-blocks.ts';
import { type Accounts, accountBlock } from './accounts.ts';
import { planTidy } from './tidy.ts';

const accepted = (...texts: string[]) => accountsOf([texts.map((text, index) => entry(index + 1, 'accept', text))]);
const tidied = (text: string, accounts: Accounts) => planTidy(text, accounts, sha256);
const fingerprints = (...texts: string[]) => texts.map((text) => fingerprintOf(text, sha256));

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const blank = fc.constantFrom('', ' ', '\t ');
// What comes after a block: the end of its last line and at least one blank line; after the last one less will do.
const gapOf = (end: string, least: number) =>
  fc.array(blank, { minLength: least, maxLength: 3 }).map((blanks) => end + blanks.map((each) => each + end).join(''));

describe('the blocks of a file', () => {
  it('M32 hold every line that is not blank, once, with the number it has', () => {
    const line = fc.constantFrom('', ' ', '\t', 'a', ' b ', '- c');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, lineEnd), { maxLength: 12 }), line, (parts, last) => {
        const lines = [...parts.map(([text]) => text), last];
        // A CR before an LF would be one line end.
        const text = parts.map(([each, end]) => each + (end === '\r' ? '\n' : end)).join('') + last;
        const blocks = fileBlocks(text);
        const numbered = blocks.flatMap(({ firstLine, lines }) => lines.map((each, at) => [firstLine + at, each]));
        expect(numbered).toEqual(lines.map((each, at) => [at + 1, each]).filter(([, each]) => `${each}`.trim() !== ''));
        for (const [at, { firstLine, lines }] of blocks.entries()) {
          expect(lines.length).toBeGreaterThan(0);
          expect(blocks[at + 1]?.firstLine ?? Number.POSITIVE_INFINITY).toBeGreaterThan(firstLine + lines.length);
        }
      }),
    );
  });
});

interface Known {
  text: string;
  /** Null: no decision stands behind it. */
  allowed: number | null;
}
const KNOWN: Known[] = [
  { text: 'one', allowed: 1 },
  { text: 'two a\ntwo b', allowed: 1 },
  { text: 'three a\nthree b\nthree c', allowed: 1 },
  { text: 'no head # at all', allowed: 1 },
  { text: 'no rule ---', allowed: 1 },
  { text: '--- no rule', allowed: 1 },
  { text: 'by hand twice', allowed: 2 },
  ...['# Head', '---', '*****', '___', '<!-- note -->', '## Over\n****'].map((text) => ({ text, allowed: 99 })),
  { text: '# With\ntext', allowed: 1 },
  { text: 'mine', allowed: null },
  { text: 'also\nmine', allowed: null },
];
const ACCOUNTS = accountsOf([
  [
    ...KNOWN.filter(({ allowed }) => allowed === 1 || allowed === 99).map(({ text }, at) =>
      entry(at + 1, 'accept', text),
    ),
    entry(50, 'adopt', 'by hand twice\n\nby hand twice'),
  ],
]);

// A file as a merge could leave it: known blocks ran together, are there again, or have a line of the person beside them.
const mergedFile = lineEnd.chain((end) => {
  const fileBlock = fc
    .array(fc.constantFrom(...KNOWN), { minLength: 1, maxLength: 4 })
    .filter((parts) => parts.filter(({ allowed }) => allowed === null).length < 2);
  return fc.record({
    end: fc.constant(end),
    lead: fc.array(blank, { maxLength: 2 }).map((blanks) => blanks.map((each) => each + end).join('')),
    blocks: fc.array(fc.tuple(fileBlock, gapOf(end, 1)), { minLength: 1, maxLength: 6 }),
    last: fc.oneof(fc.constant(''), gapOf(end, 0)),
  });
});

// The same by the words of the rule: every known block by itself and once, all else as it is.
function expected({ end, lead, blocks, last }: typeof mergedFile extends fc.Arbitrary<infer T> ? T : never) {
  const seen = new Map<Known, number>();
  const told = { fused: 0, doubled: 0, retired: 0, blocks: new Set<string>() };
  const kept: { body: string; gap: string }[] = [];
  let isLastGone = false;
  for (const [at, [parts, between]] of blocks.entries()) {
    const gap = at === blocks.length - 1 ? last : between;
    const stay = parts.filter((part) => {
      if (part.allowed === null) return true;
      seen.set(part, (seen.get(part) ?? 0) + 1);
      return (seen.get(part) ?? 0) <= part.allowed;
    });
    const isFused = parts.length > 1 && parts.every(({ allowed }) => allowed !== null);
    const isChanged = isFused || stay.length < parts.length;
    if (isFused) told.fused += 1;
    told.doubled += parts.length - stay.length;
    if (isChanged) for (const { text } of parts) for (const each of fingerprints(text)) told.blocks.add(each);
    isLastGone = stay.length === 0;
    const body = stay.map(({ text }) => text.replaceAll('\n', end)).join(isChanged ? end + end : end);
    if (!isLastGone) kept.push({ body, gap: isChanged ? gap || end : gap });
  }
  const text = kept.map(({ body, gap }, at) => body + (isLastGone && at === kept.length - 1 ? end : gap)).join('');
  return told.fused + told.doubled === 0
    ? null
    : { ...told, text: lead + text, blocks: [...told.blocks], taken_out: [] };
}

describe('the tidy', () => {
  it('M33 sets every known block apart and leaves it once, byte by byte, and counts what it did', () => {
    fc.assert(
      fc.property(mergedFile, (file) => {
        const { end, lead, blocks, last } = file;
        const text =
          lead +
          blocks
            .map(
              ([parts, gap], at) =>
                parts.map((part) => part.text.replaceAll('\n', end)).join(end) +
                (at === blocks.length - 1 ? last : gap),
            )
            .join('');
        // One line without an end says nothing of the file's own kind.
        fc.pre(/[\r\n]/.test(text));
        const plan = tidied(text, ACCOUNTS);
        expect(plan).toEqual(expected(file));
        if (plan) expect(tidied(plan.text, ACCOUNTS)).toBeNull();
      }),
      { numRuns: effort(400) },
    );
  });

  it('M33 sets two blocks apart that a merge mixed line by line, the one that begins first before the other', () => {
    const long = ['a1', 'a2', 'a3', 'a4'];
    const short = ['b1', 'b2'];
    const accounts = accepted(short.join('\n'), long.join('\n'));
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 2, maxLength: 2 }), (places) => {
        const rest: [string[], string[]] = [[...long], [...short]];
        const mixed = Array.from({ length: 6 }, (_, at) => rest[places.includes(at) ? 1 : 0].shift());
        const order = mixed[0] === 'a1' ? [long, short] : [short, long];
        const plan = tidied(`# mine\n\n${mixed.join('\n')}\n\nmine\n`, accounts);
        const texts = order.map((lines) => lines.join('\n'));
        expect(plan).toEqual({
          text: `# mine\n\n${texts.join('\n\n')}\n\nmine\n`,
          fused: 1,
          doubled: 0,
          retired: 0,
          taken_out: [],
          blocks: fingerprints(...texts),
        });
      }),
    );
  });

  it('M33 a mixed block that is there already does not come twice', () => {
    const accounts = accepted('a1\na2', 'b1\nb2');
    expect(tidied('b1\nb2\n\na1\nb1\na2\nb2\n', accounts)).toMatchObject({
      text: 'b1\nb2\n\na1\na2\n',
      fused: 1,
      doubled: 1,
      retired: 0,
      taken_out: [],
    });
  });

  it('M33 blocks that a merge fused or doubled are known, mixed lines are not; the tidy sets each apart and once', () => {
    const a = [entry(1, 'accept', 'a1\ncommon\na2'), entry(2, 'accept', 'same'), entry(3, 'accept', 'x')];
    const b = [entry(1, 'accept', 'b1\ncommon\nb2'), entry(2, 'accept', 'same'), entry(3, 'accept', 'y')];
    const accounts = accountsOf([a, b]);
    const merged = 'a1\nb1\ncommon\na2\nb2\n\nsame\nx\ny\n\nsame\n';
    const origins = fileBlocks(merged).flatMap((block) =>
      accountBlock(block, accounts, sha256).parts.map(({ origin }) => origin),
    );
    expect(origins.map((origin) => origin !== null)).toEqual([false, true, true, true, true]);
    const plan = planTidy(merged, accounts, sha256);
    expect(plan?.text).toBe('a1\ncommon\na2\n\nb1\ncommon\nb2\n\nsame\n\nx\n\ny\n');
    expect(planTidy(plan?.text ?? '', accounts, sha256)).toBeNull();
  });

  it('M33 the tidy brings back a block whose only line was in another one too', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'a\ncommon')], [entry(1, 'accept', 'common')]]);
    expect(planTidy('# head\n\na\ncommon\n', accounts, sha256)?.text).toBe('# head\n\na\ncommon\n\ncommon\n');
  });

  it('M33 the tidy drops a line that a merge tore off a block that is there whole', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'no red\n- b')], [entry(1, 'accept', '- b\ncommon')]]);
    const plan = planTidy('- b\nno red\n- b\n\n- b\ncommon\n', accounts, sha256);
    expect(plan?.text).toBe('no red\n- b\n\n- b\ncommon\n');
    expect(planTidy(plan?.text ?? '', accounts, sha256)).toBeNull();
  });

  it('M33 the tidy leaves unknown text and the form of the file alone', () => {
    const accounts = accountsOf([[entry(1, 'accept', 'x'), entry(2, 'accept', 'y')]]);
    const plan = planTidy('\r\n  mine  \r\n\r\n\r\nx\r\ny\r\n\r\nx\r\n\r\nlast', accounts, sha256);
    expect(plan?.text).toBe('\r\n  mine  \r\n\r\n\r\nx\r\n\r\ny\r\n\r\nlast');
  });

  it('M33 a block whose lines a merge took comes back after the block that holds its last line', () => {
    const standing = ['a\nx', 'b\ny', 'c'].map((text, at) => entry(at + 1, 'accept', text));
    const text = 'a\nx\n\nb\ny\n\nc\n';
    expect(tidied(text, accountsOf([[...standing, entry(4, 'accept', 'x\ny')]]))).toEqual({
      text: 'a\nx\n\nb\ny\n\nx\ny\n\nc\n',
      fused: 1,
      doubled: 0,
      retired: 0,
      taken_out: [],
      blocks: fingerprints('x\ny'),
    });
    // One line of it is nowhere; or the person took it over by hand, and out again.
    expect(tidied(text, accountsOf([[...standing, entry(4, 'accept', 'x\nz\ny')]]))).toBeNull();
    expect(tidied(text, accountsOf([[...standing, entry(4, 'accept', 'x\ny\nz')]]))).toBeNull();
    expect(tidied(text, accountsOf([[...standing, entry(4, 'adopt', 'x\ny')]]))).toBeNull();
    expect(
      tidied(text, accountsOf([[...standing, entry(4, 'accept', 'x\ny'), entry(5, 'remove', 'x\ny')]])),
    ).toBeNull();
  });

  it('M33 lines are debris only where a confirmed block holds them and is there whole', () => {
    const text = 'left\n\nx\ny\n\nkept\n\nx\n';
    expect(tidied(text, accepted('x\ny'))).toEqual({
      text: 'left\n\nx\ny\n\nkept\n',
      fused: 0,
      doubled: 1,
      retired: 0,
      taken_out: [],
      blocks: fingerprints('x'),
    });
    expect(tidied(text, accepted('x\ny\nz'))).toBeNull();
    expect(tidied(text, accountsOf([[entry(1, 'adopt', 'x\ny')]]))).toBeNull();
    expect(tidied('x\ny\n\nx\nmine\n', accepted('x\ny'))).toBeNull();
    expect(tidied('y\nx\n\nx\ny\n', accepted('x\ny'))?.text).toBe('x\ny\n');
  });

  // Not timed: work that grows with the square of it would outlast the runner's own limit.
  it('M14 a file with very many blank lines is cleared up as quickly as any', () => {
    const many = '\n'.repeat(200_000);
    expect(tidied(`x\n${many}y\n${many}x\n`, accepted('x'))?.text).toBe(`x\n${many}y\n`);
    expect(withoutLines(`x\n${many}y\n${many}x\n`, [{ firstLine: 400_003, count: 1 }])).toBe(`x\n${many}y\n`);
  });
});

describe('what a merge brings back', () => {
  it('M33 goes out again where it was retired, and stays where a decision is behind it or none ever was', () => {
    const accounts = accountsOf([
      [entry(1, 'accept', 'old'), entry(2, 'accept', 'other'), entry(3, 'retire', 'old'), entry(4, 'retire', 'gone')],
    ]);
    expect(tidied('other\n\nmine\n', accounts)).toBeNull();
    expect(tidied('old\n\nother\n\nmine\n', accounts)).toMatchObject({
      ...{ text: 'other\n\nmine\n', retired: 1, fused: 0, doubled: 0, taken_out: ['old'], blocks: [] },
    });
    expect(tidied('other\n\nold\n\ngone\n', accounts)).toMatchObject({ retired: 2, taken_out: ['old', 'gone'] });
    // Taken again by a person, it is a block like others.
    const again = accountsOf([[entry(1, 'accept', 'old'), entry(2, 'retire', 'old'), entry(3, 'adopt', 'old')]]);
    expect(tidied('old\n', again)).toBeNull();
  });
});
