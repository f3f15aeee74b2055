import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BINARY, bearings, environment, onTerminal, type Place } from './binary.ts';
import { assertContextShape } from './context-shape.ts';
import { put, tempFolder } from './temp-folder.ts';

const root = tempFolder();
let count = 0;
let place: Place;
const at = (name: string) => join(place.home, name);
const run = (...args: string[]) => bearings(place, ...args);

beforeEach(() => {
  count += 1;
  place = { home: join(root, `person${count}`) };
  put(place.home, {
    '.bearings/tastes/_default.md': '- calm\n',
    '.bearings/tastes/underwater.md': '- blue\n- lift\n',
    '.bearings/tastes/macro.md': '- lift\n',
    '.bearings/workspaces/manta/brief.md': 'Tastes: underwater, macro, wildlife\n\nQuiet mood.\n',
    '.bearings/workspaces/manta/notes.md': Array.from({ length: 50 }, (_, i) => `note ${i}\n`).join(''),
    '.bearings/workspaces/manta/log.jsonl': '{"timestamp":"2026-01-01T00:00:00Z","op":"apply","value":1}\nbroken\n',
  });
});

// Every refusal: one sentence with what to do, exit code 2, nothing on stdout, no stack.
function expectRefusal(args: string[], words: RegExp) {
  const { code, stdout, stderr } = run(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(words);
  expect(stderr).toMatch(/^bearings: [^\n]+\n {10}[^\n]+\n$/);
  expect(stderr).not.toMatch(/ {4}at |node:internal|file:\/\//);
  const json = run(...args, '--json');
  expect({ code: json.code, stdout: json.stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
}

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
    const { code, stdout } = run('read', 'manta');
    expect(code).toBe(0);
    expect(stdout).toMatch(/tastes +_default +1 line\n/);
    expect(stdout).toMatch(/underwater +2 lines +declared in brief\.md:1/);
    expect(stdout).toMatch(/wildlife +missing/);
    expect(stdout).toMatch(/1 conflict +"- lift" +underwater, macro/);
    expect(stdout).toMatch(/notes\.md +50 lines +shown 10 \+ 30, 10 elided/);
    expect(stdout).toMatch(/agent gets +[\d,]+ characters, [\d,]+ tokens/);
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('M12 works on a fresh workspace and an empty home', () => {
    expect(run('init', 'fresh').code).toBe(0);
    expect(run('read', 'fresh').code).toBe(0);
    expect(bearings({ home: join(root, 'new'), cwd: root }, 'read').code).toBe(2);
  });

  it('M13 says what an unknown id could have been, and how to make it', () => {
    for (let i = 0; i < 12; i += 1) mkdirSync(at(`.bearings/workspaces/known${String(i).padStart(2, '0')}`));
    const { code, stderr } = run('read', 'mantra');
    expect(code).toBe(2);
    expect(stderr).toBe(
      `bearings: There is no workspace "mantra".\n          Known: ${Array.from({ length: 10 }, (_, i) => `known0${i}`).join(', ')}, and 3 more. Make it with: bearings init mantra\n`,
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
    const { stdout, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${BINARY}" brief manta | head -n 1`], {
      env: environment(place),
      cwd: place.home,
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: 'x\n', stderr: '' });
  });
});

describe('bearings brief, notes', () => {
  it('M8 prints the brief as text or parsed', () => {
    expect(run('brief', 'manta').stdout).toBe('Tastes: underwater, macro, wildlife\n\nQuiet mood.\n');
    const { stdout } = run('brief', 'manta', '--json');
    expect(JSON.parse(stdout)).toEqual({
      image_id: 'manta',
      raw: 'Tastes: underwater, macro, wildlife\n\nQuiet mood.\n',
      intent: 'Quiet mood.',
      tastes: ['underwater', 'macro', 'wildlife'],
    });
    put(place.home, {
      '.bearings/workspaces/manta/brief.md': Buffer.concat([Buffer.from('Tastes: ../x\n'), Buffer.of(255)]),
    });
    const warned = run('brief', 'manta', '--json');
    expect(Object.keys(JSON.parse(warned.stdout))).toEqual(['image_id', 'raw', 'intent', 'tastes']);
    expect(warned.stderr).toMatch(/not valid UTF-8/);
    expect(warned.stderr).toMatch(/warning: brief\.md names the taste "\.\.\/x", which is not a plain file name/);
  });

  it('M16 prints the notes whole, a part of them, or one window as JSON', () => {
    const all = Array.from({ length: 50 }, (_, i) => `note ${i}\n`).join('');
    expect(run('notes', 'manta').stdout).toBe(all);
    expect(run('notes', 'manta', '--offset', '48').stdout).toBe('note 48\nnote 49\n');
    expect(run('notes', 'manta', '--offset', '2', '--limit', '1').stdout).toBe('note 2\n');
    expect(run('notes', 'manta', '--offset', '50')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse(run('notes', 'manta', '--offset', '2', '--limit', '2', '--json').stdout)).toEqual({
      image_id: 'manta',
      offset: 2,
      lines: 2,
      total_lines: 50,
      text: 'note 2\nnote 3',
      next_offset: 4,
    });
    const many = Array.from({ length: 5001 }, (_, i) => `line ${i} of many words\n`).join('');
    put(place.home, { '.bearings/workspaces/manta/notes.md': many });
    expect(run('notes', 'manta').stdout).toBe(many);
    expect(JSON.parse(run('notes', 'manta', '--json').stdout)).toMatchObject({ lines: 2000, next_offset: 2000 });
    for (const wrong of ['-1', 'x', '1.5', '']) expectRefusal(['notes', 'manta', `--limit=${wrong}`], /whole number/);
  });

  it('M31 says why a file can not be read, with exit code 1', () => {
    for (const name of ['brief', 'notes']) {
      put(place.home, { [`.bearings/workspaces/dir/${name}.md/x`]: '' });
      const { code, stdout, stderr } = run(name, 'dir');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`${name}.md can't be read: it is a directory.`);
    }
  });
});

describe('bearings tastes', () => {
  it('M3 lists, shows and makes tastes', () => {
    expect(run('tastes').stdout).toBe('_default         1 line\nmacro            1 line\nunderwater      2 lines\n');
    expect(JSON.parse(run('tastes', 'list', '--json').stdout)).toEqual([
      { name: '_default', lines: 1 },
      { name: 'macro', lines: 1 },
      { name: 'underwater', lines: 2 },
    ]);
    expect(run('tastes', 'show', 'underwater').stdout).toBe('- blue\n- lift\n');
    expect(JSON.parse(run('tastes', 'show', 'underwater.md', '--json').stdout)).toEqual({
      name: 'underwater',
      text: '- blue\n- lift\n',
    });
    expect(run('tastes', 'new', 'wildlife').code).toBe(0);
    expect(readFileSync(at('.bearings/tastes/wildlife.md'), 'utf8')).toBe('');
    expectRefusal(['tastes', 'new', 'wildlife'], /already a taste "wildlife"/);
    expectRefusal(['tastes', 'show', 'none'], /no taste "none"/);
    expectRefusal(['tastes', 'show'], /Which taste/);
    expectRefusal(['tastes', 'shew', 'x'], /list, show and new/);
    expectRefusal(['tastes', 'new', '../x'], /not a plain file name/);
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

  it('M3 reads <home>/taste.md where _default.md is absent, with a warning, and never writes it', () => {
    put(place.home, { 'old/taste.md': 'old taste', 'old/workspaces/w/brief.md': '' });
    const { stdout, stderr } = run('read', 'w', '--json', '--home', 'old');
    expect(JSON.parse(stdout).tastes.default).toBe('old taste');
    expect(stderr).toContain('warning: taste.md is read as the default taste.');
    expect(readdirSync(at('old')).sort()).toEqual(['taste.md', 'workspaces']);
  });
});

describe('bearings init, workspaces', () => {
  it('M2 makes a workspace in the home by name', () => {
    const { code, stdout } = run('init', 'new_one', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ id: 'new_one', folder: '~/.bearings/workspaces/new_one', kind: 'home' });
    expectRefusal(['init', 'new_one'], /already a workspace "new_one"/);
    expectRefusal(['init', 'NEW_ONE'], /already a workspace "new_one"/);
    expectRefusal(['init', '../x'], /not a plain file name/);
    expectRefusal(['init'], /in no repository/);
  });

  it('M2 makes one in a repository, and finds it from below and by id from anywhere', () => {
    mkdirSync(at('project/.git'), { recursive: true });
    mkdirSync(at('project/deep/er'), { recursive: true });
    const inside = { ...place, cwd: at('project/deep/er') };
    expect(JSON.parse(bearings(inside, 'init', '--json').stdout)).toEqual({
      id: 'project',
      folder: '~/project/.bearings',
      kind: 'repository',
    });
    expect(JSON.parse(readFileSync(at('project/.bearings/workspace.json'), 'utf8'))).toEqual({ id: 'project' });
    put(place.home, { 'project/.bearings/brief.md': 'of the project' });
    expect(JSON.parse(bearings(inside, 'read', '--json').stdout).brief.raw).toBe('of the project');
    expect(JSON.parse(run('read', 'project', '--json').stdout).brief.raw).toBe('of the project');
    expect(bearings(inside, 'init').stderr).toMatch(/already has the workspace "project"/);
  });

  it('M2 never takes a home for a workspace', () => {
    mkdirSync(at('sub'));
    const below = { ...place, cwd: at('sub') };
    expect(bearings(below, 'read').stderr).toMatch(/No workspace is named, and there is none here/);
    expect(bearings({ ...below, variables: { BEARINGS_HOME: at('other') } }, 'read').code).toBe(2);
    expectRefusal(['init', '--here'], /home of all workspaces/);
    mkdirSync(at('.git'));
    expectRefusal(['init'], /home of all workspaces/);
    expect(existsSync(at('.bearings/workspace.json'))).toBe(false);
  });

  it('M2 looks in --workspaces, BEARINGS_WORKSPACES, configuration, home, in this order', () => {
    for (const name of ['option', 'variable', 'config']) put(place.home, { [`${name}/manta/brief.md`]: name });
    const variables: Record<string, string> = { BEARINGS_WORKSPACES: '~/variable' };
    put(place.home, { '.bearings/config.yaml': 'workspaces: ~/config\n' });
    const served = (...args: string[]) =>
      bearings({ ...place, variables }, 'brief', 'manta', ...args).stdout.split('\n')[0];
    expect(served('--workspaces', 'option')).toBe('option');
    expect(served()).toBe('variable');
    variables.BEARINGS_WORKSPACES = '';
    expect(served()).toBe('config');
    put(place.home, { '.bearings/config.yaml': '' });
    expect(served()).toBe('Tastes: underwater, macro, wildlife');
  });

  it('M13 lists, renames, and removes only on a terminal and only by moving aside', async () => {
    expect(JSON.parse(run('workspaces', '--json').stdout)).toEqual([
      { id: 'manta', folder: '~/.bearings/workspaces/manta', kind: 'home' },
    ]);
    expect(run('workspaces').stdout).toBe('manta  ~/.bearings/workspaces/manta\n');
    expect(run('workspaces', 'rename', 'manta', 'ray').stdout).toMatch(/^manta is now ray/);
    expectRefusal(['workspaces', 'rename', 'none', 'x'], /no workspace "none"/);
    expectRefusal(['workspaces', 'rename', 'ray'], /needs the new id/);
    expectRefusal(['workspaces', 'rename', 'ray', 'a/b'], /not a plain file name/);
    expectRefusal(['workspaces', 'remove'], /Which workspace/);
    expectRefusal(['workspaces', 'remove', 'ray'], /needs a terminal/);
    expectRefusal(['workspaces', 'drop'], /list, rename and remove/);
    const kept = await onTerminal(place, ['workspaces', 'remove', 'ray'], [{ after: 'Type ray', type: 'no\n' }]);
    expect(kept.stdout).toContain('nothing changed');
    const gone = await onTerminal(place, ['workspaces', 'remove', 'ray'], [{ after: 'Type ray', type: 'ray\n' }]);
    expect(gone).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('kept in ~/.bearings/workspaces/.removed/ray_'),
    });
    const [aside = ''] = readdirSync(at('.bearings/workspaces/.removed'));
    expect(existsSync(at(`.bearings/workspaces/.removed/${aside}/notes.md`))).toBe(true);
    expect(JSON.parse(run('workspaces', '--json').stdout)).toEqual([]);
  });

  it('M8 asks for the brief at the first start, and takes pasted lines', async () => {
    const { code } = await onTerminal(
      place,
      ['init', 'asked'],
      [
        { after: 'nothing skips.', type: 'Clean water.\nQuiet mood.\n\n' },
        { after: 'Which tastes apply?', type: 'underwater\n' },
      ],
    );
    expect(code).toBe(0);
    expect(readFileSync(at('.bearings/workspaces/asked/brief.md'), 'utf8')).toBe(
      'Tastes: underwater\n\nClean water.\nQuiet mood.\n',
    );
  });
});

