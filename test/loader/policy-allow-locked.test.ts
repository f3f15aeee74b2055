import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { bearings } from '../support/process/binary.ts';
import { screen } from '../support/process/tmux.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const WORDS = 'seven quiet herons wait';
const root = tempFolder();
const place = { home: join(root, 'home'), cwd: join(root, 'project') };
const mark = join(root, 'it-ran');
put(root, {
  'home/.keep': '',
  'project/AGENTS.md': 'rules\n',
  'project/.bearings/policy.yaml': [
    'extends: repo',
    'adapters:',
    '  - name: work',
    '    kind: command',
    `    command: [sh, -c, 'touch ${mark}; echo "[]"']`,
    '',
  ].join('\n'),
});
const run = (...args: string[]) => bearings(place, ...args);
const status = () => JSON.parse(run('load', '--adapter', 'work', '--json').stdout).adapters[0].status;
const allowed = () => JSON.parse(run('policy', 'allowed', '--json').stdout);
const nothingAllowed = () => {
  expect([allowed(), status(), existsSync(mark)]).toEqual([[], 'disabled', false]);
};
const everything = () =>
  readdirSync(place.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

async function answered(passphrase: string) {
  const person = screen(place, ['policy', 'allow', 'work']);
  await person.shows('allow work to run? [y/n]');
  person.enter('y');
  await person.shows('passphrase:');
  person.enter(passphrase);
  if (passphrase !== WORDS) {
    await person.shows('The passphrase is wrong.');
    person.press('C-c');
  }
  return { code: await person.ends(), seen: person.text() };
}

describe('policy allow where the key is locked', () => {
  it('L21 asks for the passphrase on a terminal; a wrong or empty one allows nothing, the right one does', async () => {
    const set = screen(place, ['config', 'confirm', 'passphrase']);
    await set.shows('new passphrase:');
    set.enter(WORDS);
    await set.shows('once more:');
    set.enter(WORDS);
    await set.shows('confirm is now passphrase');

    for (const wrong of ['wrong words', '']) {
      const { code, seen } = await answered(wrong);
      expect(code).not.toBe(0);
      expect(seen).not.toContain('allowed ·');
      nothingAllowed();
    }

    const { code, seen } = await answered(WORDS);
    expect([code, seen.includes('allowed · take it back'), seen.includes(WORDS)]).toEqual([0, true, false]);
    expect(existsSync(mark)).toBe(false);
    expect(allowed()).toMatchObject([{ adapter: 'work' }]);
    expect([status(), existsSync(mark)]).toEqual(['loaded', true]);
    expect(everything()).not.toContain(WORDS);
  });

  it('L21 M50 taking it back is signed too: refused without a terminal, done with the passphrase', async () => {
    for (const input of ['', `${WORDS}\n`]) {
      const { code, stdout, stderr } = bearings({ ...place, input }, 'policy', 'revoke', 'work');
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(/^bearings: [^\n]+\n {10}[^\n]+\n$/);
    }
    expect(allowed()).toMatchObject([{ adapter: 'work' }]);
    const person = screen(place, ['policy', 'revoke', 'work']);
    await person.shows('passphrase:');
    person.enter(WORDS);
    await person.shows('took back 1 permission');
    expect(await person.ends()).toBe(0);
    expect([allowed(), status()]).toEqual([[], 'disabled']);
  });

  it('L21 without a terminal it is refused, whatever is piped in', () => {
    for (const input of ['', 'y\n', `y\n${WORDS}\n`]) {
      const { code, stdout, stderr } = bearings({ ...place, input }, 'policy', 'allow', 'work');
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('only a person may allow a program to run');
      expect(allowed()).toEqual([]);
    }
  });

  it('L21 the library asks for it too, and a call without it or with another allows nothing', async () => {
    const settings = openRooms({ cwd: place.cwd, variables: { HOME: place.home } });
    const [question] = await (await settings.adapters()).trustQuestions('work');
    if (!question) throw new Error('there is a question');
    for (const [passphrase, code] of [
      [undefined, 'awaiting_person'],
      ['', 'invalid_input'],
      ['wrong words', 'invalid_input'],
    ])
      await expect((await settings.adapters()).allowAdapter(question, { passphrase })).rejects.toMatchObject({ code });
    expect(allowed()).toEqual([]);
    await (await settings.adapters()).allowAdapter(question, { passphrase: WORDS });
    expect(allowed()).toMatchObject([{ adapter: 'work' }]);
  });
});
