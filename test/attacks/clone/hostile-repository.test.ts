import { readdirSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agent, bearings, onTerminal } from '../../support/process/binary.ts';
import { put } from '../../support/temp-folder.ts';
import { victim } from '../victim.ts';

const { place, at, heard, library, expectNothingLeaked } = victim();

describe('a hostile repository', () => {
  it('M2 that claims the id of a person’s workspace gets neither its place nor its files', async () => {
    put(place.home, { 'repo/.bearings/workspace.json': '{"id":"w"}', 'repo/.bearings/brief.md': 'of the repository' });
    const inside = library(at('repo'));
    expect((await (await inside.memory()).readContext('w')).context.brief.raw).toBe('brief');
    // Without an id nobody could tell which of the two is meant: it is asked, not guessed.
    await expect((await inside.memory()).readContext()).rejects.toMatchObject({ code: 'conflict' });
    expect((await (await inside.workspaces()).listWorkspaces()).map(({ id, kind }) => [id, kind])).toEqual([
      ['w', 'home'],
    ]);
  });

  it('M34 sets no folder and no program, and runs nothing', async () => {
    for (const line of [
      'editor: touch pwned #',
      'tastes: /',
      'workspaces: ../..',
      'tastes: &a x',
      'max_chars: !!js/function "f"',
    ]) {
      put(place.home, { 'repo/.bearings/config.yaml': `${line}\n` });
      const inside = { ...place, cwd: at('repo'), variables: { EDITOR: 'true' } };
      // The file is ignored as a whole, with a warning: it neither works nor gets in the way.
      const ignored = expect.stringContaining('The whole file is ignored');
      for (const args of [['read', 'w'], ['show', 'tastes'], ['config']])
        expect(heard(bearings(inside, ...args))).toMatchObject({ code: 0, stderr: ignored });
      expect(heard(bearings(inside, 'config', 'check')).code).toBe(1);
      expect(heard(await onTerminal(inside, ['edit', 'brief', 'w'])).code).toBe(0);
      const { call } = await agent(inside);
      const { texts, isError } = heard(await call('read_context', { image_id: 'w' }));
      expect([isError, texts.join()]).toEqual([false, ignored]);
    }
    expect(readdirSync(at('repo')).sort()).toEqual(['.bearings']);
    expectNothingLeaked();
  });

  it('M34 hides no terminal escape in the name of a setting', () => {
    put(place.home, { 'repo/.bearings/config.yaml': '"\\e]0;title\\a\\e[2J": 1\n' });
    for (const args of [['read'], ['config', 'check']]) {
      const { stdout, stderr } = heard(bearings({ ...place, cwd: at('repo') }, ...args));
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });

  it('M9 moved to another place keeps its scope', async () => {
    put(place.home, { 'repo/.bearings/brief.md': 'brief', 'repo/sub/x': '' });
    symlinkSync('../../secret', at('repo/.bearings/notes.md'));
    renameSync(at('repo'), at('moved'));
    const { context, warnings } = heard(await (await library(at('moved/sub')).memory()).readContext());
    expect(context.notes.summary).toBe('');
    expect(warnings).toEqual([
      expect.stringContaining('links are not followed'),
      expect.stringContaining(
        '2 blocks unaccounted (1 in tastes/_default.md, 1 in brief.md): it came with the repository or was written by hand',
      ),
    ]);
    expectNothingLeaked();
  });
});
