import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findIntent } from './extend-policy.ts';
import { cortexPolicy } from './policies/cortex.ts';
import { repoPolicy } from './policies/repo.ts';

const cortex = (task: string) => findIntent(task, cortexPolicy.intents).intent.key;

describe('intents', () => {
  it.each([
    ...['design', 'ui', 'frontend', 'visual'].map((word) => [word, 'design']),
    ...['governance', 'policy', 'rules', 'audit'].map((word) => [word, 'governance']),
    ...['direction', 'strategy', 'north star', 'goal'].map((word) => [word, 'direction']),
    ...['spec', 'schema', 'contract'].map((word) => [word, 'spec']),
    ...['designs', 'UIs', 'frontends', 'visuals'].map((word) => [word, 'design']),
    ...['governances', 'policies', 'audits'].map((word) => [word, 'governance']),
    ...['directions', 'strategies', 'north stars', 'North  Star', 'goals'].map((word) => [word, 'direction']),
    ...['specs', 'schemas', 'contracts', 'SPEC', 'spec_v0.md', 'spec-first'].map((word) => [word, 'spec']),
  ])('L4 "%s" is %s', (word, key) => {
    expect(cortex(`please look at the ${word}, then report`)).toBe(key);
  });

  it.each([
    ...['build it', 'a guide', 'fruit', 'require', 'redesigned', 'policyholder', 'contractor', 'specific', 'special'],
    ...['policys', 'goalkeeper', 'north', 'star', 'north. Star', 'northstar', 'auditing', 'rule', '', 'úi', 'uiß'],
  ])('L4 "%s" is no hit', (task) => {
    expect(cortex(task)).toBe('default');
  });

  it.each([
    ['the contract for the visual audit', 'design'],
    ['spec of the policy', 'governance'],
    ['schema and strategy', 'direction'],
    ['review the visual rules', 'design'],
  ])('L4 the first intent in order wins, not the first word: %s', (task, key) => {
    expect(cortex(task)).toBe(key);
  });

  it('L4 a word is found in any surroundings that are no letters or digits', () => {
    const gap = fc.constantFrom(' ', '.', ',', '/', '-', '(', '"', '\n', '\t', '\u2028', '—', '');
    fc.assert(
      fc.property(gap, gap, fc.constantFrom('Spec', 'SPECS', 'contract'), (before, after, word) => {
        expect(cortex(`x ${before}${word}${after} y`)).toBe('spec');
      }),
    );
  });

  it('L4 a long task takes no long time: it is cut into words once', () => {
    expect(cortex(`${'north '.repeat(200_000)}star`)).toBe('direction');
    expect(cortex('a'.repeat(2_000_000))).toBe('default');
  });

  it('L2 the repo policy knows the usual places, and its default is last', () => {
    const repo = (task: string) => findIntent(task, repoPolicy.intents).intent.key;
    expect(repo('fix the flaky tests')).toBe('test');
    expect(repo('why does CI fail?')).toBe('build');
    expect(repo('rewrite the readme')).toBe('docs');
    expect(repo('make it faster')).toBe('default');
    expect(repoPolicy.intents.at(-1)).toMatchObject({ key: 'default', words: [] });
  });
});
