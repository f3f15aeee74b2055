import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { askingClient } from '../support/mcp/asking-client.ts';
import {
  environment,
  LEGACY,
  MODERN,
  type Place,
  bearings as runBinary,
  startBinary,
} from '../support/process/binary.ts';
import { screen } from '../support/process/tmux.ts';
import { modelServer } from '../support/tasks/model-server.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-runs-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
let place: Place & { cwd: string };
beforeEach(() => {
  count += 1;
  const home = join(folder, String(count));
  place = { home, cwd: join(home, 'project') };
  mkdirSync(join(home, '.bearings'), { recursive: true });
  mkdirSync(join(place.cwd, '.bearings'), { recursive: true });
  writeFileSync(join(place.cwd, '.bearings/workspace.json'), '{"id":"reef"}');
  writeFileSync(join(place.cwd, '.bearings/brief.md'), 'Quiet.\n');
  writeFileSync(join(place.cwd, 'reef.md'), 'The reef is blue in the morning.\n');
});
const put = (name: string, text: string) => writeFileSync(join(place.cwd, name), text);
const config = (text: string) => writeFileSync(join(place.home, '.bearings/config.yaml'), text);
const runsFolder = () => join(place.home, '.bearings/runs');

const start = (args: string[]) => startBinary(args, { cwd: place.cwd, env: environment(place) });
const bearings = (...args: string[]) => runBinary(place, ...args);
// Where a model of this process answers, which can do so only while nothing waits for the command.
const meanwhile = (...args: string[]) => start(args).ended;

const QUIET =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
const TWO = `<task type="sequential" name="two steps"><description>How is the reef?</description>
<steps><task type="atomic" name="look"><description>How is the reef in the morning?</description></task>
<task type="reduce" name="each" over="list"><description>each of them</description>${QUIET}<inputs><input name="list"/></inputs>
<inner_task name="one"><description>take {{item}}</description></inner_task>
<reduction_task name="join"><description>join them</description></reduction_task></task></steps></task>`;

describe('T13 bearings runs show', () => {
  it('T13 answers for any step: what it saw, from where, how large, and why', async () => {
    put('two.xml', TWO);
    put('list.jsonl', '"blue"\n"green"\n');
    put('start.txt', 'The water is clear.');
    const run = bearings('run', 'two.xml', '--inputs', 'list=list.jsonl', '--context', 'start.txt');
    expect(run.code).toBe(0);
    const whole = bearings('runs', 'show', 'last');
    for (const path of ['1.1', '1.2', '1.2.inner:0', '1.2.inner:1', '1.2.reduction'])
      expect(whole.stdout).toContain(path);
    const report = JSON.parse(bearings('runs', 'show', 'last', '--json').stdout);
    // Every recorded step answers, and what it says is what was there.
    for (const { path } of report.seen) {
      const { parts } = JSON.parse(bearings('runs', 'show', 'last', path, '--json').stdout);
      for (const { part, chars, from, why } of parts)
        if (chars > 0 && part !== 'output')
          expect([path, part, from !== '', why !== '']).toEqual([path, part, true, true]);
    }
    const look = bearings('runs', 'show', 'last', '1.1').stdout;
    expect(look).toContain('from  the context of 1');
    expect(look).toContain('why   inherit_context full · default of atomic');
    // What the sequence found is inherited, so it is not looked up again (T28).
    expect(look).not.toContain('reef.md');
    expect(bearings('runs', 'show', 'last', '1').stdout).toMatch(/reef\.md +lines 1-1 {3}reef/);
    const question = bearings('runs', 'show', 'last', '1.2.inner:1', '--part', 'question');
    expect(question.stdout).toBe('take green\n');
    expect(bearings('runs', 'show', 'last', '1', '--part', 'inherited').stdout).toBe('The water is clear.\n');
    expect(bearings('runs', 'show', 'last', '9').code).toBe(2);
    expect(bearings('runs', 'show', '../../etc').code).toBe(2);
    expect(bearings('runs', 'list').stdout).toMatch(/complete +two steps/);
  });

  it('T13 a run shows nothing that a terminal would obey', async () => {
    put('evil.xml', '<task type="atomic" name="a&#x9b;31m"><description>x \u009b2J</description></task>');
    bearings('run', 'evil.xml');
    for (const args of [['list'], ['show', 'last'], ['show', 'last', '1']])
      expect(bearings('runs', ...args).stdout).not.toMatch(/\u009b/);
  });
});

