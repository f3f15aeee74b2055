import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { defineTask, type TaskDefinition } from '../../src/index.ts';
import type { TaskResult } from '../../src/tasks/results.ts';
import { parseTask } from '../../src/tasks/template/parse-task.ts';
import { type Task, tasksIn } from '../../src/tasks/template/template.ts';
import { effort, LONGEST_MS } from '../support/effort.ts';
import { BINARY, environment, type Place, type Result, STARTED } from '../support/process/binary.ts';
import { type EchoModel, echoModel } from '../support/tasks/echo-model.ts';
import {
  type PostgresServer,
  postgresServer,
  sleep,
  startWorker,
  type Worker,
} from '../support/tasks/postgres-server.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const TEMPLATES = effort(500, 12);
const TASKS = effort(400, 80);
const SECONDS = effort(30, 5);

const folder = tempFolder();
const home = join(folder, 'home');
const project = join(folder, 'project');
const place = { home: folder, cwd: project, variables: { BEARINGS_HOME: home, BEARINGS_CACHE: join(folder, 'cache') } };
let postgres: PostgresServer;
let echo: EchoModel;
let bearings: Rooms;

beforeAll(async () => {
  echo = await echoModel();
  put(home, { 'config.yaml': echo.config });
  put(project, {
    'list.jsonl': Array.from({ length: 7 }, (_, at) => `{"name":"item ${at}"}`).join('\n'),
    'docs/reef.md': '# Reefs\n\nReefs are built by corals over a long time.\n',
    'docs/tide.md': '# Tides\n\nThe moon makes the tides.\n',
  });
  postgres = await postgresServer();
  bearings = openRooms({ home, cwd: project, variables: place.variables });
  for (const command of [['echo', 'reefs'], ['cat'], ['false']]) {
    const task = defineTask({ type: 'script', description: 'x', command });
    for (const question of await (await bearings.runs()).scriptQuestions(task))
      await (await bearings.adapters()).allowAdapter(question);
  }
});

