import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { defineTask } from '../../src/index.ts';
import { type EchoModel, echoModel } from '../support/tasks/echo-model.ts';
import { type PostgresServer, postgresServer, startWorker, type Worker } from '../support/tasks/postgres-server.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const BOUND = 3;
const THINGS = 60;
const PER_MINUTE = 7;
const folder = tempFolder();
const home = join(folder, 'home');
const project = join(folder, 'project');
const place = { home: folder, cwd: project, variables: { BEARINGS_HOME: home, BEARINGS_CACHE: join(folder, 'cache') } };
const QUIET = { inherit_context: 'none', fresh_context: 'disabled' } as const;
const ALL = defineTask({
  type: 'reduce',
  description: 'All of them',
  inputs: [{ name: 'list' }],
  concurrency: 32,
  context_management: QUIET,
  inner_task: { type: 'atomic', description: 'About {{item}}', context_management: QUIET },
  reduction_task: { type: 'atomic', description: 'Join them', context_management: QUIET },
});
let postgres: PostgresServer;
let echo: EchoModel;
let bearings: Rooms;

beforeAll(async () => {
  echo = await echoModel(100);
  const counted = echo.config.replace('models:\n  echo:', '  counted:');
  put(home, {
    'config.yaml': `${echo.config}    concurrency: ${BOUND}\n${counted}    per_minute: ${PER_MINUTE}\n`,
  });
  put(project, { 'list.jsonl': Array.from({ length: THINGS }, (_, at) => `"thing ${at}"`).join('\n') });
  postgres = await postgresServer();
  bearings = openRooms({ home, cwd: project, variables: place.variables });
});

// What a test leaves alive is there for the next one.
let alive: Worker[] = [];
async function crewOf(count: number): Promise<Worker[]> {
  alive = alive.filter(({ process: child }) => child.exitCode === null && child.signalCode === null);
  const missing = Array.from({ length: Math.max(0, count - alive.length) }, () => startWorker(place, postgres.url));
  alive.push(...(await Promise.all(missing)));
  return alive;
}

it(`T22 a model that takes ${BOUND} calls at the same time never gets more, whoever dies; the places of the dead come back`, async () => {
  // Each of them could make more calls than the model takes.
  const crew = await crewOf(3);
  const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, {
    file: 'all.xml',
    model: 'echo',
    inputs: ['list=list.jsonl'],
  });
  let killed = false;
  const { result } = await (await bearings.sharedRuns(postgres.url)).followRun(run, {
    onEvent: (event) => {
      if (event.event !== 'inputs' || event.done < THINGS / 3 || killed) return;
      killed = true;
      crew[0]?.process.kill('SIGKILL');
    },
  });
  expect(killed).toBe(true);
  expect(result.status).toBe('COMPLETE');
  expect([...echo.calls.keys()].filter((name) => name.startsWith(run)).length).toBe(THINGS + 1);
  expect(echo.most()).toBe(BOUND);
});

it('T22 what is more urgent goes first, also where a model takes few calls at the same time', async () => {
  const things = 3 * THINGS;
  put(project, {
    'few.jsonl': '"a"\n"b"\n"c"\n"d"\n"e"\n"f"',
    'many.jsonl': Array.from({ length: things }, (_, at) => `"thing ${at}"`).join('\n'),
  });
  await crewOf(2);
  const options = (list: string, priority: number) => ({
    ...{ file: 'all.xml', model: 'echo', inputs: [`list=${list}`], priority },
  });
  const patient = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, options('many.jsonl', 20));
  const callsOf = (run: string) => [...echo.calls.keys()].filter((name) => name.startsWith(run)).length;
  while (callsOf(patient) < 2 * BOUND) await new Promise((done) => setTimeout(done, 20));
  const urgent = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, options('few.jsonl', 1));
  expect((await (await bearings.sharedRuns(postgres.url)).followRun(urgent, {})).result.status).toBe('COMPLETE');
  expect(callsOf(patient)).toBeLessThan(things);
  echo.delayMs = 0;
  expect((await (await bearings.sharedRuns(postgres.url)).followRun(patient, {})).result.status).toBe('COMPLETE');
  expect(callsOf(patient)).toBe(things + 1);
});

it(`T22 a model that takes ${PER_MINUTE} calls a minute never gets more, however many workers there are; what is cancelled asks no more`, async () => {
  await crewOf(2);
  const started = performance.now();
  const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, {
    ...{ file: 'all.xml', model: 'counted', inputs: ['list=list.jsonl'] },
  });
  const calls = () => [...echo.calls.keys()].filter((name) => name.startsWith(run)).length;
  while (calls() < PER_MINUTE) await new Promise((done) => setTimeout(done, 20));
  await new Promise((done) => setTimeout(done, 5_000));
  // Only a machine that is very busy comes into a second minute.
  const allowed = () => PER_MINUTE * Math.ceil((performance.now() - started) / 60_000);
  expect(calls()).toBeLessThanOrEqual(allowed());
  await (await bearings.sharedRuns(postgres.url)).cancelRun(run);
  const { result } = await (await bearings.sharedRuns(postgres.url)).followRun(run, {});
  expect(result.status).not.toBe('COMPLETE');
  expect(calls()).toBeLessThanOrEqual(allowed());
});
