import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { effort, LONGEST_MS } from '../support/effort.ts';
import { startBinary } from '../support/process/binary.ts';
import { type ModelServer, modelServer } from '../support/tasks/model-server.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-resume-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KILLS = effort(50, 3);
const STEPS = 200;

const ALONE =
  '<context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>';
// 190 inputs, 10 groups and what is around them: 200 calls and a few more, nested in a sequence.
const TEMPLATE = `<task type="sequential" name="two hundred"><description>All of it</description>
<context_management><inherit_context>full</inherit_context><accumulate_data>true</accumulate_data><accumulation_format>full_output</accumulation_format><fresh_context>enabled</fresh_context></context_management>
<inputs><input name="list"/></inputs>
<steps>
<task type="atomic" model="big"><description>begin</description></task>
<task type="reduce" model="big" over="list" concurrency="3" fan_in="20"><description>each</description>${ALONE}
<inner_task model="big"><description>take {{item}}</description>${ALONE}</inner_task>
<reduction_task model="big"><description>join</description>${ALONE}</reduction_task></task>
<task type="atomic" model="big"><description>finish</description></task>
</steps></task>`;

interface SetUp {
  project: string;
  variables: Record<string, string>;
  server: ModelServer;
  runs: string;
}

let count = 0;
async function setUp(delayMs: number, inputs: number): Promise<SetUp> {
  count += 1;
  const place = join(folder, String(count));
  const project = join(place, 'project');
  mkdirSync(join(place, 'home'), { recursive: true });
  mkdirSync(project);
  writeFileSync(join(project, 'all.xml'), TEMPLATE);
  writeFileSync(join(project, 'reef.md'), 'All of it begins and ends at the reef.\n');
  writeFileSync(join(project, 'list.jsonl'), Array.from({ length: inputs }, (_, i) => `"n${i}"`).join('\n'));
  // Each answer is told apart by what was asked, and one in ten is too large for a line of the journal.
  const server = await modelServer(({ prompt }) => {
    const item = /take (n\d+)/.exec(prompt)?.[1] ?? `text of ${prompt.length}`;
    const tail = item.endsWith('7') ? ' word'.repeat(4_000) : '';
    return { kind: 'answer', text: `answer for ${item}${tail}\n<notes>about ${item}</notes>`, delayMs };
  });
  writeFileSync(
    join(place, 'home/config.yaml'),
    `models:\n  big: { provider: openai-compatible, model: m, base_url: "${server.url}" }\n`,
  );
  const variables = {
    PATH: process.env.PATH ?? '',
    HOME: place,
    BEARINGS_HOME: join(place, 'home'),
    BEARINGS_CACHE: join(place, 'cache'),
  };
  return { project, variables, server, runs: join(place, 'home/runs') };
}

const start = ({ project, variables }: SetUp, args: string[]) => startBinary(args, { cwd: project, env: variables });

const RUN = ['run', 'all.xml', '--inputs', 'list=list.jsonl', '--json'];

function finishedIn(journal: string): string[] {
  const keys: string[] = [];
  for (const line of readFileSync(journal, 'utf8').split('\n').slice(0, -1)) {
    const { type, key } = JSON.parse(line) as { type: string; key: string };
    if (type === 'step') keys.push(key);
  }
  return keys;
}

