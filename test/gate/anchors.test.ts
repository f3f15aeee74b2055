import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Rooms } from '../../src/bearings.ts';
import { decided, openLibrary, proposed } from '../support/open-library.ts';
import { bearings as command } from '../support/process/binary.ts';
import { screen as openScreen } from '../support/process/tmux.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const FETCH = `export function fetchTwice(url: string) {
  const first = tryOnce(url);
  return first ?? tryOnce(url);
}

function tryOnce(url: string) {
  return url === '' ? null : url;
}
`;

const root = tempFolder();
let count = 0;
let person = '';
let project = '';
let bearings: Rooms;

beforeEach(async () => {
  count += 1;
  person = join(root, `person${count}`);
  project = join(person, 'project');
  put(project, {
    'src/net/fetch.ts': FETCH,
    'src/other.ts': 'export const limit = 3;\n',
    'docs/guide.md': '# Guide\n\nHow it works.\n',
  });
  execFileSync('git', ['init', '-q'], { cwd: project });
  bearings = openLibrary(person, { cwd: project });
  await (await bearings.workspaces()).createWorkspace({ id: 'proj', here: true });
});

const remember = async (text: string) => decided(bearings, await proposed(bearings, text, { id: 'proj' }));
const warnings = async () => (await (await bearings.memory()).readContext({})).warnings;
const change = (path: string, edit: (text: string) => string) =>
  writeFileSync(join(project, path), edit(readFileSync(join(project, path), 'utf8')));
const move = (from: string, to: string) => {
  mkdirSync(dirname(join(project, to)), { recursive: true });
  renameSync(join(project, from), join(project, to));
};

describe('M42 notes that cite code', () => {
  it('M42 nothing is told while the code is as it was, or is only elsewhere in its file', async () => {
    await remember('The retry is in src/net/fetch.ts:3, by `tryOnce`.');
    await remember('See docs/guide.md and src/other.ts.');
    expect(await warnings()).toEqual([]);
    change('src/net/fetch.ts', (text) => `// a new head\n\n${text}`);
    change('docs/guide.md', (text) => `${text}\nMore.\n`);
    expect(await warnings()).toEqual([]);
  });

  it('M42 moved, renamed, changed and gone are told beside the context, each with its line', async () => {
    await remember('The retry is in src/net/fetch.ts:3.');
    await remember('`tryOnce` gives null for nothing.');
    await remember('The limit is in src/other.ts.');
    await remember('All is said in docs/guide.md.');
    change('src/net/fetch.ts', (text) => text.replace('first ??', 'first ||'));
    expect(await warnings()).toEqual([
      '1 note cites code that has changed: notes.md line 1 (src/net/fetch.ts:3 (fetchTwice) has changed). The person decides: bearings review',
    ]);
    change('src/net/fetch.ts', (text) => text.replaceAll('tryOnce', 'attemptOnce'));
    move('src/other.ts', 'src/limits/other.ts');
    rmSync(join(project, 'docs/guide.md'));
    expect(await warnings()).toEqual([
      [
        '4 notes cite code that has changed: notes.md line 1 (src/net/fetch.ts:3 (fetchTwice) has changed)',
        'notes.md line 3 (tryOnce of src/net/fetch.ts was renamed to attemptOnce)',
        'notes.md line 5 (src/other.ts was moved to src/limits/other.ts)',
        'notes.md line 7 (docs/guide.md is gone). The person decides: bearings review',
      ].join('; '),
    ]);
    const due = await (await bearings.gate()).dueBlocks('all');
    expect(due.map(({ code }) => code.map(({ how }) => how))).toEqual([['changed'], ['renamed'], ['moved'], ['gone']]);
  });

  it('M42 a definition that went to another file is told with it, and one that is nowhere is gone', async () => {
    await remember('`tryOnce` gives null for nothing.');
    const [head = '', tail = ''] = FETCH.split(/(?=function tryOnce)/);
    change('src/net/fetch.ts', () => head);
    put(project, { 'src/net/once.ts': `export ${tail}` });
    expect((await (await bearings.gate()).dueBlocks('all'))[0]?.code).toMatchObject([
      { how: 'moved', to: 'src/net/once.ts' },
    ]);
    rmSync(join(project, 'src/net/once.ts'));
    expect((await (await openLibrary(person, { cwd: project }).gate()).dueBlocks('all'))[0]?.code).toMatchObject([
      { how: 'gone' },
    ]);
  });

  it('M42 anchors are beside the ledger with the text, signed by its hash, and never in the note', async () => {
    await remember('The limit is in src/other.ts.');
    const own = join(project, '.bearings');
    expect(readFileSync(join(own, 'notes.md'), 'utf8')).toBe('The limit is in src/other.ts.\n');
    const [name = ''] = readdirSync(join(own, 'ledger/texts'));
    const path = join(own, 'ledger/texts', name);
    expect(readFileSync(path, 'utf8')).toContain('"anchors":[{"cited":"src/other.ts"');
    expect((await (await bearings.gate()).verify()).faults).toEqual([]);
    // Another anchor in its place is not what was signed: the text is no longer known, and the block unaccounted.
    writeFileSync(path, readFileSync(path, 'utf8').replace('"path":"src/other.ts"', '"path":"src/nothing.ts"'));
    const told = (await (await openLibrary(person, { cwd: project }).memory()).readContext({})).warnings;
    expect(told.join()).toContain('1 block unaccounted (1 in notes.md)');
    expect(told.join()).not.toMatch(/code that has changed/);
  });

  it('M42 keep anchors again, edit and retire change the file, and each is a decision that verify knows', async () => {
    await remember('The limit is in src/other.ts.');
    await remember('`tryOnce` gives null for nothing.');
    await remember('The retry is in src/net/fetch.ts:3.');
    rmSync(join(project, 'src/other.ts'));
    change('src/net/fetch.ts', (text) => text.replaceAll("''", "' '").replace('first ??', 'first ||'));
    const [gone, changed, also] = await (await bearings.gate()).dueBlocks('all');
    if (!gone || !changed || !also) throw new Error('three are due');
    await (await bearings.gate()).keepBlock(changed, { via: 'review' });
    await (await bearings.gate()).editDueBlock(also, 'The retry is in `fetchTwice`.', { via: 'review' });
    await (await bearings.gate()).retireBlock(gone, { via: 'review' });
    expect(await warnings()).toEqual([]);
    const notes = readFileSync(join(project, '.bearings/notes.md'), 'utf8');
    expect(notes).toBe('`tryOnce` gives null for nothing.\n\nThe retry is in `fetchTwice`.\n');
    // A second yes to what was shown before finds another text.
    await expect((await bearings.gate()).retireBlock(gone, { via: 'review' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await (await bearings.gate()).verify()).faults).toEqual([]);
    const { decisions } = await (await bearings.gate()).history('notes.md');
    expect(decisions.map(({ decision }) => decision)).toEqual([
      'retire',
      'edit',
      'look_again',
      'accept',
      'accept',
      'accept',
    ]);
  });

  it('M42 the command line tells it on the error stream, and review offers keep, edit and retire', async () => {
    await remember('The limit is in src/other.ts.');
    await remember('`tryOnce` gives null for nothing.');
    rmSync(join(project, 'src/other.ts'));
    change('src/net/fetch.ts', (text) => text.replaceAll('tryOnce', 'attemptOnce'));
    const place = { home: person, cwd: project };
    expect(command(place, 'read', '--json').stderr).toContain('2 notes cite code that has changed');
    const screen = openScreen(place, ['review'], { columns: 100, rows: 30 });
    const first = await screen.shows('[k]eep  [e]dit  [r]etire');
    expect(first).toContain('1 of 2   notes.md of proj');
    expect(first).toContain('src/other.ts is gone');
    screen.press('r');
    expect(await screen.shows('2 of 2')).toContain('retired · notes.md line 1');
    screen.press('k');
    expect(await screen.ends()).toBe(0);
    expect(command(place, 'read', '--json').stderr).not.toContain('cite');
    expect(readFileSync(join(project, '.bearings/notes.md'), 'utf8')).toBe('`tryOnce` gives null for nothing.\n');
  });
});
