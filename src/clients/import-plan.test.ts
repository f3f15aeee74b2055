import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planImport } from './import-plan.ts';

const to = { kind: 'notes' } as const;

it('M17 plans one proposal a block: headings go with what they head, code stays whole, settings stay out', () => {
  const text = [
    '---',
    'globs: "*.ts"',
    '---',
    '# Rules',
    '',
    '## Style',
    '',
    'Two blanks.',
    '',
    '- a',
    '- b',
    '',
    '```sh',
    'one',
    '',
    'two',
    '```',
    '## Last',
    'line',
  ].join('\n');
  expect(planImport({ name: 'CLAUDE.md', text, to }).map(({ content }) => content)).toEqual([
    '# Rules\n\n## Style\n\nTwo blanks.',
    '- a\n- b',
    '```sh\none\n\ntwo\n```',
    '## Last\nline',
  ]);
});

it('M17 tells what looks like a brief, and plans no proposal for it', () => {
  expect(planImport({ name: 'x/brief.md', text: 'About it.', to })).toEqual([
    { from: 'x/brief.md', kind: 'brief', file: 'brief.md', content: 'About it.' },
  ]);
  expect(planImport({ name: 'a.md', text: 'Tastes: b\n\nc', to })[0]?.kind).toBe('brief');
});

const planned = (text: string, name = 'CLAUDE.md') => planImport({ name, text, to }).map(({ content }) => content);

it('M17 every line that says something is in exactly one proposal, in its order', () => {
  const line = fc.constantFrom('', ' ', '# A', '## B', 'text', '- # c', '#no', '```', '  ~~~', 'a ``` b', '---');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
      // Two lines of dashes at the top are settings.
      fc.pre(lines[0] !== '---');
      const contents = planned(lines.join(end));
      const said = (texts: string[]) => texts.filter((each) => each.trim() !== '');
      expect(contents.flatMap((content) => said(content.split('\n')))).toEqual(said(lines));
      for (const content of contents) {
        const [first, last] = [content.split('\n')[0], content.split('\n').at(-1)];
        expect([first?.trim(), last?.trim()]).not.toContain('');
      }
    }),
    { numRuns: 300 },
  );
});

it('M17 only a line that begins so is a heading or a fence', () => {
  expect(planned('a\nb # c\nd')).toEqual(['a\nb # c\nd']);
  expect(planned('a\n#b\n####### c')).toEqual(['a\n#b\n####### c']);
  expect(planned('a\n###### b\nc')).toEqual(['a', '###### b\nc']);
  expect(planned('a ```\n\nb ```')).toEqual(['a ```', 'b ```']);
  expect(planned('  ~~~\na\n\n# b\n\nc\n  ~~~\n\nd')).toEqual(['  ~~~\na\n\n# b\n\nc\n  ~~~', 'd']);
  expect(planned('\n\n# a\n\n\n# b\n\nc\n\nd\n# e\n')).toEqual(['# a\n\n\n# b\n\nc', 'd', '# e']);
  expect(planned(' \n\n')).toEqual([]);
});

it('M17 M45 a line across the page goes with the block after it, the last one with the block before it', () => {
  const text = 'a\n\n---\n\n## B\n\nb\n\n---\n\nc\n---\n\n* * *\n\n```\n---\n\nd\n```\n\n---\n';
  expect(planned(text)).toEqual(['a', '---\n\n## B\n\nb', '---\n\nc\n---', '* * *\n\n```\n---\n\nd\n```\n\n---']);
  expect(planned('text\n\n---\n\n---')).toEqual(['text\n\n---\n\n---']);
  expect(planned('***')).toEqual(['***']);
  expect(planned('--\n\n- - x\n\n-*-')).toEqual(['--', '- - x', '-*-']);
});

// Not timed: work that grows with the square of it would outlast the runner's own limit.
it('M17 very many blank lines are read as quickly as any', () => {
  const many = '\n'.repeat(200_000);
  expect(planned(`${many}# a\n${many}b${many}`)).toEqual([`# a\n${many}b`]);
  expect(planned(`${many}x${many}`, 'brief.md')).toEqual(['x']);
});

it('M17 settings stay out only at the top, whatever the line ends', () => {
  expect(planned('\ufeff---\r\na: 1\r\n---\r\nx\r\n')).toEqual(['x']);
  expect(planned('x\n\n---\na: 1\n---\ny')).toEqual(['x', '---\na: 1\n---\ny']);
  expect(planned('---\na: 1\n---\nx\n\n---\nb: 2\n---\n')).toEqual(['x', '---\nb: 2\n---']);
});

it('M17 a file goes where it was said to belong; only one of this very name is a brief', () => {
  expect(planImport({ name: 'a', text: '\nx\n', to: { kind: 'taste', file: 'sea.md' } })).toEqual([
    { from: 'a', kind: 'taste', file: 'sea.md', content: 'x' },
  ]);
  expect(planImport({ name: 'a', text: 'x', to })).toEqual([
    { from: 'a', kind: 'notes', file: 'notes.md', content: 'x' },
  ]);
  const isBrief = (name: string) => planImport({ name, text: 'x', to })[0]?.kind === 'brief';
  expect(['brief.md', 'Brief.md', 'a/BRIEF.MD'].map(isBrief)).toEqual([true, true, true]);
  expect(['debrief.md', 'brief.md.bak', 'brief', 'brief.md/a'].map(isBrief)).toEqual([false, false, false, false]);
  expect(planImport({ name: 'brief.md', text: '\n\nx\n\ny\n\n', to })[0]?.content).toBe('x\n\ny');
});
