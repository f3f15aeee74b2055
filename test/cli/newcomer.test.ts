import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { person } from '../support/person.ts';
import { bearings, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

// Where someone who follows README and guides for the first time stumbled.
const { place, at, run } = person({ 'here/README.md': '# Here\n' });
const here = () => ({ ...place, cwd: at('here') });
const brief = () => at('.bearings/workspaces/manta_001/brief.md');

describe('a newcomer', () => {
  it('M8 who presses Ctrl-C at the question for the brief has none, and is told so', async () => {
    const answers = [
      { after: 'skips it.', type: 'Half ty\n' },
      { after: 'Half ty', type: '\u0003' },
    ];
    const { stdout } = await onTerminal(here(), ['init', 'manta_001'], answers);
    expect(stdout).toContain('what you typed is discarded');
    expect(existsSync(brief()) && readFileSync(brief(), 'utf8') !== '').toBe(false);
  });

  it('M8 who pastes the whole block of the README into that question gets no brief made of commands', async () => {
    const pasted = 'bearings edit tastes\nbearings read manta_001\n';
    const { stdout } = await onTerminal(here(), ['init', 'manta_001'], [{ after: 'skips it.', type: pasted }]);
    expect(stdout).toContain('These lines are commands, not a brief');
    expect(existsSync(brief()) && readFileSync(brief(), 'utf8') !== '').toBe(false);
  });

  it('M31 is led on from where she is: every hint is a command that works there', async () => {
    expect(run('read').stderr.replace(/\s+/g, ' ')).toContain('To make one: bearings init NAME');
    expect(run('init', 'manta_001').code).toBe(0);
    expect(run('why').stderr).toContain('Known: manta_001. Name one of them, or make one: bearings init NAME');
    const { stdout } = await onTerminal(here(), ['read', 'manta_001']);
    expect(stdout).toContain('bearings edit brief manta_001');
    expect(run('propose', 'notes', 'manta_001', '--content', 'Blue.').code).toBe(0);
    const review = await onTerminal(here(), ['review'], [{ after: '[a]ccept', type: 'a\n' }]);
    const [hint = ''] = /bearings why .*/.exec(review.stdout) ?? [];
    expect(run(...hint.trim().split(' ').slice(1)).code).toBe(0);
  });

  it('M31 L16 is asked what she meant: a task in the place of the folder, an option without its value, part of a name', () => {
    expect(run('load', 'fix the build').stderr).toContain('Is it the task? Write: --task "fix the build"');
    expect(run('load', '--task').stderr).toContain('--task needs a value after it.');
    expect(run('install', 'claude').stderr).toContain('Did you mean: claude-code?');
  });

  it('M31 is told of a home that is no folder, or that the system makes none of, in one sentence', () => {
    for (const [home, words] of [
      ['/proc/x', "can't be opened"],
      ['/dev/null/x', 'is not a folder'],
      [at('here/README.md'), 'is not a folder'],
    ] as const)
      expect(run('init', 'x', '--home', home)).toMatchObject({
        code: expect.toSatisfy((code) => code > 0),
        stderr: expect.stringMatching(new RegExp(`^bearings: [^\\n]*${words}`)),
      });
  });

  it('M31 L16 is told that an empty text is none, and where an option of every command stands', () => {
    expect(run('load', '--task', '')).toMatchObject({ code: 2, stderr: expect.stringContaining('--task is empty.') });
    expect(run('check', '--rule', ' ')).toMatchObject({ code: 2, stderr: expect.stringContaining('--rule is empty.') });
    for (const option of ['--home', '--json', '--home=x'])
      expect(run(option, 'read')).toMatchObject({ code: 2, stderr: expect.stringContaining('comes after a command.') });
  });

  it('L16 is sent to drift with a bundle of JSON alone, and back to the folder of an export', () => {
    expect(run('load', at('here'), '--task', 'x', '--markdown', '--out', at('c.md')).stdout).not.toContain('drift');
    expect(run('load', at('here'), '--task', 'x', '--out', at('c.json')).stdout).toContain('bearings drift');
    put(place.home, { '.bearings/tastes/_default.md': 'Quiet.\n' });
    expect(run('export', 'agents', '--out', at('out')).stdout).toContain(`--from agents --path ${at('out')}`);
  });

  it('M38 M50 is told of notes that came with a repository, by bearings alone and in a bundle', () => {
    mkdirSync(at('clone/.git'), { recursive: true });
    put(place.home, { 'clone/.bearings/notes.md': 'One.\n\nTwo.\n', 'clone/README.md': 'x\n' });
    const clone = { ...place, cwd: at('clone') };
    expect(bearings(clone).stdout).toMatch(
      /brings 2 notes you did not confirm: bearings review\n(?:.*\n)*.*bearings review {2}/,
    );
    for (const form of ['--json', '--markdown', '--xml'])
      expect(bearings(clone, 'load', '--task', 'x', '--tactical', form).stdout).toMatch(
        /the person has not confirmed all of it:(?:\n|\\n)(?:>|&gt;) One\./,
      );
    const kept = bearings(clone, 'load', '--task', 'x', '--tactical', '--out', at('b.json'));
    expect(kept.stderr).toContain('2 blocks unaccounted');
    rmSync(at('clone/.bearings'), { recursive: true });
    expect(bearings(clone).stdout).toMatch(/^ +bearings init {2,}memory for this repository$/m);
  });

  it('T23 gets the examples of the guide, once, and no offer to go on with what never began', () => {
    expect(run('check', 'examples/tasks/triage.xml').stderr).toContain('bearings demo --examples');
    expect(run('demo', '--examples')).toMatchObject({ code: 0, stderr: '' });
    expect(run('check', 'examples/tasks/triage.xml').code).toBe(0);
    expect(run('demo', '--examples').stderr).toContain('There is a folder examples here already.');
    const missing = run('run', 'examples/tasks/review-change.xml');
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('Give it: --input') });
    expect(missing.stderr).not.toContain('runs resume');
    const noList = run('run', 'examples/tasks/triage.xml', '--inputs', 'issues=nope.jsonl');
    expect(noList.stderr).toContain('The list "issues" is not there: nope.jsonl.');
  });

  it('T28 gets no example into what a task looks up: only files of their own project', async () => {
    put(place.home, { 'docs/doors.md': 'The doors are blue since May.\n' });
    run('demo', '--examples');
    const { stdout } = run('run', 'examples/tasks/ask-me-first.xml');
    run('run', 'examples/tasks/review-change.xml', '--input', 'change=a retry in the client');
    expect(run('runs', 'show', 'last', '1.1').stdout).not.toContain('examples/tasks/call-another.xml');
    expect(stdout).toContain('docs/doors.md');
    expect(stdout).not.toContain('examples/');
  });

  it('M31 sees no line of a result or a warning cut in the middle of a word', async () => {
    put(place.home, { '.bearings/workspaces/billing-client/notes.md': 'Written by hand.\n' });
    const proposed = await onTerminal(here(), ['propose', 'notes', 'billing-client', '--content', 'Use pnpm.']);
    expect(proposed.stdout).toMatch(/^proposed p_.* notes\.md of billing-client/m);
    const read = await onTerminal(here(), ['read', 'billing-client']);
    expect(read.stdout).toContain('unaccounted');
    const plain = stripVTControlCharacters(`${proposed.stdout}\n${read.stdout}`);
    for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(proposed.stdout.replaceAll(/\s+/g, ' ')).toContain('waits for you: bearings review');
  });

  it('M31 sees no line of an error cut in the middle of a word', async () => {
    const { stdout } = await onTerminal(here(), ['install', 'nobody-knows-this-client']);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toContain('opencode.');
  });
});