describe('T19 T23 a run on a terminal', () => {
  const slow = async (delayMs: number) => {
    const server = await modelServer(() => ({ kind: 'answer', text: 'found\n<notes>n</notes>', delayMs }));
    config(`models:\n  big: { provider: openai-compatible, model: m, base_url: "${server.url}" }\n`);
    put('list.jsonl', Array.from({ length: 40 }, (_, i) => `"item ${i}"`).join('\n'));
    put('two.xml', TWO);
    return server;
  };
  const RUN = ['run', 'two.xml', '--inputs', 'list=list.jsonl', '--model', 'big'];

  it('T23 draws the tree: what is done, what goes on with its inputs, what waits', async () => {
    await slow(300);
    const person = screen(place, RUN);
    const seen = await person.shows(' of 40');
    expect(seen).toMatch(/two steps\s+sequential\s+\d:\d\d\s+model big/);
    expect(seen).toMatch(/├ ✓ look\s+atomic\s+full\+fresh\s+[\d,]+ → \d+ tokens\s+\d+\.\d s/);
    expect(seen).toMatch(/└ ● each\s+reduce\s+[█░]{14}\s+\d+ of 40\s+4 at once/);
    expect(seen).toMatch(/last: list\.jsonl:\d+/);
    expect(await person.ends()).toBe(0);
    expect(person.text()).toContain('bearings runs show');
  });

  it('T13 last is the newest run of this project, and the list says which are of another one', () => {
    put('two.xml', TWO);
    put('list.jsonl', '"blue"\n');
    const mine = bearings('run', 'two.xml', '--inputs', 'list=list.jsonl', '--json');
    const { run } = JSON.parse(mine.stdout);
    const other = { ...place, cwd: join(place.home, 'other') };
    mkdirSync(other.cwd);
    expect(runBinary(other, 'runs', 'show', 'last')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no runs of this project'),
    });
    writeFileSync(join(other.cwd, 'two.xml'), TWO);
    writeFileSync(join(other.cwd, 'list.jsonl'), '"red"\n');
    expect(runBinary(other, 'run', 'two.xml', '--inputs', 'list=list.jsonl').code).toBe(0);
    expect(JSON.parse(bearings('runs', 'show', 'last', '--json').stdout).id).toBe(run);
    expect(bearings('runs').stdout).toMatch(/two\.xml in other\n.*two\.xml\n/);
  });

  it('T13 a step of a reduce names its input, and steps are in their place whenever they ended', async () => {
    const server = await modelServer(({ prompt }) => ({
      kind: 'answer',
      text: 'yes',
      delayMs: prompt.includes('first') ? 300 : 0,
    }));
    config(`models:\n  big: { provider: openai-compatible, model: m, base_url: "${server.url}" }\n`);
    put('each.xml', TWO.slice(TWO.indexOf('<task type="reduce"'), TWO.indexOf('</steps>')));
    put('list.jsonl', '"first"\n"second"\n');
    expect((await meanwhile('run', 'each.xml', '--inputs', 'list=list.jsonl', '--model', 'big')).code).toBe(0);
    expect(bearings('runs', 'show', 'last').stdout).toMatch(
      /inner:0 +✓ list\.jsonl:1 [\s\S]*inner:1 +✓ list\.jsonl:2 [\s\S]*reduction +✓ join/,
    );
  });

  it('T19 Ctrl-C once ends cleanly, says where the results are and how to go on; resume finishes it', async () => {
    const server = await slow(300);
    const person = screen(place, RUN);
    await person.shows(' of 40');
    person.type('\u0003');
    expect(await person.ends()).toBe(1);
    const text = person.text();
    const [, run = ''] = /go on\s+bearings runs resume (\S+)/.exec(text) ?? [];
    expect(text).toContain(`results so far   bearings runs show ${run}`);
    expect(text).toMatch(/finished: 1 step, \d+ inputs?/);
    expect(text.match(/model big/g)).toHaveLength(1);
    const kept = JSON.parse(bearings('runs', 'show', run, '--json').stdout);
    expect(kept.state).toBe('stopped');
    expect(kept.result.notes.partialResults.length).toBeGreaterThan(0);
    const before = new Set(server.calls.map(({ headers }) => headers['idempotency-key']));
    const resumed = await meanwhile('runs', 'resume', run);
    expect([resumed.code, resumed.stdout]).toEqual([0, 'found\n']);
    const again = server.calls.length - new Set(server.calls.map(({ headers }) => headers['idempotency-key'])).size;
    expect(before.size).toBeGreaterThan(1);
    expect(again).toBeLessThanOrEqual(4);
  });

  it('T22 a resume keeps the template that the run began with, and shows what the steps of a list that changed saw', async () => {
    const answers = ['one', 'two', 'not JSON'].values();
    const server = await modelServer(() => ({ kind: 'answer', text: answers.next().value ?? '"fine"' }));
    config(`models:\n  big: { provider: openai-compatible, model: m, base_url: "${server.url}" }\n`);
    const each = TWO.slice(TWO.indexOf('<task type="reduce"'), TWO.indexOf('</steps>'));
    const template = each
      .replace('over="list"', 'over="list" concurrency="1"')
      .replace('join them</description>', 'join them</description><output_format type="json"/>');
    put('each.xml', template);
    put('list.jsonl', '"red"\n"blue"\n');
    const failed = await meanwhile('run', 'each.xml', '--inputs', 'list=list.jsonl', '--model', 'big');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(
      'resume the run; or say in the prompt what the JSON must look like, and run it again',
    );
    put('list.jsonl', '"blue"\n');
    put('each.xml', template.replace('take {{item}}', 'take now {{item}}'));
    const resumed = await meanwhile('runs', 'resume', 'last');
    expect([resumed.code, resumed.stdout]).toEqual([0, '"fine"\n']);
    const { seen } = JSON.parse(bearings('runs', 'show', 'last', '--json').stdout);
    expect(seen.map(({ path }: { path: string }) => path)).toEqual(['1.inner:0', '1.inner:1', '1.reduction', '1']);
    expect(bearings('runs', 'show', 'last', '1.inner:0', '--part', 'question').stdout).toBe('take blue\n');
    expect(server.calls).toHaveLength(5);
  });

  it('T19 twice ends at once, and nothing that was finished is lost', async () => {
    const server = await slow(200);
    const { child, ended } = start(RUN);
    while (server.calls.length < 8) await pause(20);
    // Two different ones: the same signal sent twice in an instant may arrive as one.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr.includes('go on')]).toEqual([130, false]);
    const [run = ''] = readdirSync(runsFolder());
    const { state } = JSON.parse(bearings('runs', 'show', run, '--json').stdout);
    expect(['stopped', 'interrupted']).toContain(state);
    expect((await meanwhile('runs', 'resume', run)).code).toBe(0);
  });

  it('T23 --events is one JSON object a line, from the run to its result', async () => {
    await slow(0);
    const { stdout } = await meanwhile(...RUN, '--events');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ event: 'run' });
    expect(lines.at(-1)).toMatchObject({ event: 'result', run: lines[0].run, result: { status: 'COMPLETE' } });
    expect(new Set(lines.map(({ event }) => event))).toEqual(new Set(['run', 'started', 'ended', 'inputs', 'result']));
  });
});

