import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';
import { endedUndecided } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { bearings, onTerminal, type Place } from '../support/process/binary.ts';
import { screen as openScreen } from '../support/process/tmux.ts';
import { put } from '../support/temp-folder.ts';

const { at, place, run } = person({ '.bearings/workspaces/w/brief.md': 'About w.\n' });
const notes = () => readFileSync(at('.bearings/workspaces/w/notes.md'), 'utf8');
const settings = () =>
  openRooms({
    home: at('.bearings'),
    cwd: place.home,
    variables: { HOME: place.home, BEARINGS_CACHE: at('.cache/bearings') },
  });
// What was there before is the person's: review goes on to what waits.
const accounted = async () => (await settings().gate()).adoptAll('all', { via: 'init' });
const propose = (content: string, ...more: string[]) =>
  run('propose', 'notes', 'w', '--content', content, ...more).stdout;
const KEYS = '[a]ccept  [e]dit  [d]ecline  [s]kip  [t] until  [u]ndo  [?] help  [q]uit';

function editor(): Record<string, string> {
  writeFileSync(at('editor.sh'), '#!/bin/sh\nprintf "in my own words\\nof two lines\\n" > "$1"\n', { mode: 0o755 });
  return { EDITOR: at('editor.sh') };
}

// Every key in both: narrow and plain, wide and in colour. The other screens where both can go wrong: narrow and in colour.
const LOOKS = [
  { columns: 80, colour: false },
  { columns: 120, colour: true },
].map((look) => ({
  ...look,
  variables: (look.colour ? {} : { NO_COLOR: '1' }) as Record<string, string>,
  name: `${look.columns} columns, ${look.colour ? 'with' : 'without'} colour`,
}));
const NARROW = { columns: 80 };