describe('T22 engine local goes on after a crash', () => {
  it(
    `T22 kill -9 at ${KILLS} random instants of a run of ${STEPS} steps: no finished step is called again, and the result is the same bytes`,
    async () => {
      const calm = await setUp(0, STEPS - 12);
      const whole = JSON.parse((await start(calm, RUN).ended).stdout);
      expect(whole.result.status).toBe('COMPLETE');
      expect(calm.server.calls.length).toBeGreaterThanOrEqual(STEPS);

      const rough = await setUp(10, STEPS - 12);
      let run = '';
      let kills = 0;
      let result: unknown;
      for (let _attempt = 0; result === undefined; _attempt += 1) {
        const before = run === '' ? [] : finishedIn(join(rough.runs, run, 'journal.jsonl'));
        const callsBefore = rough.server.calls.length;
        const { child, ended } = start(rough, run === '' ? RUN : ['runs', 'resume', run, '--json']);
        if (kills < KILLS) {
          // Not before it does something new, so that every kill hits the work; then at any instant.
          while (rough.server.calls.length === callsBefore && child.exitCode === null) await pause(2);
          await pause(Math.random() * ((STEPS * 10) / KILLS));
          if (child.exitCode === null) kills += 1;
          child.kill('SIGKILL');
        }
        const { stdout, stderr } = await ended;
        const [only] = readdirSync(rough.runs);
        run = only as string;
        // A finished step is one with a line: it has exactly one, however often the run was begun again.
        const after = finishedIn(join(rough.runs, run, 'journal.jsonl'));
        expect(new Set(after).size).toBe(after.length);
        expect(after.slice(0, before.length)).toEqual(before);
        if (child.signalCode !== 'SIGKILL') {
          expect(stderr).toBe('');
          result = JSON.parse(stdout).result;
        }
      }
      expect(kills).toBe(KILLS);
      expect(JSON.stringify(result)).toBe(JSON.stringify(whole.result));
      // Only what was in flight (three at once) at a kill may have been asked twice.
      const asked = new Map<string, number>();
      for (const { headers } of rough.server.calls) {
        const name = String(headers['idempotency-key']);
        asked.set(name, (asked.get(name) ?? 0) + 1);
      }
      expect(asked.size).toBe(calm.server.calls.length);
      expect(rough.server.calls.length - asked.size).toBeLessThanOrEqual(kills * 3);
      expect((statSync(join(rough.runs, run)).mode & 0o777).toString(8)).toBe('700');
      expect((statSync(join(rough.runs, run, 'journal.jsonl')).mode & 0o777).toString(8)).toBe('600');
    },
    LONGEST_MS,
  );

  it('T22 a torn tail at any byte, damaged lines and lost texts only cost the steps they held', async () => {
    const calm = await setUp(0, 45);
    const bearings = openRooms({ cwd: calm.project, variables: calm.variables });
    const { task } = await (await bearings.runs()).checkTask('all.xml');
    if (!task) throw new Error('the template is wrong');
    const whole = await (await bearings.runs()).startRun(task, { file: 'all.xml', inputs: ['list=list.jsonl'] });
    const expected = JSON.stringify(whole.result);
    const journal = join(calm.runs, whole.run, 'journal.jsonl');
    const text = readFileSync(journal);
    const head = text.indexOf('\n') + 1;
    for (const share of [0.31, 0.77, 0.999]) {
      writeFileSync(journal, text);
      truncateSync(journal, head + Math.floor((text.length - head) * share));
      const torn = readFileSync(journal);
      const kept =
        torn
          .subarray(0, torn.lastIndexOf('\n') + 1)
          .toString()
          .split('"type":"step"').length - 1;
      const before = calm.server.calls.length;
      const { result } = await (await bearings.runs()).resumeRun(whole.run);
      expect(JSON.stringify(result)).toBe(expected);
      const memorySteps = 3;
      expect(calm.server.calls.length - before).toBeLessThanOrEqual(finishedIn(journal).length - kept + memorySteps);
    }
    // Half of the lines spoilt, garbage at the end, the large answers gone.
    const lines = text.toString().split('\n');
    writeFileSync(
      journal,
      lines
        .filter((line) => !line.startsWith('{"type":"text"'))
        .map((line, i) => (i > 0 && i % 2 === 0 ? line.slice(0, 20) : line))
        .slice(0, -2)
        .join('\n'),
    );
    appendFileSync(journal, '\n{"type":"st\0\0\0');
    const { result } = await (await bearings.runs()).resumeRun(whole.run);
    expect(JSON.stringify(result)).toBe(expected);
  });

  it('T22 a complete run gives its result and calls nothing; an input that changed is asked about again, alone', async () => {
    const calm = await setUp(0, 45);
    const bearings = openRooms({ cwd: calm.project, variables: calm.variables });
    const { task } = await (await bearings.runs()).checkTask('all.xml');
    if (!task) throw new Error('the template is wrong');
    const whole = await (await bearings.runs()).startRun(task, { file: 'all.xml', inputs: ['list=list.jsonl'] });
    const calls = calm.server.calls.length;
    expect((await (await bearings.runs()).resumeRun(whole.run)).result).toEqual(whole.result);
    expect(calm.server.calls.length).toBe(calls);
    const journal = join(calm.runs, whole.run, 'journal.jsonl');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.split('\n').slice(0, -2).join('\n').concat('\n'));
    const list = join(calm.project, 'list.jsonl');
    writeFileSync(list, readFileSync(list, 'utf8').replace('"n3"', '"m3"'));
    // The files of the project have changed too: what was found in them then still holds.
    writeFileSync(join(calm.project, 'reef.md'), 'Nothing of it is left.\n');
    const before = calm.server.calls.length;
    await (await bearings.runs()).resumeRun(whole.run);
    const asked = calm.server.calls.slice(before).map(({ prompt }) => /take (\w+)/.exec(prompt)?.[1]);
    // The input itself, its group, the group of groups; that one answers as before, so nothing after it is asked.
    expect(asked).toEqual(['m3', undefined, undefined]);
  });

  it('T22 two at once: the second is told, and nothing is done twice', async () => {
    const slow = await setUp(30, STEPS);
    const first = start(slow, RUN);
    while (slow.server.calls.length < 5) await pause(5);
    const [run = ''] = readdirSync(slow.runs);
    const second = await start(slow, ['runs', 'resume', run]).ended;
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('active in another process')]);
    const list = JSON.parse((await start(slow, ['runs', 'list', '--json']).ended).stdout);
    expect(list).toMatchObject([{ id: run, state: 'running' }]);
    const cancelled = await start(slow, ['runs', 'cancel', run]).ended;
    expect(cancelled.stdout).toContain('stopped');
    const { code, stdout } = await first.ended;
    expect([code, JSON.parse(stdout).result.notes.error.reason]).toEqual([1, 'execution_halted']);
    expect(JSON.parse((await start(slow, ['runs', 'list', '--json']).ended).stdout)).toMatchObject([
      { state: 'stopped' },
    ]);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
