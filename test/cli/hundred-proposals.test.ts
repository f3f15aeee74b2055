import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/gate/sessions/sessions.ts';
import { openLibrary } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { screen as openScreen } from '../support/process/tmux.ts';
import { put } from '../support/temp-folder.ts';

const { place, at, run } = person({
  '.bearings/workspaces/w/brief.md': 'About w.\n',
  '.bearings/workspaces/w/notes.md': 'Group papers by method.\n\nRound prices to 2 decimals.\n',
});
const notes = () => readFileSync(at('.bearings/workspaces/w/notes.md'), 'utf8');
const OUTPUT = resolve(import.meta.dirname, '../../test-output');
const SUBJECTS = ['parser', 'router', 'cache', 'index', 'ledger', 'page', 'worker', 'journal', 'policy', 'adapter'];
const FINDINGS = [
  'drops the last token of a line that ends in a comment',
  'keeps an old answer until the process is started again',
  'was slow because every call opened the same file again',
  'needs its folder to be there before the first write',
];

// As agents propose: most of it new, some of it said twice in nearly the same words, a little against what is known.
async function proposeHundred() {
  const bearings = openLibrary(place.home);
  await (await bearings.gate()).adoptAll('all', { via: 'init' });
  const texts: string[] = [];
  const propose = async (session: Session, content: string) => {
    const answer = await (await bearings.gate()).propose(session, {
      kind: 'notes',
      content,
      reason: `Seen at ${texts.length}.`,
    });
    if (answer.status !== 'pending') throw new Error(`${content}: ${answer.status}`);
    texts.push(content);
  };
  for (const name of ['alpha', 'beta', 'gamma']) {
    const session = await (await bearings.sessions()).openSession({ id: 'w' }, name);
    for (const subject of SUBJECTS.slice(0, name === 'gamma' ? 5 : 10))
      for (const finding of FINDINGS.slice(0, 3)) await propose(session, `In ${name} the ${subject} ${finding}.`);
    for (const subject of SUBJECTS.slice(0, 5))
      await propose(session, `In ${name} the ${subject} ${FINDINGS[0]}, too.`);
    const long = Array.from({ length: 12 }, (_, line) => `${name} line ${line + 1} of a longer text`).join('\n');
    await propose(session, long);
  }
  const last = await (await bearings.sessions()).openSession({ id: 'w' }, 'delta');
  for (const text of ['Never group papers by method.', 'Round prices to 3 decimals.']) await propose(last, text);
  for (let count = texts.length; count < 100; count += 1) await propose(last, `Delta saw thing number ${count}.`);
  return texts;
}

