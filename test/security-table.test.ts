import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LEVELS, OUTCOMES } from './attacks/level-outcomes.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const attacks = readFileSync(join(root, 'docs/reference/attacks.md'), 'utf8');
const table = attacks.slice(attacks.indexOf('## Attacks that are carried out'), attacks.indexOf('## What ran where'));
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:attack|-+|\*\*)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, attack = '', face = '', happens = '', test = '']) => ({ attack, face, happens, test }));

function expectTest(file: string, title: string): void {
  expect(existsSync(join(root, file)), `${file} is there`).toBe(true);
  expect(title.length).toBeGreaterThan(3);
  const titles = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => /\b(?:it|test|describe)\b|^\s*\]?\)\(|^\s*`[A-Z]\d/.test(line));
  expect(
    titles.some((line) => line.replaceAll("\\'", "'").includes(title)),
    `${file} has a test "${title}"`,
  ).toBe(true);
}

describe('the security page', () => {
  // What is not protected, and how to report, promise nothing.
  const promises = page
    .slice(0, page.indexOf('## Not protected'))
    .split('\n')
    .filter((line) => line.startsWith('- '));

  it('M18 is two pages that a person reads', () => {
    expect(page.split(/\s+/).length).toBeLessThanOrEqual(3000);
    expect(promises.length).toBeGreaterThanOrEqual(60);
  });

  it.each(promises)('M18 a test carries out: %s', (promise) => {
    const tests = [...promise.matchAll(/ \(`((?:src|test)\/[^`]+\.test\.ts)`: ([^)]+)\)(?= \(`|$)/g)];
    expect(tests.length).toBeGreaterThan(0);
    for (const [, file = '', title = ''] of tests) expectTest(file, title);
  });
});

describe('the table of attacks', () => {
  it('M18 has a line for each attack', () => expect(rows.length).toBeGreaterThanOrEqual(120));

  it.each(['MCP', 'HTTP', 'command line', 'page', 'review', 'verify', 'loader', 'matching', 'tasks', 'memory'])(
    'M18 has lines for what reaches %s',
    (face) => expect(rows.some((row) => row.face.split(', ').includes(face))).toBe(true),
  );

  it.each(rows)('M18 $attack ($face)', ({ attack, face, happens, test }) => {
    expect([attack, face, happens].every((cell) => cell !== '')).toBe(true);
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
    expectTest(file, title);
  });
});

describe('the table of the three levels', () => {
  const levels = page.slice(page.indexOf('## Three levels'), page.indexOf('### Moving between levels'));
  const written = levels
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:what is tried|-+)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('M18 M46 says of each try, at each level, how it ended when it was carried out', () => {
    const cells = Object.fromEntries(written.map(([, attack = '', ...rest]) => [attack, rest.slice(0, LEVELS.length)]));
    expect(Object.keys(cells)).toEqual(Object.keys(OUTCOMES));
    for (const [attack, outcomes] of Object.entries(OUTCOMES))
      expect([attack, cells[attack]?.map((cell, index) => cell.slice(0, outcomes[index]?.length))]).toEqual([
        attack,
        [...outcomes],
      ]);
  });
});
