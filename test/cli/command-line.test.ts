import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { person } from '../support/person.ts';
import { BINARY, bearings, environment, onTerminal } from '../support/process/binary.ts';
import { expectRefusal } from '../support/refusal.ts';
import { SAMPLE_FILES } from '../support/sample-files.ts';
import { put } from '../support/temp-folder.ts';

const { at, place, run } = person(SAMPLE_FILES);

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
      { key: 'on_session_end', value: 'discard', origin: 'default' },
      { key: 'propose_brief', value: 'off', origin: 'default' },
      { key: 'elicitation_off', value: '', origin: 'default' },
      { key: 'ask_timeout_seconds', value: 300, origin: 'default' },
      { key: 'keep_served', value: 50, origin: 'default' },
      { key: 'hook.prompts', value: 'on', origin: 'default' },
      { key: 'hook.max_tokens', value: 1_500, origin: 'default' },
      { key: 'hook.wrap_up', value: 'off', origin: 'default' },
      { key: 'models', value: '', origin: 'default' },
      { key: 'max_turns', value: 20, origin: 'default' },
      { key: 'max_context_tokens', value: 100_000, origin: 'default' },
      { key: 'max_output_tokens', value: 8_000, origin: 'default' },
      { key: 'heading_inherited', value: 'Context', origin: 'default' },
      { key: 'heading_accumulated', value: 'What earlier steps found', origin: 'default' },
      { key: 'heading_fresh', value: 'Related files', origin: 'default' },
      { key: 'heading_results', value: 'Results to combine', origin: 'default' },
      { key: 'heading_task', value: 'Task', origin: 'default' },
      { key: 'run_task', value: 'off', origin: 'default' },
      { key: 'model_command', value: '', origin: 'default' },
      { key: 'model_command_env', value: '', origin: 'default' },
    ]);
    expect(run('config').stdout).toMatch(/^editor +nano +config\.yaml:2$/m);
    expect(run('config', 'check')).toEqual({ code: 0, stdout: 'the configuration is valid\n', stderr: '' });
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
    // The home's own file must be right; a project's is ignored as a whole, with a warning, and sets nothing.
    expect(bearings(inside, 'read', 'manta')).toMatchObject({ code: 2, stdout: '' });
    put(place.home, { '.bearings/config.yaml': 'max_chars: 5000\n' });
    const shown = bearings(inside, 'config', 'show', '--json');
    expect(shown.code).toBe(0);
    expect(shown.stdout).not.toMatch(/evil|\/etc/);
    expect(shown.stderr).toMatch(
      /^bearings: \.bearings\/config\.yaml:1:1: "editor" may only be set in the home's.*whole file is ignored/,
    );
    expect(bearings(inside, 'config', 'check').code).toBe(1);
    expectRefusal(run, ['config', 'chek'], /list, get, set, unset, check or confirm/);
  });
});