describe('bearings edit', () => {
  const editor = () => {
    writeFileSync(at('editor.sh'), '#!/bin/sh\nprintf "edited %s" "$1" >> "$2"\n');
    chmodSync(at('editor.sh'), 0o755);
    return { ...place, variables: { EDITOR: `${at('editor.sh')} "by hand"` } };
  };

  it('M1 opens brief, notes and tastes in the person’s editor, and the next read has it', async () => {
    const person = editor();
    for (const what of ['brief', 'notes']) {
      const { code, stdout } = await onTerminal(person, ['edit', what, 'manta']);
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`saved ${what}.md`) });
    }
    await onTerminal(person, ['edit', 'tastes', 'macro']);
    await onTerminal(person, ['edit', 'tastes']);
    const context = JSON.parse(run('read', 'manta', '--json').stdout);
    for (const text of [context.brief.raw, context.notes.summary, context.tastes.genres.macro, context.tastes.default])
      expect(text).toMatch(/edited by hand$/);
  });

  it('M31 needs a terminal, a known thing to edit and an editor that works', async () => {
    expectRefusal(['edit', 'brief', 'manta'], /needs a terminal/);
    expectRefusal(['edit'], /brief, notes or tastes/);
    expectRefusal(['edit', 'log'], /brief, notes or tastes/);
    expect(await onTerminal(editor(), ['edit', 'tastes', 'none'])).toMatchObject({ code: 2 });
    const failing = await onTerminal({ ...place, variables: { EDITOR: 'false' } }, ['edit', 'brief', 'manta']);
    expect(failing).toMatchObject({ code: 1, stdout: expect.stringContaining('did not end well') });
  });
});

