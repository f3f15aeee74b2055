import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { realFiles } from '../../src/files/write-file.ts';
import { Crash, crashAt } from '../crash/crash-layer.ts';
import { decided, ledgerLines, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { agent } from '../support/process/binary.ts';
import { screen } from '../support/process/tmux.ts';
import { put } from '../support/temp-folder.ts';

const OLD = '# Taste\n\n- calm over loud\n\n- months of taste\n';
const OLDER = '.bearings/taste.md';
const DEFAULT = '.bearings/tastes/_default.md';
const { place, at, run } = person({ [OLDER]: OLD, '.bearings/workspaces/manta/brief.md': 'About mantas.\n' });
const read = (name: string) => readFileSync(at(name), 'utf8');
const library = () => openLibrary(place.home);
const served = async () => (await (await library().memory()).readContext('manta')).context.tastes.default;
const taste = (content: string, more: { replaces?: string } = {}) =>
  proposed(library(), content, { kind: 'taste', category: 'value', ...more });
const BOTH = /two default tastes, tastes\/_default\.md and taste\.md/;

describe('M3 a home with the older taste.md', () => {
  it('M3 it is the default taste in every respect: served, shown, grown, replaced, accounted, edited, blamed, undone', async () => {
    const bearings = library();
    await (await bearings.gate()).adoptAll('all', { via: 'init' });
    const id = await taste('- never crop');
    const { diff, where } = await (await bearings.gate()).showProposal(id);
    expect(where).toBe('taste.md');
    expect(diff.map(({ mark, number, text }) => `${mark}${number} ${text}`)).toEqual([
      ' 4 ',
      ' 5 - months of taste',
      '+7 - never crop',
    ]);
    await decided(bearings, id);
    const grown = `${OLD}\n- never crop\n`;
    expect([read(OLDER), existsSync(at(DEFAULT)), await served()]).toEqual([grown, false, grown]);
    expect(
      await (await bearings.gate()).propose(await (await bearings.sessions()).openSession({ id: 'manta' }, 'studio'), {
        ...{ kind: 'taste', category: 'value', content: '- calm over loud' },
      }),
    ).toMatchObject({ status: 'already_present' });
    await decided(bearings, await taste('- calm over all', { replaces: '- calm over loud' }));
    expect(await served()).toBe(grown.replace('over loud', 'over all'));
    expect((await (await bearings.memory()).readContext('manta')).warnings).toEqual([]);

    expect(run('show', 'tastes').stdout).toMatch(/^_default\b/m);
    expect(run('show', 'tastes', '_default').stdout).toContain('months of taste');
    expect(run('why', 'tastes/_default.md').stdout).toMatch(/never crop/);
    expect(run('search', 'months of taste').stdout).toContain('months of taste');
    expect(run('doctor').stdout).toContain('1 taste');
    const edit = screen(place, ['edit', 'tastes'], {
      variables: { EDITOR: `sh -c 'printf "\\n- by hand\\n" >> "$0"'` },
    });
    await edit.shows('saved tastes/_default');
    expect(await served()).toMatch(/- by hand\n$/);
    await (await bearings.gate()).goBack(await (await bearings.gate()).showUndo(), { via: 'terminal' });
    expect(await served()).toBe(grown.replace('over loud', 'over all'));
    expect((await (await bearings.memory()).readContext('manta')).warnings).toEqual([]);
    expect([existsSync(at(DEFAULT)), run('verify').code]).toEqual([false, 0]);
  });

  it('M3 no step makes another file in its place unsaid', async () => {
    expect([run('edit', 'tastes', '_default').code, existsSync(at(DEFAULT))]).toEqual([3, false]);
    await decided(library(), await taste('- first decision of all'));
    expect([existsSync(at(DEFAULT)), await served()]).toEqual([false, `${OLD}\n- first decision of all\n`]);
  });

  it('M3 M51 review shows the whole of it, and moves it on a yes: one decision, signed, nothing else changed', async () => {
    await (await library().gate()).adoptAll('all', { via: 'init' });
    await decided(library(), await taste('- never crop'));
    const before = await served();
    const skipped = screen(place, ['review', '--plain']);
    for (const line of before.split('\n')) await skipped.shows(line);
    await skipped.shows(/\[m\]ove it[^\n]*\s*$/);
    skipped.enter('s');
    expect(await skipped.ends()).toBe(0);
    expect([read(OLDER), existsSync(at(DEFAULT))]).toEqual([before, false]);
    const moved = screen(place, ['review', '--plain']);
    await moved.shows(/\[m\]ove it[^\n]*\s*$/);
    moved.enter('m');
    await moved.shows('moved · tastes/_default.md');
    expect([read(DEFAULT), existsSync(at(OLDER)), await served()]).toEqual([before, false, before]);
    const entry = JSON.parse(ledgerLines(at('.bearings/tastes')).at(-1) ?? '');
    expect([entry.decision, entry.file, entry.via]).toEqual(['edit', 'tastes/_default.md', 'review']);
    expect((await (await library().memory()).readContext('manta')).warnings).toEqual([]);
    expect([run('verify').code, run('review').stdout]).toEqual([0, expect.stringContaining('nothing waits')]);
  });

  it('M3 what changed since it was shown is not moved, and a link stays where it is', async () => {
    const [shown] = await (await library().gate()).olderTaste();
    if (!shown) throw new Error('it is there');
    writeFileSync(at(OLDER), `${OLD}- by hand meanwhile\n`);
    const move = (await library().gate()).moveOlderTaste(shown, { via: 'review' });
    await expect(move).rejects.toMatchObject({ code: 'conflict' });
    rmSync(at(OLDER));
    put(place.home, { 'dotfiles/taste.md': OLD });
    symlinkSync('../dotfiles/taste.md', at(OLDER));
    expect(await (await library().gate()).olderTaste()).toEqual([]);
    await decided(library(), await taste('- never crop'));
    expect([await served(), lstatSync(at(OLDER)).isSymbolicLink()]).toEqual([`${OLD}\n- never crop\n`, true]);
  });

  it('M3 while both exist every face warns and names both', async () => {
    put(place.home, { [DEFAULT]: '- the newer\n' });
    expect(await served()).toBe('- the newer\n');
    const { call, client } = await agent(place);
    const mcp = (await call('read_context', { image_id: 'manta' })).texts.join('\n');
    await client.close();
    const faces = {
      library: (await (await library().memory()).readContext('manta')).warnings.join(),
      read: run('read', 'manta', '--json').stderr,
      hook: run('hook', 'session-start', '--workspace', 'manta').stdout,
      resource: (await (await library().clients()).memoryText({ kind: 'taste', name: '_default' })).warnings.join(),
      review: run('review').stderr,
      doctor: run('doctor').stdout,
      mcp,
    };
    for (const [face, text] of Object.entries(faces)) expect(text.replace(/\s+/g, ' '), face).toMatch(BOTH);
  });

  it('M3 M44 a text of it is erased like any other', async () => {
    const gate = await library().gate();
    await gate.adoptAll('all', { via: 'init' });
    const { left } = await gate.erase(await gate.showErasure('- months of taste'), { via: 'terminal' });
    expect([left, read(OLDER), existsSync(at(DEFAULT))]).toEqual([[], '# Taste\n\n- calm over loud\n', false]);
  });

  it('M3 M24 a process that dies at any step of growing or moving it loses nothing of what is served', async () => {
    await (await library().gate()).adoptAll('all', { via: 'init' });
    for (const act of ['grow', 'move'] as const)
      for (let step = 1; ; step += 1) {
        const before = await served();
        const id = act === 'grow' ? await taste(`- ${act} ${step}`) : '';
        const layer = crashAt(realFiles, step, 0.5);
        const bearings = openLibrary(place.home, { files: layer.files });
        try {
          if (act === 'grow') await decided(bearings, id);
          else
            for (const shown of await (await bearings.gate()).olderTaste())
              await (await bearings.gate()).moveOlderTaste(shown, { via: 'review' });
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
        }
        await (await library().gate()).history('tastes/_default.md');
        const after = await served();
        expect([before, `${before}\n- ${act} ${step}\n`], `${act} ${step}`).toContain(after);
        expect(Number(existsSync(at(OLDER))) + Number(existsSync(at(DEFAULT))), `${act} ${step}`).toBe(1);
        expect((await (await library().memory()).readContext('manta')).warnings, `${act} ${step}`).toEqual([]);
        expect(run('verify').code).toBe(0);
        for (const { proposal_id } of await (await library().gate()).listProposals('all'))
          await decided(library(), proposal_id);
        if (layer.steps() < step) break;
        if (existsSync(at(DEFAULT))) {
          put(place.home, { [OLDER]: read(DEFAULT) });
          rmSync(at(DEFAULT));
        }
      }
    expect([existsSync(at(OLDER)), existsSync(at(DEFAULT))]).toEqual([false, true]);
    expect(await served()).toContain('months of taste');
  });
});