describe('M47 a hundred proposals', () => {
  it('M47 take at most two keys each in the terminal, with every text shown whole', async () => {
    const texts = await proposeHundred();
    expect(texts).toHaveLength(100);
    const screen = openScreen(place, ['review'], { columns: 100, rows: 40 });
    const seen: string[] = [];
    let keys = 0;
    const key = (...pressed: string[]) => {
      keys += pressed.length;
      screen.press(...pressed);
    };
    for (let text = await screen.shows(/\[q\]uit|ended with/); !text.includes('ended with'); ) {
      if (text !== seen.at(-1)) seen.push(text);
      const isGroup = text.includes('[A]ccept all');
      const isPart = /a yes counts at the end/.test(text);
      if (isPart) key('Space');
      else key(isGroup ? 'A' : text.includes('may contradict') ? 'd' : 'a');
      if (!isGroup && text.includes('may contradict')) {
        await screen.shows('why (optional');
        key('Enter');
      }
      const before = text;
      text = await screen.shows(
        new RegExp(`^(?!${escaped(before)}$)(?![\\s\\S]*why \\(optional)[\\s\\S]*(?:\\[q\\]uit|ended with)`),
      );
    }
    // Whole: each line of each text was on a screen, wrapped or not.
    const shown = seen.join('\n').replace(/\s+[+]?\s*/g, ' ');
    const missing = texts.filter((text) => text.split('\n').some((line) => !shown.includes(line.replace(/\s+/g, ' '))));
    expect(missing).toEqual([]);
    mkdirSync(OUTPUT, { recursive: true });
    writeFileSync(join(OUTPUT, 'hundred-proposals.json'), `${JSON.stringify({ keys, screens: seen.length })}\n`);
    expect(keys).toBeLessThanOrEqual(200);
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toEqual([]);
    expect(notes()).not.toContain('Never group papers');
    expect(notes()).toContain('In alpha the parser drops the last token of a line that ends in a comment, too.');
    expect(run('verify').code).toBe(0);
  });

  it('M47 all but some: the numbers that are typed come one by one, and a list that is none leaves the question open', async () => {
    const bearings = openLibrary(place.home);
    await (await bearings.gate()).adoptAll('all', { via: 'init' });
    const session = await (await bearings.sessions()).openSession({ id: 'w' }, 'studio');
    for (const subject of SUBJECTS.slice(0, 8))
      await (await bearings.gate()).propose(session, {
        kind: 'notes',
        content: `${subject} stands for itself alone.\n${subject} again`,
      });
    const screen = openScreen(place, ['review'], { columns: 100, rows: 60 });
    expect(await screen.shows('[x] all but some')).toContain('8 proposals of one session · studio');
    screen.press('x');
    await screen.shows('which not');
    screen.type('99');
    screen.press('Enter');
    await screen.shows(/"99" is not a number from 1 to 8[\s\S]*which not[^\n]*: *\n/);
    screen.enter('A');
    await screen.shows(/"A" is not a number[\s\S]*which not[^\n]*: *\n/);
    screen.type('2 7-8');
    screen.press('Enter');
    expect(await screen.shows('6 of 8')).toContain('router stands for itself alone.');
    screen.press('q');
    expect(await screen.ends()).toBe(0);
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toHaveLength(3);
    expect(notes()).toContain('parser stands for itself alone.');
    expect(notes()).not.toContain('router');
  });

  it('M47 a list is of one workspace, though the command line’s session has the same name in each; its help fits 80 × 24', async () => {
    put(at('.bearings/workspaces'), {
      'alpha/notes.md': 'Group papers by method.\n',
      'beta/brief.md': 'About beta.\n',
    });
    await (await openLibrary(place.home).gate()).adoptAll('all', { via: 'init' });
    for (const subject of SUBJECTS.slice(0, 7))
      for (const id of ['alpha', 'beta'])
        run('propose', 'notes', id, '--content', `${subject} of ${id} stands for itself alone.`);
    run('propose', 'notes', 'alpha', '--content', 'Never group papers by method.');
    const screen = openScreen(place, ['review'], { columns: 80, rows: 24 });
    const first = await screen.shows('[A]ccept all');
    expect(first).toContain('8 proposals of one session · command line in alpha');
    expect(first).toContain('1 more comes by itself: it may contradict your memory, is a rule, or is long.');
    expect(first).not.toContain('beta');
    screen.press('?');
    const help = await screen.shows('goes back');
    expect(help.trimStart()).toMatch(/^A {3}accepts each exactly as it is shown/);
    expect(help.replaceAll(/\s+/g, ' ')).toContain('accepts each exactly as it is shown x the same');
    expect(help.replaceAll(/\s+/g, ' ')).toContain('it comes by itself.');
    expect(help.split('\n').every((line) => !/\S{80}/.test(line))).toBe(true);
    screen.press('b');
    await screen.shows('[A]ccept all');
    screen.press('s');
    expect(await screen.shows('Never group papers')).toContain('notes.md of alpha');
    screen.press('s');
    expect(await screen.shows('[A]ccept all')).toContain('7 proposals of one session · command line in beta');
    screen.press('q');
    expect(await screen.ends()).toBe(0);
  });

  it('M47 M19 what cannot be decided ends the list; what is left comes one by one', async () => {
    const bearings = openLibrary(place.home);
    await (await bearings.gate()).adoptAll('all', { via: 'init' });
    const session = await (await bearings.sessions()).openSession({ id: 'w' }, 'studio');
    const sentences = SUBJECTS.slice(0, 7).map((subject) => `${subject} needs a name that nobody else has taken yet.`);
    for (const content of sentences) await (await bearings.gate()).propose(session, { kind: 'notes', content });
    const third = (await (await bearings.gate()).listProposals('all')).find(({ content }) => content === sentences[2]);
    const screen = openScreen(place, ['review'], { columns: 100, rows: 60 });
    await screen.shows('[A]ccept all');
    await (await bearings.gate()).withdrawProposal(session, third?.proposal_id ?? '');
    screen.press('A');
    const next = await screen.shows(/comes one by one\.[\s\S]*\[q\]uit/);
    expect(next).toContain('accepted 2 proposals; ');
    expect(next).toContain(sentences[3]);
    screen.press('q');
    expect(await screen.ends()).toBe(0);
    expect(JSON.parse(run('review', '--list', '--json').stdout)).toHaveLength(4);
    expect(notes()).toContain(sentences[1]);
    expect(notes()).not.toContain(sentences[3]);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