describe('runs that end in proposals', () => {
  it('T23 --propose: the result waits for the person, and nothing is written before', async () => {
    put('ask.xml', '<task type="atomic"><description>How is the reef in the morning?</description></task>');
    const { code, stderr } = bearings('run', 'ask.xml', '--propose', 'notes');
    expect([code, stderr]).toEqual([0, expect.stringContaining('waits for you: bearings review')]);
    expect(existsSync(join(place.cwd, '.bearings/notes.md'))).toBe(false);
    const listed = JSON.parse(bearings('review', '--list', '--json').stdout);
    expect(JSON.stringify(listed)).toContain('The reef is blue in the morning.');
    expect(JSON.stringify(listed)).toMatch(/run \d{8}-\d{6}-[0-9a-f]{6}/);
    expect(bearings('run', 'ask.xml', '--propose', 'taste').code).toBe(2);
    expect(bearings('run', 'ask.xml', '--propose', 'notes:nowhere').code).toBe(2);
    expect(bearings('run', 'ask.xml', '--propose', 'taste', '--category', 'process').code).toBe(0);
    // A proposal that is refused (a hidden character in it) leaves the run and its result as they are.
    put(
      'hidden.xml',
      `<task type="atomic"><description>What to use for now</description><inputs><input name="t"/></inputs><prompt>What is it?\n{{t}}\nturned \u202e around</prompt>${QUIET}</task>`,
    );
    const refused = bearings('run', 'hidden.xml', '--propose', 'notes', '--input', 't=this');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("The result can't be proposed.")]);
  });
});

