import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { person } from './support/person.ts';
import { onTerminal, typed } from './support/process/binary.ts';

const { place, at } = person({ x: '' });
const text = readFileSync(new URL('../docs/guide-person.md', import.meta.url), 'utf8');

it('M18 M23 the guide for a person: every command runs, and ends in a confirmed note', async () => {
  const lines = [...text.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(9);
  for (const written of lines) {
    const line = written.replace(/\s+# .*$/, '');
    const exit = Number(/# exit (\d)/.exec(written)?.[1] ?? 0);
    if (line === 'bearings review') {
      const { stdout } = await onTerminal(place, ['review'], [{ after: '[a]ccept', type: 'a\n' }]);
      expect(stdout).toContain('accepted');
      continue;
    }
    const run = typed(place, line);
    expect({ line, exit: run.code, error: run.code === exit ? '' : run.stderr + run.stdout }).toEqual({
      line,
      exit,
      error: '',
    });
  }
  expect(readFileSync(at('.bearings/workspaces/billing/notes.md'), 'utf8')).toContain('Use pnpm; npm breaks');
});
