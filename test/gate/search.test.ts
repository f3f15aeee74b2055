import { describe, expect, it } from 'vitest';
import { decided, openLibrary, proposed } from '../support/open-library.ts';
import { person } from '../support/person.ts';
import { agent } from '../support/process/binary.ts';

const W = '.bearings/workspaces';
const { place, run } = person({
  '.bearings/tastes/_default.md': '- calm over loud\n',
  '.bearings/tastes/sea.md': '- white balance from the sand\n',
  [`${W}/manta/brief.md`]: 'Blue water.\n\nTastes: sea\n',
  [`${W}/manta/notes.md`]: 'A first line.\n\nThe white balance runs cool.\nStart from 5,400 K.\n',
  [`${W}/manta/notes-archive.md`]: 'An old white balance, taken out.\n',
  [`${W}/other/notes.md`]: 'Balance of the frame.\n',
});
const found = (...args: string[]) =>
  JSON.parse(run('search', ...args, '--json').stdout) as { place: string; line: number; text: string }[];

describe('search', () => {
  it('M41 finds blocks with file and line in tastes, briefs, notes, archive, decisions and transcripts, best first', async () => {
    const library = openLibrary(place.home);
    const id = await proposed(library, 'Use the grey card.', { reason: 'It was asked.' });
    await decided(library, id, { decision: 'decline', reason: 'We have no grey card.' } as never);
    const hits = found('white balance');
    expect(hits[0]).toMatchObject({
      place: expect.stringMatching(/notes.*manta|sea/),
      text: expect.stringMatching(/white balance/),
    });
    expect(hits.map((hit) => [hit.place, hit.line])).toEqual(
      expect.arrayContaining([
        ['tastes/sea.md', 1],
        ['notes.md of manta', 3],
        ['notes-archive.md of manta', 1],
      ]),
    );
    expect(found('we have no grey card').some((hit) => hit.place.startsWith('decision in session'))).toBe(true);
    expect(found('balance', 'other').map((hit) => hit.place)).not.toContain('notes.md of manta');
    expect(run('search', 'white balance').stdout).toContain('notes.md of manta line 3');
    expect(run('search', 'nothing-like-this').stdout).toBe('nothing was found\n');
    expect(run('search').code).toBe(2);
  });

  it('M41 a text that was accepted is found once, where it is; nobody is told of a session called standing', async () => {
    const library = openLibrary(place.home);
    const id = await proposed(library, 'Turn the flash off.\n\nAlways turn the flash off.', { reason: 'Backscatter.' });
    await decided(library, id, { decision: 'accept' } as never);
    const hits = found('turn the flash off');
    expect(hits.map((hit) => hit.text)).toEqual(['Turn the flash off.', 'Always turn the flash off.']);
    expect(hits.every((hit) => hit.place.startsWith('notes.md'))).toBe(true);
    expect(found('backscatter')).toHaveLength(1);
    expect(run('propose', 'notes', 'manta', '--content', 'Snoot the torch.').code).toBe(0);
    expect(found('snoot').map((hit) => hit.place)).toEqual(['proposal from the command line']);
  });

  it('M41 an agent finds what it may read through read_full_notes: no archive, no transcript', async () => {
    const { call } = await agent(place);
    const { value, isError } = await call('read_full_notes', { image_id: 'manta', query: 'white balance' });
    expect(isError).toBe(false);
    const places = (value.found as { file: string; line: number }[]).map((hit) => [hit.file, hit.line]);
    expect(places).toEqual(
      expect.arrayContaining([
        ['notes.md', 3],
        ['tastes/sea.md', 1],
      ]),
    );
    expect(JSON.stringify(value)).not.toContain('taken out');
    const whole = await call('read_full_notes', { image_id: 'manta' });
    expect(value.total_lines).toBe(whole.value.total_lines);
    expect(value.total_lines).toBeGreaterThan(0);
  });
});

describe('what a person sees of it', () => {
  it('M5 read is the text an agent gets', () => {
    const { stdout } = run('read', 'manta');
    for (const part of ['## Tastes', '- calm over loud', '## Brief of manta', 'Start from 5,400 K.'])
      expect(stdout).toContain(part);
  });

  it('M31 an id that is nearly one of yours is guessed', () => {
    expect(run('read', 'mantra').stderr).toContain('Did you mean manta?');
  });
});