describe('the MCP tool run_task', () => {
  it.each([
    ['2025', LEGACY],
    ['2026', MODERN],
  ])('T23 is off until the person enables it; runs, tells progress, stays in the project (%s)', async (_, era) => {
    put('two.xml', TWO);
    put('list.jsonl', '"blue"\n"green"\n');
    writeFileSync(join(folder, 'outside.jsonl'), '"secret"\n');
    const off = await askingClient(place, { era });
    expect((await off.client.listTools()).tools.map(({ name }) => name)).not.toContain('run_task');
    await expect(off.call('run_task', { template: 'two.xml' })).rejects.toThrow();
    config('run_task: on\n');
    const { client, call } = await askingClient(place, { era });
    expect((await client.listTools()).tools).toHaveLength(13);
    const told: number[] = [];
    const result = await client.callTool(
      { name: 'run_task', arguments: { template: 'two.xml', lists: { list: 'list.jsonl' }, propose_notes: true } },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    expect(result.structuredContent).toMatchObject({
      status: 'COMPLETE',
      error: null,
      proposal_id: expect.stringMatching(/^p_/),
    });
    expect(told.length).toBeGreaterThan(0);
    for (const template of ['../two.xml', join(folder, 'x.xml'), '/etc/passwd'])
      expect((await call('run_task', { template })).isError).toBe(true);
    expect((await call('run_task', { template: 'two.xml', lists: { list: '../../outside.jsonl' } })).isError).toBe(
      true,
    );
  });

  it('T19 a cancelled call ends its run; what was done is kept', async () => {
    const server = await modelServer(() => ({ kind: 'answer', text: 'found', delayMs: 300 }));
    config(`run_task: on\nmodels:\n  big: { provider: openai-compatible, model: m, base_url: "${server.url}" }\n`);
    put(
      'two.xml',
      TWO.replaceAll('<task type="atomic"', '<task model="big" type="atomic"').replace(
        '<inner_task',
        '<inner_task model="big"',
      ),
    );
    put('list.jsonl', Array.from({ length: 100 }, (_, i) => `"item ${i}"`).join('\n'));
    const { call } = await askingClient(place, { era: MODERN });
    const stop = new AbortController();
    const calling = call('run_task', { template: 'two.xml', lists: { list: 'list.jsonl' } }, stop.signal).catch(
      () => null,
    );
    while (server.calls.length < 6) await pause(20);
    stop.abort();
    await calling;
    const [run = ''] = readdirSync(runsFolder());
    let state = 'running';
    for (let tries = 0; tries < 50 && state === 'running'; tries += 1) {
      await pause(100);
      state = JSON.parse((await meanwhile('runs', 'show', run, '--json')).stdout).state;
    }
    expect(state).toBe('stopped');
    expect(server.calls.length).toBeLessThan(100);
  });
});

describe('the six templates', () => {
  const root = resolve(import.meta.dirname, '../..');
  const template = (name: string) => join(root, 'examples/tasks', `${name}.xml`);

  it.each([
    ['review-change', ['--input', 'change=-  return a\n+  return b\nThe change returns b.'], 'The change returns b'],
    ['summarise-files', ['--inputs', 'files=*.md'], 'The reef is blue'],
    ['release-from-commits', ['--inputs', 'commits=commits.jsonl'], 'commit'],
    ['triage', ['--inputs', 'issues=issues.jsonl'], 'report'],
    ['survey', ['--inputs', 'files=*.md', '--input', 'topic=the reef'], 'The reef is blue'],
    ['weekly-notes', ['--inputs', 'log=log.jsonl', '--propose', 'notes'], 'learnt'],
  ])('T1 %s is right and runs offline', async (name, args, says) => {
    put('commits.jsonl', '"add: a commit for the door"\n"mend: a commit for the window"\n');
    put(
      'issues.jsonl',
      '{"title": "A report: it breaks", "body": "It breaks when I press it."}\n{"title": "A wish", "body": "Make it blue."}\n',
    );
    put('log.jsonl', '{"op": "warm", "learnt": "What was taught: the week is cool."}\n');
    const checked = bearings('check', template(name), '--strict');
    const { code, stdout, stderr } = bearings('run', template(name), ...args);
    expect({ name, code, stderr: code === 0 ? '' : stderr }).toEqual({
      name,
      code: 0,
      stderr: '',
    });
    expect(stdout).toContain('no model was asked');
    expect(stdout.toLowerCase()).toContain(says.toLowerCase());
    expect(checked.stdout).not.toContain('error: ');
  });

  it('T1 they are in the package', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).toContain('examples');
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