describe('bearings config', () => {
  it('M34 shows each value and where it came from', () => {
    put(place.home, {
      '.bearings/config.yaml': 'max_chars: 5000\neditor: nano\n',
      'project/.bearings/config.yaml': '\nmax_chars: 2000\n',
    });
    const inside = {
      ...place,
      cwd: at('project'),
      variables: { VISUAL: '', EDITOR: 'ed', BEARINGS_WORKSPACES: '~/w' },
    };
    expect(JSON.parse(bearings(inside, 'config', 'show', '--tastes', '/t', '--json').stdout)).toEqual([
      { key: 'home', value: '~/.bearings', origin: 'default' },
      { key: 'workspaces', value: '~/w', origin: 'BEARINGS_WORKSPACES' },
      { key: 'tastes', value: '/t', origin: 'option' },
      { key: 'editor', value: 'ed', origin: 'EDITOR' },
      { key: 'max_chars', value: 2000, origin: '.bearings/config.yaml:2' },
      { key: 'max_record_chars', value: 4000, origin: 'default' },
    ]);
    expect(run('config').stdout).toMatch(/^editor +nano +config\.yaml:2$/m);
    expect(run('config', 'check')).toEqual({ code: 0, stdout: 'the configuration is right\n', stderr: '' });
  });

  it('M34 names line and column of what is wrong, and lets no project set what only a home may', () => {
    put(place.home, { '.bearings/config.yaml': '# mine\n  max_chars: 5\nmaxchars: 1\n' });
    expect(run('config', 'check').code).toBe(1);
    put(place.home, {
      '.bearings/config.yaml': 'max_chars: 5\nmaxchars: 1\n',
      'project/.bearings/config.yaml': 'editor: evil\ntastes: /etc\nworkspaces: /\n',
    });
    const inside = { ...place, cwd: at('project') };
    const { code, stdout } = bearings(inside, 'config', 'check', '--json');
    expect(code).toBe(1);
    expect(
      JSON.parse(stdout).problems.map((p: { file: string; line: number; column: number }) => [
        p.file,
        p.line,
        p.column,
      ]),
    ).toEqual([
      ['.bearings/config.yaml', 1, 1],
      ['.bearings/config.yaml', 2, 1],
      ['.bearings/config.yaml', 3, 1],
      ['config.yaml', 1, 1],
      ['config.yaml', 2, 1],
    ]);
    const read = bearings(inside, 'read', 'manta');
    expect(read).toMatchObject({ code: 2, stdout: '' });
    expect(read.stderr).toMatch(/^bearings: \.bearings\/config\.yaml:1:1: "editor" may only be set in the home's/);
    expectRefusal(['config', 'chek'], /show and check/);
  });
});

describe('the command line', () => {
  const commands = ['init', 'read', 'brief', 'notes', 'tastes', 'edit', 'workspaces', 'config', 'mcp', 'demo'];

  it('M31 has help for itself and every command', () => {
    const general = run('--help');
    expect(general.code).toBe(0);
    expect(run().stdout).toBe(general.stdout);
    for (const name of commands) {
      expect(general.stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
      const { code, stdout, stderr } = run(name, '--help');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage$/m);
      expect(stdout).toMatch(/^Examples$/m);
      expect(run('help', name).stdout).toBe(stdout);
    }
    expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('M31 answers bad use with one sentence, what to do, and exit code 2', () => {
    expectRefusal(['reed'], /Did you mean: bearings read/);
    expectRefusal(['__proto__'], /no command "__proto__"/);
    expectRefusal(['read', '--jso'], /no option --jso/);
    expectRefusal(['read', '-x'], /no option -x/);
    expectRefusal(['read', 'a', 'b'], /"b" is one word too many/);
    expectRefusal(['read', '--home'], /--home/);
    expectRefusal(['read', 'a/b'], /not a plain file name/);
    expectRefusal(['help', 'reed'], /no command "reed"/);
    for (const args of [
      ['mcp', '--nope'],
      ['mcp', 'word'],
    ]) {
      const { code, stdout, stderr } = run(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^bearings: [^\n]+\n {10}See: bearings mcp --help\n$/);
    }
  });

  it('M31 shows hidden characters of a hostile word for what they are', () => {
    const { stderr } = run('read\u001b[31m\u202e');
    expect(stderr).not.toMatch(/[\u001b\u202e]/);
  });

  it('M5 tells the story of the demo without a terminal, and leaves nothing behind', () => {
    const variables = { TMPDIR: at('tmp') };
    mkdirSync(at('tmp'));
    const { code, stdout, stderr } = bearings({ ...place, variables }, 'demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('manta_001');
    expect(stdout).toContain('1 conflict');
    expect(stdout).toContain('bearings init');
    expect(readdirSync(at('tmp'))).toEqual([]);
  });

  it('M5 stays to play with on a terminal', async () => {
    const { code, stdout } = await onTerminal(
      place,
      ['demo', '--no-color'],
      [
        { after: 'demo> ', type: 'tastes\n' },
        { after: 'underwater', type: '' },
        { after: 'demo> ', type: 'reed\n' },
        { after: 'demo> ', type: 'exit\n' },
      ],
    );
    expect(code).toBe(0);
    expect(stdout).toContain('Did you mean: bearings read');
  });
});