// Not the synchronous way: the model that it calls lives in this process.
function command(at: Place, ...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const options = { cwd: project, env: environment(at), timeout: 120_000 };
    execFile(process.execPath, [...STARTED, BINARY, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function both(task: Task, given: { input?: string[]; inputs?: string[] }): Promise<[string, string]> {
  const options = { file: 'task.xml', model: 'echo', ...given };
  let local = await (await bearings.runs()).startRun(task, options);
  const run = await (await bearings.sharedRuns(postgres.url)).submitRun(task, options);
  let shared = await (await bearings.sharedRuns(postgres.url)).followRun(run);
  // The same person says the same to both, as often as they ask.
  for (let waiting = await (await bearings.runs()).waitingRun(local.run); waiting; ) {
    expect(JSON.stringify(shared.result)).toBe(JSON.stringify(local.result));
    const given = waiting.question.includes('tides') ? ({ answer: 'edit', text: 'my words' } as const) : ACCEPT;
    await (await bearings.runs()).answerRun(local.run, given);
    await (await bearings.sharedRuns(postgres.url)).answerRun(run, given);
    local = await (await bearings.runs()).resumeRun(local.run);
    shared = await (await bearings.sharedRuns(postgres.url)).followRun(run);
    waiting = await (await bearings.runs()).waitingRun(local.run);
  }
  return [JSON.stringify(local.result), JSON.stringify(shared.result)];
}

const ACCEPT = { answer: 'accept' } as const;

const messageOf = ({ notes }: TaskResult): string => notes.error?.message ?? '';

const CALLED = `<task type="atomic"><description>Called for {{topic}}</description><inputs><input name="topic"/></inputs></task>`;
const called = () => ({ file: 'called.xml', source: CALLED });

describe('T22 the same templates on a shared database', () => {
  let workers: Worker[];
  beforeAll(async () => {
    workers = [await startWorker(place, postgres.url), await startWorker(place, postgres.url)];
  });
  afterAll(() => {
    for (const { process: child } of workers) child.kill('SIGKILL');
  });

  const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.xml'),
  );
  it.each(examples)('T22 %s gives the same bytes on local and postgres', async (name) => {
    const { task } = await (await bearings.runs()).checkTask(join(process.cwd(), 'examples', name));
    if (task === null) throw new Error('the example does not load');
    const { input, inputs } = inputsFor(task);
    const [local, shared] = await both(task, { input, inputs });
    expect(shared).toBe(local);
  });

  it(
    `T22 ${TEMPLATES} random templates give the same result, bytes and partial results`,
    async () => {
      await fc.assert(
        fc.asyncProperty(template, async (definition) => {
          const task = defineTask(definition, { templates: called });
          const takesList = tasksIn(task).some(({ type }) => type === 'reduce');
          const [local, shared] = await both(task, { inputs: takesList ? ['list=list.jsonl'] : [] });
          expect(shared).toBe(local);
        }),
        { numRuns: TEMPLATES },
      );
    },
    LONGEST_MS,
  );

  it('T22 what failed is done again by a resume, in either engine, and what succeeded is not asked again', async () => {
    const task = defineTask({
      type: 'sequential',
      description: 'reefs',
      steps: [
        { type: 'atomic', description: 'Tell of reefs' },
        { type: 'script', description: 'once', command: ['sh', '-c', 'ls | grep -q ready || kill -9 $$'] },
        { type: 'atomic', description: 'Judge it', output_format: { type: 'json', schema: 'string' } },
      ],
    });
    for (const question of await (await bearings.runs()).scriptQuestions(task))
      await (await bearings.adapters()).allowAdapter(question);
    const [here, there] = [await bearings.runs(), await bearings.sharedRuns(postgres.url)];
    const options = { file: 'task.xml', model: 'echo' };
    const shared = await there.submitRun(task, options);
    const first = [await here.startRun(task, options), await there.followRun(shared)];
    for (const [at, { run, result }] of first.entries()) {
      const resume = async () => messageOf((await (at === 0 ? here : there).resumeRun(run)).result);
      const asked = () => [...echo.calls].filter(([name]) => name.startsWith(run)).map(([, count]) => count);
      rmSync(join(project, 'ready.txt'), { force: true });
      expect([messageOf(result), asked()]).toEqual([expect.stringContaining('ended by SIGKILL'), [1]]);
      expect([await resume(), asked()]).toEqual([expect.stringContaining('ended by SIGKILL'), [1]]);
      put(project, { 'ready.txt': '' });
      expect([await resume(), asked()]).toEqual([expect.stringContaining('does not match'), [1, 1]]);
      expect([await resume(), asked()]).toEqual([expect.stringContaining('does not match'), [1, 2]]);
    }
  });

  it('T26 a run that waits for the person goes on by itself once there is an answer, and asks nothing again', async () => {
    const task = defineTask({
      type: 'sequential',
      description: 'reefs',
      steps: [
        { type: 'atomic', description: 'Tell of reefs' },
        { type: 'script', description: 'once', command: ['tee', '-a', 'ran.txt'], prompt: 'x' },
        { type: 'approve', description: 'Is it right?' },
        { type: 'atomic', description: 'Tell of tides' },
      ],
    });
    for (const question of await (await bearings.runs()).scriptQuestions(task))
      await (await bearings.adapters()).allowAdapter(question);
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(task, { file: 'task.xml', model: 'echo' });
    const first = await (await bearings.sharedRuns(postgres.url)).followRun(run);
    expect(first.result.status).toBe('FAILED');
    const waiting = await (await bearings.sharedRuns(postgres.url)).showRun(run);
    expect(waiting.state).toBe('awaiting_person');
    await (await bearings.sharedRuns(postgres.url)).answerRun(run, { answer: 'accept' });
    const { result } = await (await bearings.sharedRuns(postgres.url)).followRun(run);
    expect(result.status).toBe('COMPLETE');
    expect(readFileSync(join(project, 'ran.txt'), 'utf8')).toBe('x');
    const mine = [...echo.calls].filter(([name]) => name.startsWith(run));
    expect(mine.map(([, count]) => count)).toEqual([1, 1]);
  });

  it('T26 M26 a run takes only the word of who started it, as it was signed', async () => {
    const task = defineTask({ type: 'approve', description: 'May it go?' });
    const submit = async () =>
      (await bearings.sharedRuns(postgres.url)).submitRun(task, { file: 'task.xml', model: 'echo' });
    const [run, declined] = [await submit(), await submit()];
    for (const each of [run, declined]) await (await bearings.sharedRuns(postgres.url)).followRun(each);
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    const change = (sql: string, ...values: unknown[]) => database.query(sql, values);
    try {
      const stranger = openRooms({ home: join(folder, 'stranger'), cwd: project, variables: {} });
      expect(await (await stranger.sharedRuns(postgres.url)).waitingRuns()).toEqual([]);
      await expect((await stranger.sharedRuns(postgres.url)).answerRun(run, ACCEPT)).rejects.toThrow(
        'Only the person who',
      );
      // A stranger who may write to the database signs with a key of his own.
      const theirs = await (await stranger.sharedRuns(postgres.url)).submitRun(task, {
        file: 'task.xml',
        model: 'echo',
      });
      const { rows } = await change('SELECT id, spec FROM bearings.runs WHERE id IN ($1, $2)', run, theirs);
      const [own, foreign] = [run, theirs].map((id) => rows.find((row) => row.id === id).spec);
      await change('UPDATE bearings.runs SET spec = $2 WHERE id = $1', run, JSON.stringify(foreign));
      await (await stranger.sharedRuns(postgres.url)).answerRun(run, ACCEPT);
      await (await bearings.sharedRuns(postgres.url)).followRun(run);
      await change(
        "UPDATE bearings.runs SET spec = $2, state = 'awaiting_person' WHERE id = $1",
        run,
        JSON.stringify(own),
      );
      expect((await (await bearings.sharedRuns(postgres.url)).resumeRun(run)).result.status).toBe('FAILED');
      expect((await (await bearings.sharedRuns(postgres.url)).showRun(run)).state).toBe('awaiting_person');
      await (await bearings.sharedRuns(postgres.url)).answerRun(declined, { answer: 'decline', reason: 'no' });
      await (await bearings.sharedRuns(postgres.url)).followRun(declined);
      await change(
        `UPDATE bearings.lines SET value = replace(value::text, '"answer":"decline"', '"answer":"accept"')::json WHERE run = $1 AND kind = 'step'`,
        declined,
      );
      const again = await (await bearings.sharedRuns(postgres.url)).resumeRun(declined);
      expect(JSON.stringify(again.result)).toContain('The person declined: no');
    } finally {
      await database.end();
    }
  });

  it('M50 T26 the keys that count, swapped in the row of a run, are not those of the run any more', async () => {
    const task = defineTask({ type: 'approve', description: 'May it be sent?' });
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(task, { file: 'task.xml', model: 'echo' });
    await (await bearings.sharedRuns(postgres.url)).followRun(run);
    const stranger = openRooms({ home: join(folder, 'thief'), cwd: project, variables: {} });
    const theirs = await (await stranger.sharedRuns(postgres.url)).submitRun(task, {
      file: 'task.xml',
      model: 'echo',
    });
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    try {
      const keys = async (id: string) =>
        (await database.query("SELECT spec->'answeredBy' AS keys FROM bearings.runs WHERE id = $1", [id])).rows[0].keys;
      const [own, foreign] = [await keys(run), await keys(theirs)];
      const swap = (named: unknown) =>
        database.query(
          "UPDATE bearings.runs SET spec = jsonb_set(spec::jsonb, '{answeredBy}', $2::jsonb)::json WHERE id = $1",
          [run, JSON.stringify(named)],
        );
      // Theirs in place of the person's, and theirs beside them.
      for (const named of [foreign, [...own, ...foreign]]) {
        await swap(named);
        await (await stranger.sharedRuns(postgres.url)).answerRun(run, ACCEPT).catch(() => {});
        const { result } = await (await bearings.sharedRuns(postgres.url)).resumeRun(run);
        expect(result.status).toBe('FAILED');
        expect((await (await bearings.sharedRuns(postgres.url)).showRun(run)).state).toBe('awaiting_person');
      }
    } finally {
      await database.end();
    }
  });

  it('T22 a run is listed, shown, watched and stopped over the same database', async () => {
    put(project, { 'slow.xml': SLOW });
    const letGo = echo.hold();
    const env = { ...place, variables: { ...place.variables, BEARINGS_ENGINE: postgres.url } };
    const given = await command(
      env,
      'run',
      'slow.xml',
      '--inputs',
      'list=list.jsonl',
      '--model',
      'echo',
      '--detach',
      '--json',
    );
    const { run } = JSON.parse(given.stdout) as { run: string };
    expect((await command(env, 'runs', 'list')).stdout).toContain(run);
    const cancelled = await command(env, 'runs', 'cancel', run);
    expect(cancelled.stdout).toContain('stopped');
    letGo();
    const resumed = await command(env, 'runs', 'resume', run, '--json');
    expect(JSON.parse(resumed.stdout)).toMatchObject({ run, result: { status: 'COMPLETE' } });
    const shown = await command(env, 'runs', 'show', run);
    expect(shown.stdout).toContain('complete');
    expect(JSON.parse((await command(env, 'runs', 'watch', run, '--json')).stdout)).toMatchObject({ run });
    expect(given.stdout + shown.stdout + cancelled.stdout).not.toContain('secret');
    for (const { said } of workers) expect(said()).not.toContain('secret');
  });

  it('T22 bad addresses are told in one sentence and what to do, without the password', async () => {
    const { host, username, password } = new URL(postgres.url);
    const notOne = 'The engine is not the address of a Postgres database.';
    for (const [url, code, sentence] of [
      ['postgres://u:geheim@127.0.0.1:1/x', 1, 'nothing listens at that address.'],
      ['http://u:geheim@host/x', 2, notOne],
      ['postgres://u:geheim@127.0.0.1:1', 2, notOne],
      [`postgres://${username}:geheim@${host}/bearings`, 1, 'the user or the password is wrong.'],
      [`postgres://${username}:${password}@${host}/geheim`, 1, 'there is no such database.'],
      [`${postgres.url}?sslmode=verify-full&sslrootcert=missing.pem`, 1, "a file or a certificate can't be used."],
      [`${postgres.url}?sslmode=require`, 1, 'it takes no encrypted connections.'],
    ] as const) {
      const told = await command(place, 'runs', 'list', '--engine', url);
      const lines = told.stderr.split('\n').filter((line) => line.trim() !== '');
      expect([told.code, lines.length]).toEqual([code, 2]);
      expect(lines[0]).toContain(sentence);
      for (const secret of ['geheim', password]) if (secret !== '') expect(told.stderr).not.toContain(secret);
    }
  });
});

describe('T22 faults', () => {
  it(
    `T22 ${TASKS} inner tasks survive ${SECONDS} s of killed workers, a killed database and a stopped worker`,
    async () => {
      echo.delayMs = 100;
      writeFileSync(join(project, 'many.jsonl'), Array.from({ length: TASKS }, (_, at) => `"thing ${at}"`).join('\n'));
      const { task } = parseTask(Buffer.from(SLOW), { file: 'slow.xml' });
      if (task === null) throw new Error('the template does not load');
      const options = { file: 'slow.xml', model: 'echo', inputs: ['list=many.jsonl'] };
      const local = await (await bearings.runs()).startRun(task, options);
      echo.calls.clear();
      const inFlight = { most: 0 };
      const before = await workerIds();
      const crew = [await startWorker(place, postgres.url)];
      const [stoppedId] = (await workerIds()).filter((id) => !before.includes(id));
      crew.push(...(await Promise.all([1, 2, 3].map(() => startWorker(place, postgres.url)))));
      const run = await (await bearings.sharedRuns(postgres.url)).submitRun(task, options);
      const storm = (async () => {
        const stopped = crew[0] as Worker;
        stopped.process.kill('SIGSTOP');
        let kills = 0;
        for (let second = 0; second < SECONDS; second += 1) {
          await sleep(1_000);
          if (second === Math.floor(SECONDS / 2)) await postgres.crash();
          const victim = crew[1 + Math.floor(Math.random() * 3)] as Worker;
          victim.process.kill('SIGKILL');
          kills += 1;
          crew[crew.indexOf(victim)] = await startWorker(place, postgres.url);
        }
        // Not before others have its work.
        while ((await workerIds()).includes(stoppedId ?? '')) await sleep(100);
        stopped.process.kill('SIGCONT');
        inFlight.most = kills * 6 + 12 + 24;
      })();
      const over = new AbortController();
      const shared = await Promise.race([followThrough(run, over.signal), notOver(run, over.signal)]).finally(() =>
        over.abort(),
      );
      await storm;
      expect(JSON.stringify(shared)).toBe(JSON.stringify(local.result));
      const mine = [...echo.calls].filter(([name]) => name.startsWith(run));
      const repeated = mine.reduce((sum, [, count]) => sum + count - 1, 0);
      expect(mine.length).toBe(TASKS + 1);
      expect(repeated).toBeLessThanOrEqual(inFlight.most);
    },
    LONGEST_MS,
  );

  async function workerIds(): Promise<string[]> {
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    try {
      const { rows } = await database.query<{ id: string }>('SELECT id FROM bearings.workers');
      return rows.map(({ id }) => id);
    } finally {
      await database.end();
    }
  }

  // A run that hangs says where.
  async function notOver(run: string, over: AbortSignal): Promise<never> {
    await pause(240_000, undefined, { signal: over });
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    const { rows } = await database.query(
      `SELECT (SELECT to_json(r) FROM (SELECT state, attempt, owner FROM bearings.runs WHERE id = $1) r) AS run,
         (SELECT json_agg(w) FROM bearings.workers w) AS workers, (SELECT json_agg(s) FROM (
            SELECT workflow_uuid, status, executor_id FROM dbos.workflow_status
            WHERE starts_with(workflow_uuid, $1) AND (status <> 'SUCCESS' OR name = 'drive')) s) AS workflows`,
      [run],
    );
    await database.end();
    throw new Error(`the run is not over: ${JSON.stringify(rows)}`);
  }

  // The one who waits loses the connection too when the database dies.
  async function followThrough(run: string, over: AbortSignal): Promise<unknown> {
    while (!over.aborted) {
      try {
        return (await (await bearings.sharedRuns(postgres.url)).followRun(run)).result;
      } catch {
        await sleep(500);
      }
    }
    return null;
  }
});

const SLOW = `<task type="reduce" name="slow" concurrency="32">
  <description>All of them</description>
  <inputs><input name="list"/></inputs>
  <inner_task><task type="atomic"><description>About {{item}}</description></task></inner_task>
  <reduction_task><task type="atomic"><description>Join them</description>
    <context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>
  </task></reduction_task>
</task>`;

function inputsFor(task: Task): { input: string[]; inputs: string[] } {
  const input: string[] = [];
  const inputs: string[] = [];
  const over = new Set<string>();
  const visit = (at: Task): void => {
    if (at.type === 'reduce' && at.over) over.add(at.over);
    for (const child of 'steps' in at ? at.steps : 'inner' in at ? [at.inner, at.reduction] : []) visit(child);
  };
  visit(task);
  for (const { name, fallback } of task.inputs) {
    if (over.has(name)) inputs.push(`${name}=docs/*.md`);
    else if (fallback === null) input.push(`${name}=reefs`);
  }
  return { input, inputs };
}

const words = fc.constantFrom('reefs', 'tides', 'refuse', 'the moon', 'corals', 'light');
const block = fc.record({
  inherit_context: fc.constantFrom('full' as const, 'none' as const, 'subset' as const),
  fresh_context: fc.constantFrom('enabled' as const, 'disabled' as const),
});
const { template } = fc.letrec<{
  template: TaskDefinition;
  atomic: TaskDefinition;
  sequence: TaskDefinition;
  reduce: TaskDefinition;
  call: TaskDefinition;
  script: TaskDefinition;
  loop: TaskDefinition;
  approve: TaskDefinition;
}>((tie) => ({
  template: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('atomic'),
    tie('sequence'),
    tie('reduce'),
    tie('call'),
    tie('script'),
    tie('loop'),
    tie('approve'),
  ),
  approve: fc.record({
    type: fc.constant('approve' as const),
    description: words.map((word) => `Is it about ${word}?`),
  }),
  atomic: fc.record({
    type: fc.constant('atomic' as const),
    description: words.map((word) => `Tell of ${word}`),
    context_management: block,
  }),
  call: fc.record({
    type: fc.constant('call' as const),
    template: fc.constant('called.xml'),
    inputs: words.map((word) => [{ name: 'topic', default: word }]),
  }),
  script: fc.record({
    type: fc.constant('script' as const),
    description: words,
    command: fc.constantFrom(['echo', 'reefs'], ['cat'], ['false']),
    prompt: words,
    file_paths: fc.constantFrom(['docs/reef.md'], ['docs/tide.md', 'docs/reef.md']),
    context_management: block,
  }),
  loop: fc.record({
    type: fc.constant('director_evaluator_loop' as const),
    description: words,
    context_management: fc
      .tuple(block, fc.constantFrom('notes_only' as const, 'full_output' as const))
      .map(([base, format]) => ({ ...base, accumulate_data: true, accumulation_format: format })),
    max_iterations: fc.integer({ min: 1, max: 3 }),
    director: tie('atomic'),
    script: fc.constant({ description: 'try it', command: ['cat'], prompt: '{{results}}' }),
    evaluator: fc.constant({
      description: 'Judge it',
      context_management: { inherit_context: 'none' as const, fresh_context: 'disabled' as const },
      output_format: { type: 'json' as const },
    }),
  }),
  sequence: fc.record({
    type: fc.constant('sequential' as const),
    description: words,
    context_management: fc
      .tuple(block, fc.constantFrom('notes_only' as const, 'full_output' as const), fc.boolean())
      .map(([base, format, on]) => ({
        ...base,
        ...(on ? { accumulate_data: true, accumulation_format: format } : { accumulate_data: false }),
      })),
    steps: fc.array(tie('template'), { minLength: 1, maxLength: 3 }),
  }),
  reduce: fc.record({
    type: fc.constant('reduce' as const),
    description: words,
    context_management: block,
    inputs: fc.constant([{ name: 'list' }]),
    concurrency: fc.integer({ min: 1, max: 6 }),
    inner_task: tie('atomic').map((task) => ({ ...task, description: `${task.description} {{item.name}}` })),
    reduction_task: tie('atomic'),
  }),
}));
