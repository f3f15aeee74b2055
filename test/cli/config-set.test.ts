import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { person } from '../support/person.ts';

const { at, place, run } = person({ '.bearings/workspaces/w/brief.md': 'About w.\n' });
const file = () => readFileSync(at('.bearings/config.yaml'), 'utf8');

describe('bearings config set', () => {
  it('M34 writes one line, leaves comments and all others, and says what is in force', () => {
    writeFileSync(at('.bearings/config.yaml'), '# mine\nmax_chars: 50000 # long\n\neditor: nano\n');
    expect(run('config', 'set', 'max_chars', '40000')).toMatchObject({
      code: 0,
      stdout: 'max_chars is 40000 · config.yaml\n',
    });
    expect(file()).toBe('# mine\nmax_chars: 40000 # long\n\neditor: nano\n');
    expect(run('config', 'get', 'max_chars').stdout).toBe('40000\n');
    expect(run('config', 'set', 'on_session_end', 'keep').code).toBe(0);
    expect(file()).toBe('# mine\nmax_chars: 40000 # long\n\neditor: nano\non_session_end: keep\n');
    expect(run('config', 'unset', 'on_session_end').stdout).toBe('on_session_end is no longer set · config.yaml\n');
    expect(JSON.parse(run('config', 'get', 'on_session_end', '--json').stdout)).toEqual({
      key: 'on_session_end',
      value: 'discard',
      origin: 'default',
    });
    expect(run('config', 'check').code).toBe(0);
  });

  it('M34 makes the file where there is none, and takes its last line away again', () => {
    expect(run('config', 'set', 'elicitation_off', '*').code).toBe(0);
    expect(file()).toBe('elicitation_off: "*"\n');
    expect(run('config', 'list').stdout).toMatch(/elicitation_off +\* +config\.yaml:1/);
    expect(run('config', 'unset', 'elicitation_off').code).toBe(0);
    expect(file()).toBe('');
  });

  it.each([
    [['set', 'max_char', '5000'], 'Did you mean max_chars?'],
    [['get', 'editr'], 'Did you mean editor?'],
    [['set', 'max_chars', 'many'], '"max_chars" must be a whole number from 1000 to 1000000.'],
    [['set', 'run_task', 'maybe'], '"run_task" must be one of on, off.'],
    [['set', 'confirm', 'ask'], 'Change it: bearings config confirm passphrase'],
    [['set', 'models', 'x'], 'models has lines of its own for each model.'],
    [['set', 'editor', 'vi', '--project'], "may only be set in the home's config.yaml"],
    [['set', 'max_chars', '5000', '--project'], 'There is no project with a workspace here.'],
    [['set', 'max_chars'], 'What should max_chars be?'],
    [['set'], 'Which setting?'],
    [['sett', 'max_chars', '5000'], 'Did you mean: bearings config set'],
  ])('M31 M34 config %j is refused with what to do, and nothing is written', (words, told) => {
    expect(run('config', ...words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(told),
    });
    expect(() => file()).toThrow(/ENOENT/);
  });

  it('M34 a file with a problem is not written over', () => {
    writeFileSync(at('.bearings/config.yaml'), 'max_chars: 5000\nnonsense: 1\n');
    expect(run('config', 'set', 'max_chars', '6000')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('config.yaml:2:1'),
    });
    expect(file()).toBe('max_chars: 5000\nnonsense: 1\n');
  });

  it('M34 a variable that comes first is told; a program sets and gets the same', async () => {
    const withEditor = { ...place, variables: { EDITOR: 'nano' } };
    const { bearings } = await import('../support/process/binary.ts');
    expect(bearings(withEditor, 'config', 'set', 'editor', 'vim').stderr).toBe(
      'warning: EDITOR overrides it with nano\n',
    );
    const library = openRooms({ home: at('.bearings'), cwd: place.home, variables: { HOME: place.home } });
    expect(await (await library.settings()).setSetting('editor', 'emacs')).toEqual({
      key: 'editor',
      value: 'emacs',
      file: 'config.yaml',
    });
    expect(await (await library.settings()).getSetting('editor')).toEqual({
      key: 'editor',
      value: 'emacs',
      origin: 'config.yaml:1',
    });
  });

  it('M31 a client that is nearly right is guessed', () => {
    expect(run('install', 'cursr', '--print').stderr).toContain('Did you mean: cursor?');
    expect(run('install', 'claude', '--print').stderr).toContain('Did you mean: claude-code?');
  });
});