describe('the command line', () => {
  const commands = ['init', 'read', 'show', 'hook', 'drift', 'edit', 'workspaces', 'config', 'mcp', 'demo'];

  it('M31 has help for itself and every command', () => {
    const first = run('--help');
    expect([first.code, first.stdout.match(/^ {2}[a-z]+ /gm)]).toEqual([0, expect.objectContaining({ length: 10 })]);
    const general = run('--help', '--all');
    expect(run('--all').stdout).toBe(general.stdout);
    for (const option of ['json', 'home', 'no-color']) {
      expect(general.stdout).toContain(`  --${option}`);
      expect(run('read', '--help').stdout).not.toContain(`  --${option}`);
    }
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
    expectRefusal(run, ['reed'], /Did you mean: bearings read/);
    expectRefusal(run, ['__proto__'], /no command "__proto__"/);
    expectRefusal(run, ['read', '--jso'], /no option --jso/);
    expectRefusal(run, ['read', '-x'], /no option -x/);
    expectRefusal(run, ['read', 'a', 'b'], /"b" is one argument too many/);
    expectRefusal(run, ['read', '--home'], /--home/);
    expectRefusal(run, ['read', 'a/b'], /not a plain file name/);
    expectRefusal(run, ['help', 'reed'], /no command "reed"/);
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
    // Without a terminal a run tells its progress on the error stream; nothing else may be there.
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^(?:(?:run|start|done|waits|answer) .*\n)*$/),
    });
    expect(stdout).toContain('billing-client');
    expect(stdout).toContain('1 conflict');
    // First turn, proposal, decision, blame.
    expect(stdout).toMatch(/proposed (p_\w+) · .*accepted · notes\.md of billing-client.*accepted · just now · \1/s);
    expect(stdout).toContain('all is well');
    // T26: a run waits, is answered, and goes on.
    expect(stdout).toMatch(/runs resume last[\s\S]*entry/);
    expect(stdout).toContain('bearings init');
    expect(readdirSync(at('tmp'))).toEqual([]);
  });

  it('M5 leaves the yes to the person on a terminal', async () => {
    const { code, stdout } = await onTerminal(
      place,
      ['demo', '--no-color'],
      [
        { after: '[q]uit', type: 'a\n' },
        { after: 'signed by you', type: '' },
        { after: 'May this go into the release notes?', type: '' },
        { after: '[q]uit', type: 'a\n' },
      ],
    );
    expect(code).toBe(0);
    expect(stdout).toContain('bearings init');
  });
});

describe('M31 a place that is not what it should be', () => {
  const typed = (script: string, options: object = {}) =>
    spawnSync('sh', ['-c', script], {
      ...{ cwd: at('.'), env: environment(place), encoding: 'utf8', ...options },
      input: '',
    });
  const PROGRAM = `"${process.execPath}" "${BINARY}"`;

  it.each(['mcp', 'read manta_001', 'load --task door', 'match door', 'doctor'])(
    'M31 the folder is gone: %s says so',
    (line) => {
      mkdirSync(at('gone'), { recursive: true });
      const { status, stderr } = typed(`cd gone && rmdir ../gone && ${PROGRAM} ${line}`);
      expect([status, stderr.split('\n')[0]]).toEqual([2, 'bearings: The folder that this was started in is gone.']);
      expect(stderr.trim().split('\n')).toHaveLength(2);
    },
  );

  it.each([
    [['match', 'door', 'file'], 'There is no such project folder.'],
    [['doctor', 'index', 'rebuild', 'file'], 'There is no such project folder.'],
    [['learn', '--from', 'claude', '--path', 'file'], 'there is a file where a folder should be.'],
    [['load', '--task', 'door', '--out', 'x'.repeat(5_000)], 'its name is too long.'],
  ])('M31 %j', (line, words) => {
    put(place.home, { 'places/file': 'door\n' });
    const { code, stderr } = bearings({ ...place, cwd: at('places') }, ...line);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 2]);
    expect(stderr.split('\n')[0]).toContain(words);
  });

  it('M31 a sentence about a name has an end, however long the name is', () => {
    const { stderr } = run('drift', 'x'.repeat(100_000));
    expect(stderr.length).toBeLessThan(3_000);
    expect(run('demo', '--json')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('a story') });
  });

  it.runIf(existsSync('/dev/full'))('M31 M27 an output that takes nothing is told as a full disk', () => {
    const { status, stderr } = typed(`${PROGRAM} verify > /dev/full`);
    expect([status, stderr.split('\n')[0]]).toEqual([1, "bearings: The output can't be written: the disk is full."]);
  });

  it.runIf(process.getuid?.() === 0)('M31 a user without a name and a home names one, or is told', () => {
    const { HOME: _, ...env } = environment(place);
    const nobody = { cwd: '/', env: { ...env, BEARINGS_HOME: '' }, uid: 54321, gid: 54321 };
    const lost = typed(`${PROGRAM} read`, nobody);
    expect([lost.status, lost.stderr.split('\n')[0]]).toEqual([2, 'bearings: This user has no home folder.']);
    const named = typed(`${PROGRAM} read --json`, { ...nobody, env: { ...env, BEARINGS_HOME: '/no/such/home' } });
    expect(named.stderr).not.toContain('went wrong');
  });
});
