import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { person } from '../support/person.ts';
import { bearings, onTerminal } from '../support/process/binary.ts';
import { put } from '../support/temp-folder.ts';

const { at, place, run } = person({
  '.bearings/workspaces/w/brief.md': 'About w.\n',
  '.chemigram/taste.md': '- quiet over loud\n',
  '.chemigram/tastes/underwater.md': '# Water\n\n- blue, not cyan\n\n- no red\n',
  '.claude/CLAUDE.md': 'Always answer briefly.\n',
});
const proposals = () =>
  JSON.parse(run('review', '--list', '--json').stdout) as { file: string; content: string; kind: string }[];

describe('bearings learn --from', () => {
  it('M17 shows first, and without a terminal proposes only when told so; nothing is written', () => {
    const shown = run('learn', '--from', 'chemigram');
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('tastes/underwater.md') });
    expect(proposals()).toEqual([]);
    expect(run('learn', '--from', 'chemigram', '--propose').code).toBe(0);
    expect(proposals().map(({ file, content }) => [file, content])).toEqual([
      ['_default.md', '- quiet over loud'],
      ['underwater.md', '# Water\n\n- blue, not cyan'],
      ['underwater.md', '- no red'],
    ]);
    expect(run('show', 'tastes', '--json').stdout.trim()).toBe('[]');
  });

  it('M17 takes a project’s rules as notes and the person’s own as a taste, and asks on a terminal', async () => {
    mkdirSync(at('project/.git'), { recursive: true });
    put(place.home, {
      'project/CLAUDE.md': 'Use pnpm here.\n',
      'project/.cursorrules': 'No default exports.\n',
      'project/.cursor/rules/style.mdc': '---\nalwaysApply: true\n---\nTwo blanks.\n',
    });
    const inside = { ...place, cwd: at('project') };
    bearings(inside, 'init');
    const no = await onTerminal(inside, ['learn', '--from', 'claude', 'cursor'], [{ after: '[y/n]', type: 'n\n' }]);
    expect(no).toMatchObject({ code: 0, stdout: expect.stringContaining('Make 4 proposals?') });
    const yes = await onTerminal(inside, ['learn', '--from', 'claude', 'cursor'], [{ after: '[y/n]', type: 'y\n' }]);
    expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining('proposed 4') });
    const list = JSON.parse(bearings(inside, 'review', '--list', '--json').stdout) as {
      kind: string;
      content: string;
    }[];
    expect(list.map(({ kind, content }) => `${kind}: ${content}`).sort()).toEqual([
      'notes: No default exports.',
      'notes: Two blanks.',
      'notes: Use pnpm here.',
      'taste: Always answer briefly.',
    ]);
  });

  it('M45 M55 an item of instructions is one note; the kept block and what is noted already stay out', async () => {
    mkdirSync(at('a/long/way/down/items/.git'), { recursive: true });
    const inside = { ...place, cwd: at('a/long/way/down/items') };
    bearings(inside, 'init');
    const list = '# Items\n\nWhat it is.\n\n## Style\n\n- Two blanks.\n  Also in tests.\n- Use pnpm.\n';
    put(inside.cwd, {
      '.bearings/notes.md': 'Use pnpm.\n',
      'GEMINI.md': '- Two tabs.\n- Use vitest.\n',
      'CLAUDE.md': `${list}\n## Never\n\n- Push to main.\n- Skip a hook.\n`,
    });
    bearings(inside, 'review', '--list');
    await openRooms({ cwd: inside.cwd, variables: { HOME: place.home } })
      .gate()
      .then((gate) => gate.adoptAll('items', { via: 'review' }));
    bearings(inside, 'export', '--keep', 'claude-code', '--yes');
    const { stdout } = bearings(inside, 'learn', '--from', 'claude');
    expect(stdout).toMatch(/…\S*CLAUDE\.md/);
    const { items } = JSON.parse(bearings(inside, 'learn', '--from', 'claude', '--json').stdout) as {
      items: { kind: string; content: string; skipped: string | null }[];
    };
    const notes = items.filter(({ kind }) => kind === 'notes');
    expect(notes.map(({ content, skipped }) => [content, skipped])).toEqual([
      ['# Items\n\nWhat it is.', null],
      ['- Two blanks.\n  Also in tests.', null],
      ['- Use pnpm.', 'it is in notes.md already'],
      ['## Never\n\n- Push to main.\n- Skip a hook.', null],
    ]);
    const gemini = JSON.parse(bearings(inside, 'learn', '--from', 'gemini', '--json').stdout);
    expect(gemini.items.map(({ content }: { content: string }) => content)).toEqual(['- Two tabs.', '- Use vitest.']);
  });

  it('M45 without a workspace nothing is asked, since no answer would help', async () => {
    put(place.home, { 'alone/rules.md': 'Use pnpm.\n' });
    const { code, stdout } = await onTerminal(
      { ...place, cwd: at('alone') },
      ['learn', '--from', 'rules.md'],
      [{ after: '[y/n]', type: 'y\n' }],
    );
    expect(code).toBe(2);
    expect(stdout).toContain('there is none here');
    expect(stdout).not.toContain('[y/n]');
  });

  it('M45 a file that is too large is refused with exit code 2, also next to one that comes in', () => {
    put(place.home, { 'big.md': 'a'.repeat(5 * 1024 * 1024), 'small.md': 'Two blanks.\n' });
    for (const names of [['big.md'], ['big.md', 'small.md']])
      expect(run('learn', '--from', ...names, '--workspace', 'w')).toMatchObject({
        code: 2,
        stdout: expect.stringContaining('it is too large (the limit is 4 MiB)'),
      });
  });

  it('M45 what is named and is not there is told, not taken for empty', () => {
    expect(run('learn', '--from', 'mem0', '--path', 'gone.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is nothing at gone.json.'),
    });
  });

  it('M28 leaves out secrets and hidden characters by class, and only tells what looks like a brief', () => {
    put(place.home, {
      'mixed.md': `fine\n\npassword: hunter2-x9K!q\n\nzero\u200bwidth\n\nAWS AKIAIOSFODNN7EXAMPLQ\n`,
      'brief.md': 'Tastes: a\n\nWhat it is about.\n',
    });
    const { stdout } = run(
      'learn',
      '--from',
      'mixed.md',
      'brief.md',
      'none.md',
      '--workspace',
      'w',
      '--propose',
      '--json',
    );
    const plan = JSON.parse(stdout);
    expect(plan.proposed).toBe(1);
    const reasons = plan.items.map((item: { skipped: string | null }) => item.skipped);
    expect(reasons[0]).toBeNull();
    expect(reasons[1]).toMatch(/^looks like a secret/);
    expect(reasons[2]).toMatch(/^hidden character U\+200B/);
    expect(reasons.at(-1)).toMatch(/^looks like a brief/);
    expect(plan.unread).toEqual([{ name: 'none.md', reason: expect.stringMatching(/^there is no such file/) }]);
    expect(run('learn', '--from').code).toBe(2);
    expect(run('learn', '--from', 'mixed.md', '--to', 'show', 'brief').code).toBe(2);
  });
});
