import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertContextShape } from '../support/context-shape.ts';
import { person } from '../support/person.ts';
import { BINARY, bearings, environment, onTerminal } from '../support/process/binary.ts';
import { expectRefusal } from '../support/refusal.ts';
import { SAMPLE_FILES } from '../support/sample-files.ts';
import { put } from '../support/temp-folder.ts';

const { at, place, root, run } = person(SAMPLE_FILES);

describe('bearings read', () => {
  it('M5 prints exactly what an agent gets, warnings only on stderr', () => {
    const { code, stdout, stderr } = run('read', 'manta', '--json');
    expect(code).toBe(0);
    const context = JSON.parse(stdout);
    assertContextShape(context);
    expect(context.tastes).toEqual({
      default: '- calm\n',
      genres: { underwater: '- blue\n- lift\n', macro: '- lift\n' },
      conflicts: [{ point: '- lift', files: ['underwater', 'macro'] }],
    });
    expect(context.brief).toMatchObject({ intent: 'Quiet mood.', tastes: ['underwater', 'macro', 'wildlife'] });
    expect(context.notes.truncated).toBe(true);
    expect(context.recent_log).toEqual([{ timestamp: '2026-01-01T00:00:00Z', op: 'apply', details: { value: 1 } }]);
    expect(stderr).toMatch(/^warning: wildlife\.md is declared but missing/m);
    expect(stderr).toMatch(/^warning: log\.jsonl: 1 line holds no JSON object/m);
  });

  it('M6 keeps the order of genres that look like numbers', () => {
    put(place.home, {
      '.bearings/tastes/10.md': 'ten',
      '.bearings/tastes/2.md': 'two',
      '.bearings/workspaces/manta/brief.md': 'Tastes: 10, 2',
    });
    expect(run('read', 'manta', '--json').stdout).toMatch(/"10": "ten",\s+"2": "two"/);
  });

  it('M5 shows a person the same in 80 columns, with size and reason', () => {
    const { code, stdout } = run('read', 'manta', '--table');
    expect(code).toBe(0);
    expect(stdout).toMatch(/tastes +_default +1 line\n/);
    expect(stdout).toMatch(/underwater +2 lines +declared in brief\.md:1/);
    expect(stdout).toMatch(/wildlife +missing/);
    expect(stdout).toMatch(/1 conflict +"- lift" +underwater, macro/);
    expect(stdout).toMatch(/notes\.md +50 lines +shown 10 \+ 30, 10 elided/);
    expect(stdout).toMatch(/agent gets +[\d,]+ characters, about [\d,]+ tokens/);
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each<Record<string, string>>([{ NO_COLOR: '1' }, {}])(
    'M28 shows a colour that a text brings for what it is: %j',
    async (variables) => {
      put(place.home, { '.bearings/workspaces/manta/brief.md': 'Quiet \u001b[31mmood\u001b[39m.\n' });
      for (const options of [[], ['--table']]) {
        const { stdout } = await onTerminal({ ...place, variables }, ['read', 'manta', ...options]);
        expect(stdout).toContain('mood');
        expect(stdout).not.toContain('\u001b[31m');
      }
    },
  );

  it('M12 works on a fresh workspace and an empty home', () => {
    expect(run('init', 'fresh').code).toBe(0);
    expect(run('read', 'fresh').code).toBe(0);
    // M35: without a workspace, the tastes that hold for all work, and how to make one.
    const { code, stderr } = bearings({ home: join(root, 'new'), cwd: root }, 'read');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('bearings init') });
  });

  it('M13 says what an unknown id could have been, and how to make it', () => {
    for (let i = 0; i < 12; i += 1) mkdirSync(at(`.bearings/workspaces/known${String(i).padStart(2, '0')}`));
    const { code, stderr } = run('read', 'mantra');
    expect(code).toBe(2);
    expect(stderr).toBe(
      `bearings: There is no workspace "mantra". Did you mean manta?\n          Known: ${Array.from({ length: 10 }, (_, i) => `known0${i}`).join(', ')}, and 3 more. Make it with: bearings init mantra\n`,
    );
    expect(JSON.parse(run('read', 'mantra', '--json').stderr)).toMatchObject({
      error: { code: 'not_found', image_id: 'mantra', known_ids: expect.objectContaining({ length: 10 }) },
    });
  });

  it('M15 prints whole texts, however long', () => {
    put(place.home, { '.bearings/workspaces/manta/brief.md': '🐋'.repeat(200_000) });
    expect(JSON.parse(run('read', 'manta', '--json').stdout).brief.raw).toBe('🐋'.repeat(200_000));
  });

  it('M31 ends quietly when its reader goes away', () => {
    put(place.home, { '.bearings/workspaces/manta/brief.md': 'x\n'.repeat(500_000) });
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" "${BINARY}" show brief manta | head -n 1`],
      {
        env: environment(place),
        cwd: place.home,
        encoding: 'utf8',
      },
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'x\n', stderr: '' });
  });

  it('M31 a reader that goes away does not make a failed check pass', () => {
    const check = `"${process.execPath}" "${BINARY}" check none.xml --json`;
    const line = `{ sleep 0.3; ${check} 2>/dev/null; echo $? >&2; } | true`;
    const { stderr } = spawnSync('sh', ['-c', line], { env: environment(place), cwd: place.home, encoding: 'utf8' });
    expect(stderr).toBe('2\n');
  });
});

