import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, environment, type Place, bearings as runBinary, STARTED } from '../support/process/binary.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-tasks-')));
const home = join(folder, 'home');
const project = join(folder, 'project');
const place: Place = {
  home: folder,
  cwd: project,
  variables: { BEARINGS_HOME: home, BEARINGS_CACHE: join(folder, 'cache'), NO_COLOR: '1' },
};

// The built program.
beforeAll(() => {
  mkdirSync(home, { recursive: true });
  mkdirSync(join(project, 'docs'), { recursive: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function start(args: string[], cwd = project) {
  const child = spawn(process.execPath, [...STARTED, BINARY, ...args], {
    cwd,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
  return { child, ended };
}

const bearings = (args: string[]) => runBinary(place, ...args);
const put = (name: string, text: string | Uint8Array) => writeFileSync(join(project, name), text);
const reduce = (
  attributes = '',
  reduction = 'join',
) => `<task type="reduce" ${attributes}><description>each</description>
<inputs><input name="list"/></inputs>
<inner_task><description>take {{item}}</description></inner_task>
<reduction_task><description>${reduction}</description><context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management></reduction_task></task>`;

describe('what a run says of what it cannot do', () => {
  it('T14 T19 past a limit it says to run it again with a higher one, and offers no resume', () => {
    put('short.xml', '<task type="atomic"><description>x</description></task>');
    const { code, stderr } = bearings(['run', 'short.xml', '--max-output', '1']);
    expect([code, stderr.includes('resume')]).toEqual([1, false]);
    expect(stderr).toContain('run it again with a higher limit: --max-output N');
  });

  it('T2 a text where a list is needed is refused before anything runs', () => {
    put('each.xml', reduce());
    const { code, stdout, stderr } = bearings(['run', 'each.xml', '--input', 'list=hello']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('The input "list" is not a list.');
    expect(stderr).toContain('Give it: --inputs list=FILE.jsonl');
  });

  it('T2 an input that is missing, or that no task asks for, is refused before anything runs', () => {
    put(
      'topic.xml',
      `<task type="atomic"><description>{{topic}}</description><inputs><input name="topic"/></inputs></task>`,
    );
    for (const [given, said] of [
      [[], 'The input "topic" is missing.\n          Give it: --input topic=VALUE'],
      [['--input', 'topik=x'], 'The task has no input "topik".\n          Known: topic.'],
    ] as const) {
      const { code, stdout, stderr } = bearings(['run', 'topic.xml', ...given]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(said);
    }
  });

  it('T21 where no model was asked, an answer that fits no schema says so', () => {
    put(
      'json.xml',
      '<task type="atomic"><description>x</description><output_format type="json" schema="number"/></task>',
    );
    const { code, stderr } = bearings(['run', 'json.xml']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/does not match.*\n.*choose one with --model/)]);
  });

  it('T21 --model command without a program says how to set one', () => {
    put('short.xml', '<task type="atomic"><description>x</description></task>');
    const { stderr } = bearings(['run', 'short.xml', '--model', 'command']);
    expect(stderr).toContain('bearings config set model_command "claude -p"');
  });
});

describe('T23 bearings check', () => {
  it('T5 prints place, problem and hint; exit code 1 on errors, 0 on warnings, 2 on bad use', async () => {
    put(
      'bad.xml',
      '<task type="atomic">\n  <description>x</description>\n  <context_management><fresh_context>yes</fresh_context></context_management>\n</task>',
    );
    const bad = bearings(['check', 'bad.xml']);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('bad.xml:3:3   error    inherit_context is missing in this block.');
    expect(bad.stdout).toContain('bad.xml:3:23  error    "yes" is not a value of fresh_context.');
    expect(bad.stdout).toContain('2 errors');
    const warned = bearings(['check', resolve(import.meta.dirname, '../../examples/tasks/rewrite-line.xml')]);
    expect([warned.code, warned.stdout.trim().split('\n').at(-1)]).toEqual([0, '1 warning']);
    expect(bearings(['check']).code).toBe(2);
    expect(bearings(['check', 'nothing.xml']).code).toBe(2);
    expect(bearings(['check', 'docs']).code).toBe(2);
  });

  it('T4 --explain says what is in force and where it came from; --strict refuses what is left out', async () => {
    put('short.xml', '<task type="atomic"><description>x</description></task>');
    const { stdout, code } = bearings(['check', 'short.xml', '--explain', '--json']);
    expect(code).toBe(0);
    const settings = JSON.parse(stdout).tasks[0].settings;
    expect(settings[0]).toEqual({ setting: 'inherit_context', value: 'full', origin: 'default of atomic' });
    expect(bearings(['check', 'short.xml', '--strict']).code).toBe(1);
  });

  it('T7 a template of 100 MB is refused without reading it', async () => {
    put('huge.xml', Buffer.alloc(100 * 1024 * 1024, '<'));
    const { code, stdout } = bearings(['check', 'huge.xml', '--json']);
    rmSync(join(project, 'huge.xml'));
    expect(code).toBe(1);
    expect(JSON.parse(stdout).problems).toMatchObject([
      { line: 1, column: 1, message: expect.stringMatching(/larger/) },
    ]);
  });
});

describe('T23 bearings run', () => {
  it('T21 extract says what it is, and the result is the same every time', async () => {
    put('docs/reef.md', 'The reef is blue in the morning. Nothing else matters here.\n');
    put('ask.xml', '<task type="atomic"><description>How is the reef in the morning?</description></task>');
    const [one, two] = [bearings(['run', 'ask.xml']), bearings(['run', 'ask.xml'])];
    expect(one.code).toBe(0);
    expect(one.stdout).toContain('no model was asked');
    expect(one.stdout).toContain('The reef is blue in the morning.');
    expect(two.stdout).toBe(one.stdout);
  });

  it('T2 lists come from JSONL and from files of the project, in order; --events and --json tell all', async () => {
    put('list.jsonl', '\ufeff"a"\n\n{"n": "b\u2028c"}\n3');
    put('each.xml', reduce('fan_in="2"'));
    const events = bearings(['run', 'each.xml', '--inputs', 'list=list.jsonl', '--events']);
    const lines = events.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ event: 'result', result: { status: 'COMPLETE' } });
    expect(lines.filter(({ event }) => event === 'inputs').map(({ done }) => done)).toEqual([1, 2, 3]);
    put('docs/a.md', 'about a');
    put('docs/b.md', 'about b');
    const files = JSON.parse(bearings(['run', 'each.xml', '--inputs', 'list=docs/?.md', '--json']).stdout);
    expect(files.result.content).toMatch(/docs\/a\.md[\s\S]*docs\/b\.md/);
    expect(files.steps.length).toBeGreaterThan(3);
  });

  it.each([
    ['half a line', '"a"\n{"b": ', /Line 2 of list.jsonl is not valid JSON/],
    ['NaN', 'NaN\n', /Line 1 of list.jsonl is not valid JSON/],
    ['deep nesting', `"a"\n${'['.repeat(5_000)}${']'.repeat(5_000)}\n`, /Line 2 of list.jsonl is nested too deeply/],
    ['a line of 3 MB', `"a"\n"${'x'.repeat(3_000_000)}"\n`, /Line 2 of list.jsonl is longer/],
  ])('T18 a list with %s fails at that input and keeps those before it', async (_, text, says) => {
    put('list.jsonl', text);
    put('each.xml', reduce());
    const { code, stdout } = bearings(['run', 'each.xml', '--inputs', 'list=list.jsonl', '--json']);
    const { error, partialResults } = JSON.parse(stdout).result.notes;
    expect(code).toBe(1);
    expect(error.message).toMatch(says);
    expect(partialResults).toHaveLength(error.details.failedInputIndex);
  });

  it('L19 patterns and links never leave the project', async () => {
    writeFileSync(join(folder, 'secret.md'), 'take the secret');
    symlinkSync(join(folder, 'secret.md'), join(project, 'docs/link.md'));
    symlinkSync(folder, join(project, 'docs/out'));
    put('each.xml', reduce());
    for (const pattern of ['../*.md', `${folder}/*.md`, '~/x', 'docs/../../*.md'])
      expect(bearings(['run', 'each.xml', '--inputs', `list=${pattern}`]).code).toBe(2);
    const { stdout } = bearings(['run', 'each.xml', '--inputs', 'list=docs/**/*.md', '--json']);
    expect(JSON.parse(stdout).result.status).toBe('COMPLETE');
    expect(stdout).not.toContain('secret');
    rmSync(join(project, 'docs/link.md'));
    rmSync(join(project, 'docs/out'));
  });

  it('T15 a template that does not load is xml_validation_failure; a bad option is bad use', async () => {
    put('bad.xml', '<task/>');
    const { code, stdout } = bearings(['run', 'bad.xml', '--json']);
    expect([code, JSON.parse(stdout).result.notes.error.reason]).toEqual([1, 'xml_validation_failure']);
    expect(bearings(['run', 'ask.xml', '--input', 'novalue']).code).toBe(2);
    expect(bearings(['run', 'ask.xml', '--model', 'gpt']).code).toBe(1);
  });
});

describe('T21 L21 the command model', () => {
  const script = join(folder, 'model.sh');
  const configure = (command: string) =>
    writeFileSync(join(home, 'config.yaml'), `model_command: ${JSON.stringify(command)}\n`);

  it('L21 only the home may name it: a project that tries is ignored, and nothing runs', async () => {
    const trace = join(folder, 'trace');
    put('ask.xml', '<task type="atomic" model="command"><description>hello</description></task>');
    mkdirSync(join(project, '.bearings'), { recursive: true });
    writeFileSync(join(project, '.bearings/config.yaml'), `model_command: "touch ${trace}"\n`);
    const refused = bearings(['run', 'ask.xml', '--model', 'command']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('There is no model "command"');
    expect(refused.stderr).toContain("may only be set in the home's config.yaml");
    rmSync(join(project, '.bearings'), { recursive: true });
    const unknown = bearings(['run', 'ask.xml']);
    expect([unknown.code, unknown.stderr.includes('There is no model "command"')]).toEqual([1, true]);
    expect(() => execFileSync('ls', [trace], { stdio: 'pipe' })).toThrow();
  });

  it('T21 prompt on its input, answer and notes from its output; a bad end is a failure', async () => {
    writeFileSync(script, '#!/bin/sh\ncat > "$0.prompt"\necho "an answer"\necho "<notes>in short</notes>"\n');
    chmodSync(script, 0o755);
    configure(script);
    const { stdout } = bearings(['run', 'ask.xml', '--json']);
    expect(JSON.parse(stdout).result).toMatchObject({
      status: 'COMPLETE',
      content: 'an answer',
      notes: { summary: 'in short' },
    });
    expect(execFileSync('cat', [`${script}.prompt`], { encoding: 'utf8' })).toContain('hello');
    configure('exit 3');
    expect(bearings(['run', 'ask.xml']).stderr).toContain('ended with exit code 3');
  });

  it('T19 Ctrl-C ends the command with its children and prints what is done; nothing hangs', async () => {
    const pids = join(folder, 'pids');
    writeFileSync(
      script,
      `#!/bin/sh\nprompt=$(cat)\ncase "$prompt" in *second*) sleep 300 & echo $! $$ > "${pids}"; wait;; esac\necho "done first"\n`,
      { mode: 0o755 },
    );
    configure(script);
    const alone =
      '<context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>';
    const step = (name: string) =>
      `<task type="atomic" model="command"><description>${name}</description>${alone}</task>`;
    put(
      'two.xml',
      `<task type="sequential"><description>two</description><steps>${step('first')}${step('second')}</steps></task>`,
    );
    const { child, ended } = start(['run', 'two.xml', '--json']);
    const running = await Promise.race([
      waitFor(() => execFileSync('cat', [pids], { encoding: 'utf8', stdio: 'pipe' }).trim()),
      ended.then(({ stdout, stderr }) => expect.fail(`it ended before it was told to: ${stdout}${stderr}`)),
    ]);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(1);
    const { error, partialResults } = JSON.parse(stdout).result.notes;
    expect(error.reason).toBe('execution_halted');
    expect(partialResults).toMatchObject([{ stepIndex: 0, output: 'done first' }]);
    for (const pid of running.split(' ')) await waitFor(() => assertGone(Number(pid)));
  });
});

function assertGone(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch {
    return 'gone';
  }
  // Ended but not yet collected by the init process counts as gone.
  const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
  if (!state.startsWith('Z')) throw new Error('still there');
  return 'gone';
}

async function waitFor<T extends string>(look: () => T): Promise<T> {
  for (;;) {
    try {
      const found = look();
      if (found !== '') return found;
    } catch {
      // Not yet.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}