describe('bearings review on a real terminal', () => {
  for (const { columns, colour, variables, name } of LOOKS) {
    it(`M54 a rule is named as one before the yes, and again where an edit makes one, ${name}`, async () => {
      await accounted();
      propose('Never edit `generated/**`: codegen writes it.');
      propose('We edit by hand.');
      writeFileSync(at('editor.sh'), '#!/bin/sh\necho "Ask before running \\`npm publish\\`." > "$1"\n', {
        mode: 0o755,
      });
      const screen = openScreen(place, ['review'], { columns, variables: { EDITOR: at('editor.sh'), ...variables } });
      expect(await screen.shows(KEYS)).toContain('This is a rule: it will stop edits of `generated/**`');
      screen.press('a');
      expect(await screen.shows('2 of 2')).not.toContain('rule');
      screen.press('e');
      expect(await screen.shows('as you edited it')).toContain('you will be asked before the command `npm publish`');
    });

    it(`M20 M21 every key, ${name}`, async () => {
      await accounted();
      for (const text of ['the first', 'the second', 'the third', 'the fourth', 'the fifth', 'the sixth'])
        propose(`This is ${text} note.`, '--reason', 'It was seen twice.');
      const screen = openScreen(place, ['review'], {
        columns,
        variables: { ...editor(), ...variables },
      });
      const first = await screen.shows(KEYS);
      expect(first).toContain('1 of 6');
      expect(first).toContain('notes.md of w');
      expect(first).toMatch(/proposed just now by command line/);
      expect(first).toContain('"It was seen twice."');
      expect(first).toMatch(/^ {2}\+ 1 +This is the first note\.$/m);
      for (const line of first.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      expect(/\u001b\[32m/.test(screen.colours())).toBe(colour);

      screen.press('?');
      await screen.shows('writes exactly what is shown');
      screen.press('x');
      await screen.shows('1 of 6');
      // Keys without a meaning do nothing; the help after them says that all were read.
      screen.press('x');
      await screen.shows('"x" does nothing here; there are a e d s');
      screen.press('Enter', 'Up', '?');
      await screen.shows('writes exactly what is shown');
      screen.press('Escape');
      await screen.shows('1 of 6');
      screen.press('a');
      const second = await screen.shows('2 of 6');
      expect(second).toContain('accepted · notes.md line 1 · ledger 2 · bearings why notes.md');

      screen.press('e');
      await screen.shows('as you edited it');
      expect(await screen.shows('of two lines')).toMatch(/^ {2}\+ 3 +in my own words$/m);
      screen.press('a');
      await screen.shows('3 of 6');

      screen.press('d');
      await screen.shows('why (optional');
      screen.type('not trux');
      screen.press('BSpace');
      screen.type('e');
      screen.press('Enter');
      expect(await screen.shows('4 of 6')).toContain('declined · notes.md of w · ledger 4');

      screen.press('d');
      await screen.shows('why (optional');
      screen.press('Escape');
      await screen.shows(/^(?![\s\S]*why \(optional)[\s\S]*4 of 6/);
      screen.press('a');
      await screen.shows('5 of 6');
      await screen.chooses('a', '6 of 6');
      screen.press('q');
      const last = await screen.shows('ended with 0');
      expect(last).toContain('accepted · notes.md line 1 · ledger 2');
      expect(last).not.toContain(KEYS);

      expect(notes()).toBe(
        'This is the first note.\n\nin my own words\nof two lines\n\nThis is the fourth note.\n\nThis is the fifth note.\n',
      );
      expect(JSON.parse(run('review', '--list', '--json').stdout)).toHaveLength(1);
      const { blocks } = JSON.parse(run('why', 'notes.md', 'w', '--json').stdout);
      expect(blocks.map((block: { origin: { edited: boolean } }) => block.origin.edited)).toEqual([
        false,
        true,
        false,
        false,
      ]);
      const found = run('sessions', 'search', 'in my own words').stdout;
      expect(found).toContain('in my own words');
      expect(run('verify').code).toBe(0);
    });
  }

  it('M20 a window that is resized is drawn again, long texts come in pages, and Ctrl-C leaves cleanly', async () => {
    await accounted();
    propose(Array.from({ length: 60 }, (_, index) => `line ${index + 1} of a long text`).join('\n'));
    const screen = openScreen(place, ['review'], { columns: 120, rows: 30 });
    expect(await screen.shows('[q]uit')).toContain('space: on');
    screen.resize(60, 15);
    const narrow = await screen.shows(/\[u\]ndo\n\[\?\] help/);
    for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    screen.resize(100, 40);
    await screen.shows(KEYS);
    screen.press('Space');
    await screen.shows('line 60 of a long text');
    screen.press('b');
    await screen.shows('line 1 of a long text');
    screen.press('C-c');
    await screen.shows('ended with 0');
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toHaveLength(1);
  });

  it('M32 lists what no decision stands behind: adopt, take out, skip', async () => {
    await accounted();
    propose('mine');
    await onTerminal(place, ['review'], [{ after: '[q]uit', type: 'a' }]);
    appendFileSync(at('.bearings/workspaces/w/notes.md'), 'evil \u001b[2J\u202e line\n\nkeep this\n\nlater\n');
    const screen = openScreen(place, ['review'], NARROW);
    const first = await screen.shows('[t]ake out');
    for (const line of first.split('\n')) expect(line.length).toBeLessThanOrEqual(NARROW.columns);
    expect(first).toContain('1 of 3');
    expect(first).toMatch(/\? 2 +evil .*\[2J.* line/);
    expect(first).not.toMatch(/[\u001b\u202e]/);
    screen.press('t');
    expect(await screen.shows('2 of 3')).toContain('taken out · notes.md line 2');
    screen.press('a');
    expect(await screen.shows('3 of 3')).toContain('adopted · notes.md line 3');
    screen.press('s');
    await screen.shows('ended with 0');
    expect(notes()).toBe('mine\n\nkeep this\n\nlater\n');
    expect(run('read', 'w', '--table').stdout).toMatch(/1 block unaccounted +bearings review/);
    const again = openScreen(place, ['review'], NARROW);
    await again.shows('[a]dopt');
    again.press('a');
    expect(await again.shows('ended with 0')).toContain('adopted · notes.md line 5');
    const empty = await onTerminal(place, ['review']);
    expect(empty.stdout).toMatch(/^nothing waits for you · last: notes\.md of w adopted as it was, just now\n$/);
  });

  it('M32 M51 a first run on an existing folder asks one question, and a no asks no other', async () => {
    put(place.home, {
      '.bearings/workspaces/w/notes.md': 'a\n\nb\n\nc\n',
      '.bearings/tastes/_default.md': '- t\n',
      '.bearings/tastes/u.md': `- u\n${'- a line that is wider than the screen '.repeat(30)}\n`,
    });
    const later = openScreen(place, ['review'], NARROW);
    await later.shows('[y]es, adopt all');
    // Not now: nothing else is asked about it, and nothing is adopted.
    later.press('n');
    expect(await later.shows('ended with 0')).not.toContain('adopted');
    const single = openScreen(place, ['review'], NARROW);
    await single.shows('[o]ne by one');
    single.press('o');
    expect(await single.shows('[a]dopt')).toMatch(/1 of 6 /);
    single.press('q');
    await single.shows('ended with 0');
    const screen = openScreen(place, ['review'], NARROW);
    const asked = await screen.shows('[y]es, adopt all');
    expect(asked).toMatch(/notes\.md of w +3 blocks/);
    expect(asked).toMatch(/tastes\/u\.md +1 block$/m);
    // More than the screen holds: a yes counts once its end was shown.
    expect(asked).toContain('a yes counts at the end');
    screen.press('y', '?');
    await screen.shows('[any key] goes back');
    screen.press('x');
    await screen.shows('[y]es, adopt all');
    screen.press('PageDown');
    await screen.shows('Is it all yours?');
    screen.press('y');
    expect(await screen.shows('ended with 0')).toContain('adopted · 6 blocks of 6');
    expect(run('verify').code).toBe(0);
    expect((await (await settings().gate()).unaccountedBlocks('all')).length).toBe(0);
  });

  it('M23 offers what was set aside since the person last looked, once', async () => {
    const library = settings();
    await accounted();
    const session = await (await library.sessions()).openSession('w', 'agent');
    await (await library.gate()).propose(session, { kind: 'notes', content: 'set aside one' });
    await (await library.gate()).propose(session, { kind: 'notes', content: 'set aside two' });
    await endedUndecided(library, session);
    const screen = openScreen(place, ['review'], NARROW);
    await screen.shows('Set aside at the end of a session');
    screen.press('r');
    await screen.shows('2 of 2');
    screen.press('s');
    await screen.shows('ended with 0');
    const revived = openScreen(place, ['review'], NARROW);
    expect(await revived.shows(KEYS)).toMatch(/set aside (one|two)/);
    revived.press('a');
    await revived.shows('ended with 0');
    expect((await onTerminal(place, ['review'])).stdout).toMatch(/^nothing waits for you/);
    expect(await (await library.gate()).discardedProposals()).toHaveLength(1);
  });

  it('M20 M51 r takes the place of the line that it contradicts; o has all the rest in one list', async () => {
    await accounted();
    mkdirSync(at('repo/.git'), { recursive: true });
    const there = { ...place, cwd: at('repo') };
    const own = (content: string) => bearings(there, 'propose', 'notes', '--content', content);
    bearings(there, 'init');
    own('Use npm for all installs.');
    await onTerminal(there, ['review'], [{ after: '[q]uit', type: 'a' }]);
    propose('A note of w, proposed first.');
    own('Do not use npm for all installs.');
    appendFileSync(at('.bearings/workspaces/w/notes.md'), 'by hand\n');
    const library = settings();
    const session = await (await library.sessions()).openSession('w', 'agent');
    await (await library.gate()).propose(session, { kind: 'notes', content: 'set aside' });
    await endedUndecided(library, session);
    const screen = openScreen(there, ['review'], NARROW);
    const first = await screen.shows('[q]uit');
    // Those of the workspace one is in come first.
    expect(first).toMatch(/1 of 2 +notes\.md of repo/);
    expect(first).toContain('may contradict notes.md line 1');
    expect(first).toContain('[o]ther (2)');
    screen.press('o');
    const list = await screen.shows('Beside proposals there is');
    expect(list).toMatch(/\[1\] +1 +written by hand/);
    expect(list).toMatch(/\[2\] +1 +set aside at the end of a session/);
    screen.press('2');
    await screen.shows('[r]evive');
    screen.press('s');
    await screen.shows('[n]o, not now');
    screen.press('n');
    await screen.shows('[r]eplace line 1');
    screen.press('r');
    expect(await screen.shows(/^ {2}- 1 +Use npm for all installs\.$/m)).toMatch(/^ {2}\+ 1 +Do not use npm/m);
    screen.press('a');
    expect(await screen.shows('2 of 2')).toContain('accepted · notes.md line 1');
    screen.press('q');
    await screen.shows('ended with 0');
    expect(readFileSync(at('repo/.bearings/notes.md'), 'utf8')).toBe('Do not use npm for all installs.\n');
    expect(run('verify').code).toBe(0);
  });

  // A repository in which a mate, with a home and a key of their own, has confirmed a note.
  async function sharedRepository(): Promise<Place> {
    const repo = at('repo');
    mkdirSync(repo, { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: repo, env: { PATH: process.env.PATH, HOME: place.home } });
    const variables = { HOME: place.home, BEARINGS_CACHE: at('.cache/mate') };
    const mate = openRooms({ home: at('mate'), cwd: repo, variables });
    await (await mate.workspaces()).createWorkspace({ id: 'shared', here: true });
    const session = await (await mate.sessions()).openSession({}, 'agent');
    const proposed = await (await mate.gate()).propose(session, { kind: 'notes', content: 'a note of a mate' });
    if (proposed.status !== 'pending') throw new Error('the mate could not propose');
    const { proposal } = await (await mate.gate()).showProposal(proposed.proposal_id);
    await (await mate.gate()).decide(shownOf(proposal), null, { decision: 'accept', via: 'review', client: null });
    return { ...place, cwd: repo };
  }

  it('M26 M33 a mate’s key is trusted, a merge tidied, by the person’s word alone', async () => {
    await accounted();
    const there = await sharedRepository();
    const shared = () => readFileSync(at('repo/.bearings/notes.md'), 'utf8');
    const reviewed = async (
      asked: string,
      key: string,
      { next, isListed = false } = {} as { next?: string; isListed?: boolean },
    ) => {
      const screen = openScreen(there, ['review'], NARROW);
      if (isListed) {
        await screen.shows('Beside proposals there is');
        screen.press('1');
      }
      const shown = await screen.shows(asked);
      for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(NARROW.columns);
      screen.press('?');
      await screen.shows('[any key] goes back');
      screen.press('x');
      await screen.shows(asked);
      screen.press(key);
      if (next !== undefined) {
        await screen.shows(next);
        screen.press('q');
      }
      return `${shown}\n${await screen.shows('ended with 0')}`;
    };
    expect(await reviewed('[t]rust it', 's', { next: '[t]ake out', isListed: true })).toMatch(
      /signed by a key you do\s+not know/,
    );
    expect(await reviewed('[t]rust it', 't', { isListed: true })).toContain('trusted · ');
    bearings(there, 'propose', 'notes', '--content', 'a note of mine');
    await reviewed('[a]ccept', 'a');

    const merged = 'a note of a mate\na note of mine\n\na note of mine\n';
    writeFileSync(at('repo/.bearings/notes.md'), merged);
    const asked = await reviewed('[t]idy  [s]kip', 's');
    expect(asked).toMatch(/was merged: .*ran into another/);
    expect(shared()).toBe(merged);
    expect(await reviewed('[t]idy', 't')).toContain('tidied · ');
    expect(shared().split('\n').filter(Boolean).sort()).toEqual(['a note of a mate', 'a note of mine']);
    expect(bearings(there, 'verify').code).toBe(0);
    expect(bearings(there, 'review').stdout).not.toContain('[t]idy');
  });

  it('M18 goes line by line where the screen can’t be drawn, with the same letters and Enter', async () => {
    await accounted();
    propose('one');
    propose('two');
    for (const [args, variables] of [
      [['review', '--plain'], {}],
      [['review'], { TERM: 'dumb' }],
    ] as const) {
      const screen = openScreen(place, [...args], { columns: 80, variables });
      await screen.shows('[q]uit');
      screen.press('x', 'Enter');
      // The question comes again after the help: typed before it, the answer would be in its line.
      await screen.shows(/leaves it for later[\s\S]*\[q\]uit/);
      screen.press('a', 'Enter');
      // What is typed before the next question does not count.
      await screen.shows(/accepted · notes\.md line \d[\s\S]*(?:\[q\]uit|ended with 0)/);
      screen.press('q', 'Enter');
      await screen.shows('ended with 0');
    }
    expect(notes()).toBe('one\n\ntwo\n');
  });

  it('M18 a key typed before a proposal was on the screen does not decide it', async () => {
    await accounted();
    for (const text of ['one', 'two', 'three']) propose(text);
    const { stdout } = await onTerminal(
      place,
      ['review', '--no-color'],
      [
        { after: '[q]uit', type: 'aaa' },
        { after: '2 of 3', type: '' },
        { after: '[q]uit', type: 'q' },
      ],
    );
    expect(stdout.match(/accepted ·/g)?.length).toBeGreaterThan(0);
    expect(notes()).toBe('one\n');
  });
});