describe('bearings show brief, notes', () => {
  it('M8 prints the brief as text or parsed', () => {
    expect(run('show', 'brief', 'manta').stdout).toBe('Tastes: underwater, macro, wildlife\n\nQuiet mood.\n');
    const { stdout } = run('show', 'brief', 'manta', '--json');
    expect(JSON.parse(stdout)).toEqual({
      image_id: 'manta',
      raw: 'Tastes: underwater, macro, wildlife\n\nQuiet mood.\n',
      intent: 'Quiet mood.',
      tastes: ['underwater', 'macro', 'wildlife'],
    });
    put(place.home, {
      '.bearings/workspaces/manta/brief.md': Buffer.concat([Buffer.from('Tastes: ../x\n'), Buffer.of(255)]),
    });
    const warned = run('show', 'brief', 'manta', '--json');
    expect(Object.keys(JSON.parse(warned.stdout))).toEqual(['image_id', 'raw', 'intent', 'tastes']);
    expect(warned.stderr).toMatch(/not valid UTF-8/);
    expect(warned.stderr).toMatch(/warning: brief\.md names the taste "\.\.\/x", which is not a plain file name/);
  });

  it('M16 prints the notes whole, a part of them, or one window as JSON', () => {
    const all = Array.from({ length: 50 }, (_, i) => `note ${i}\n`).join('');
    expect(run('show', 'notes', 'manta').stdout).toBe(all);
    expect(run('show', 'notes', 'manta', '--offset', '48').stdout).toBe('note 48\nnote 49\n');
    expect(run('show', 'notes', 'manta', '--offset', '2', '--limit', '1').stdout).toBe('note 2\n');
    expect(run('show', 'notes', 'manta', '--offset', '50')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^warning: 1 block unaccounted \(1 in notes\.md\): it was written by hand, .*\n$/),
    });
    expect(JSON.parse(run('show', 'notes', 'manta', '--offset', '2', '--limit', '2', '--json').stdout)).toEqual({
      image_id: 'manta',
      offset: 2,
      lines: 2,
      total_lines: 50,
      text: 'note 2\nnote 3',
      next_offset: 4,
    });
    const many = Array.from({ length: 5001 }, (_, i) => `line ${i} of many words\n`).join('');
    put(place.home, { '.bearings/workspaces/manta/notes.md': many });
    expect(run('show', 'notes', 'manta').stdout).toBe(many);
    expect(JSON.parse(run('show', 'notes', 'manta', '--json').stdout)).toMatchObject({
      lines: 2000,
      next_offset: 2000,
    });
    for (const wrong of ['-1', 'x', '1.5', ''])
      expectRefusal(run, ['show', 'notes', 'manta', `--limit=${wrong}`], /whole number/);
  });

  it('M31 says why a file cannot be read, with exit code 1', () => {
    for (const name of ['brief', 'notes']) {
      put(place.home, { [`.bearings/workspaces/dir/${name}.md/x`]: '' });
      const { code, stdout, stderr } = run('show', name, 'dir');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`${name}.md can't be read: it is a directory.`);
    }
  });
});

