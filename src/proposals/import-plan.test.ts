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
