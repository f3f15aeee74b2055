import { expect, it } from 'vitest';
import { scanText } from './repository-memory.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

it('M37 a text that was scanned before is redacted as at the first time, also after more texts than are remembered', () => {
  const text = `One line.\nThe token is ${SECRET}.\n`;
  const first = scanText('notes.md', text);
  expect(first.text).not.toContain(SECRET);
  expect(scanText('notes.md', text)).toEqual(first);
  for (let at = 0; at < 3; at += 1) scanText('notes.md', `${at} ${'a plain word '.repeat(70_000)}`);
  expect(scanText('notes.md', text)).toEqual(first);
  // One character more is another text.
  expect(scanText('notes.md', `${text}${SECRET}x\n`).text).not.toContain(SECRET);
  expect(scanText('brief.md', text, 5).warnings[0]).toMatch(/^brief\.md:6: /);
});