describe('bearings show tastes', () => {
  it('M3 lists, shows and makes tastes', () => {
    expect(run('show', 'tastes').stdout).toBe(
      '_default         1 line\nmacro            1 line\nunderwater      2 lines\n',
    );
    expect(JSON.parse(run('show', 'tastes', '--json').stdout)).toEqual([
      { name: '_default', lines: 1 },
      { name: 'macro', lines: 1 },
      { name: 'underwater', lines: 2 },
    ]);
    expect(run('show', 'tastes', 'underwater').stdout).toBe('- blue\n- lift\n');
    expect(JSON.parse(run('show', 'tastes', 'underwater.md', '--json').stdout)).toEqual({
      name: 'underwater',
      text: '- blue\n- lift\n',
    });
    expect(run('edit', 'tastes', 'wildlife').code).toBe(3);
    expect(readFileSync(at('.bearings/tastes/wildlife.md'), 'utf8')).toBe('');
    expectRefusal(run, ['edit', 'tastes', 'Wildlife'], /already a taste "wildlife"/);
    expectRefusal(run, ['show', 'tastes', 'none'], /no taste "none"/);
    expectRefusal(run, ['show'], /brief, notes or tastes/);
    expectRefusal(run, ['show', 'taste', 'x'], /Did you mean: bearings show tastes/);
    expectRefusal(run, ['edit', 'tastes', '../x'], /not a plain file name/);
  });

  it('M3 looks in option, BEARINGS_TASTES_DIR, CHEMIGRAM_TASTES_DIR, configuration, home, in this order', () => {
    for (const name of ['option', 'bearings', 'chemigram', 'config'])
      put(place.home, { [`${name}/_default.md`]: name });
    const variables: Record<string, string> = {
      BEARINGS_TASTES_DIR: '~/bearings',
      CHEMIGRAM_TASTES_DIR: at('chemigram'),
    };
    const served = (...args: string[]) =>
      JSON.parse(bearings({ ...place, variables }, 'read', 'manta', '--json', ...args).stdout).tastes.default;
    put(place.home, { '.bearings/config.yaml': 'tastes: ~/config\n' });
    expect(served('--tastes', 'option')).toBe('option');
    expect(served('--tastes', '~/option')).toBe('option');
    expect(served()).toBe('bearings');
    variables.BEARINGS_TASTES_DIR = '';
    expect(served()).toBe('chemigram');
    variables.CHEMIGRAM_TASTES_DIR = '';
    expect(served()).toBe('config');
    put(place.home, { '.bearings/config.yaml': 'tastes: ../config\n' });
    expect(served()).toBe('config');
    put(place.home, { '.bearings/config.yaml': '' });
    expect(served()).toBe('- calm\n');
    put(place.home, { 'else/tastes/_default.md': 'else', 'else/workspaces/manta/brief.md': '' });
    expect(served('--home', 'else')).toBe('else');
    variables.BEARINGS_HOME = '~/else';
    expect(served()).toBe('else');
  });

  it('M52 M10 the session hook gives the headings of the notes that are elided, within the client’s limit, and says nothing untrue', () => {
    const written = (middle: string[], line = 'a line') =>
      put(place.home, {
        '.bearings/workspaces/manta/notes.md': [
          ...Array.from({ length: 10 }, (_, at) => `${line} ${at}`),
          ...middle,
          ...Array.from({ length: 30 }, (_, at) => `${line} ${at + 100}`),
        ].join('\n'),
      });
    const hook = () => {
      const { code, stdout } = bearings({ ...place, input: '{}' }, 'hook', 'session-start', '--workspace', 'manta');
      expect(code).toBe(0);
      const text: string = JSON.parse(stdout).hookSpecificOutput.additionalContext;
      expect(text.length).toBeLessThanOrEqual(10_000);
      expect(text).not.toContain('gives all of it');
      return text;
    };
    const middle = ['## Lighting', ...Array.from({ length: 80 }, (_, at) => `detail ${at}`)];
    written([...middle.slice(0, 40), '```sh', '# not a heading', '```', '### Crop for print', ...middle.slice(40)]);
    const text = hook();
    expect(text).toContain('... [85 lines elided] ...');
    expect(text).toContain('## Headings of the elided notes\n## Lighting\n### Crop for print\n');
    expect(text).not.toContain('not a heading');
    expect(text).not.toContain('detail 7');
    expect(run('read', 'manta', '--json').stdout).not.toContain('## Lighting');
    // However long the notes and their headings are.
    written(
      Array.from({ length: 900 }, (_, at) => `## Heading ${at} of many`),
      'words '.repeat(100),
    );
    const long = hook();
    expect(long).toMatch(/^Context .* cut to fit \(read_context gives more of it\):$/m);
    expect(long).toContain('## Heading 0 of many');
    expect(long).toContain('- calm');
    expect(long).toMatch(/words +129/);
  });

  it('M3 <home>/taste.md is the default taste where _default.md is absent', () => {
    put(place.home, { 'old/taste.md': 'old taste', 'old/workspaces/w/brief.md': '' });
    const { stdout, stderr } = run('read', 'w', '--json', '--home', 'old');
    expect(JSON.parse(stdout).tastes.default).toBe('old taste');
    expect(stderr).not.toContain('taste.md');
    expect(readdirSync(at('old')).sort()).toEqual(['taste.md', 'workspaces']);
  });
});
