import { describe, expect, it } from 'vitest';
import { deepYamlLine } from './yaml-tree.ts';

describe('the depth of YAML', () => {
  it.each([
    ['brackets', `a: 1\nb: ${'['.repeat(51)}`, 2],
    ['braces over lines', `${'{a:\n'.repeat(60)}`, 51],
    ['brackets between texts that hold the other ones', `${'["]", '.repeat(60)}`, 1],
    ['indents', `${Array.from({ length: 60 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}`, 52],
    ['markers', `x: 1\n${'- '.repeat(60)}a`, 2],
  ])('L2 too many %s are named by their line', async (_, text, line) => {
    expect(await deepYamlLine(text)).toBe(line);
  });

  it.each([
    ['many brackets side by side', 'a: [{b: [c]}, {b: [c]}]\n'.repeat(100)],
    ['brackets in texts', `a: "${'['.repeat(99)}"\nb: '${'{'.repeat(99)}'\n# ${'['.repeat(99)}\n`],
    ['fifty levels', `${'['.repeat(50)}${']'.repeat(50)}`],
    ['a long line of pairs', `{${Array.from({ length: 200 }, (_, i) => `k${i}: - ${i}`).join(', ')}}`],
  ])('L2 %s are not', async (_, text) => {
    expect(await deepYamlLine(text)).toBeNull();
  });
});
