import { execFile } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openRooms, type Rooms } from '../../src/bearings.ts';
import { defineTask } from '../../src/index.ts';
import { openPool } from '../../src/tasks/postgres/connect.ts';
import { parseTask } from '../../src/tasks/template/parse-task.ts';
import type { Task } from '../../src/tasks/template/template.ts';
import { BINARY, environment, type Result, STARTED } from '../support/process/binary.ts';
import { type EchoModel, echoModel } from '../support/tasks/echo-model.ts';
import {
  type PostgresServer,
  postgresServer,
  proxyTo,
  sleep,
  startWorker,
  type Worker,
} from '../support/tasks/postgres-server.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const home = join(folder, 'home');
const project = join(folder, 'project');
const place = { home: folder, cwd: project, variables: { BEARINGS_HOME: home, BEARINGS_CACHE: join(folder, 'cache') } };
let postgres: PostgresServer;
let database: pg.Client;
let echo: EchoModel;
let bearings: Rooms;

beforeAll(async () => {
  echo = await echoModel();
  put(home, { 'config.yaml': echo.config });
  put(project, { 'list.jsonl': Array.from({ length: 16 }, (_, at) => `"thing ${at}"`).join('\n') });
  postgres = await postgresServer();
  database = new pg.Client(postgres.url);
  database.on('error', () => {});
  await database.connect();
  bearings = openRooms({ home, cwd: project, variables: place.variables });
  // Whoever comes first makes the tables.
  await (await bearings.sharedRuns(postgres.url)).listRuns();
});
afterAll(() => database.end());

const ALL: Task = (() => {
  const { task } = parseTask(
    Buffer.from(`<task type="reduce" name="all" concurrency="8">
      <description>All of them</description>
      <inputs><input name="list"/></inputs>
      <inner_task><task type="atomic"><description>About {{item}}</description></task></inner_task>
      <reduction_task><task type="atomic"><description>Join them</description></task></reduction_task>
    </task>`),
    { file: 'all.xml' },
  );
  if (task === null) throw new Error('the template does not load');
  return task;
})();
const OPTIONS = { file: 'all.xml', model: 'echo', inputs: ['list=list.jsonl'] };

async function local(): Promise<string> {
  return JSON.stringify((await (await bearings.runs()).startRun(ALL, OPTIONS)).result);
}

async function one<T extends object>(sql: string, values: unknown[] = []): Promise<T> {
  const { rows } = await database.query<T>(sql, values);
  return rows[0] as T;
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (let waited = 0; ; waited += 50) {
    const found = await look();
    if (found !== null) return found;
    if (waited > 60_000) throw new Error('it never came');
    await sleep(50);
  }
}

async function stopped(...workers: Worker[]): Promise<void> {
  for (const { process: child } of workers) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await gone;
  }
}

// What a test leaves alive is there for the next one: a start costs more than most of what is looked at here.
let alive: Worker[] = [];
const isAlive = ({ process: child }: Worker): boolean => child.exitCode === null && child.signalCode === null;

/** Exactly so many workers of this version, and no other. */
async function crewOf(count: number): Promise<Worker[]> {
  alive = alive.filter(isAlive);
  await stopped(...alive.splice(count));
  while (alive.length < count) alive.push(await startWorker(place, postgres.url));
  return [...alive];
}

async function oneMore(): Promise<Worker> {
  const worker = await startWorker(place, postgres.url);
  alive.push(worker);
  return worker;
}

function command(binary: string, ...args: string[]): Promise<Result> {
  const env = { ...environment(place), BEARINGS_ENGINE: postgres.url };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...STARTED, binary, ...args],
      { cwd: project, env, timeout: 120_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('T22 a worker that is gone', () => {
  // One at the run, another one beside: what is done to the first, until the second has the run. How long that takes is measured
  // in `npm run bench:engine`.
  async function takenOver(signal: 'SIGKILL' | 'SIGSTOP') {
    const [first] = (await crewOf(1)) as [Worker];
    const letGo = echo.hold();
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    const owner = () => one<{ owner: string | null }>('SELECT owner FROM bearings.runs WHERE id = $1', [run]);
    const before = await until(async () => (await owner()).owner);
    await oneMore();
    await until(async () => ([...echo.calls.keys()].some((name) => name.startsWith(run)) ? true : null));
    expect((await owner()).owner).toBe(before);
    first.process.kill(signal);
    await until(async () => ((await owner()).owner === before ? null : true));
    letGo();
    return { first, run };
  }

  it('T22 killed: another one takes its run and ends it as if nothing had happened', async () => {
    const expected = await local();
    const { run } = await takenOver('SIGKILL');
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
  });

  it('T22 stopped: the same, and once awake it calls and writes nothing more for the run', async () => {
    const expected = await local();
    const { first, run } = await takenOver('SIGSTOP');
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
    // The result is there a moment before the one that made it has written that it is done.
    await until(async () => ((await unfinished(run)) === 0 ? true : null));
    const [rows, calls, starts] = [await allRows(run), callsOf(run), first.said().split('"ready"').length];
    first.process.kill('SIGCONT');
    // It finds out and begins again, under another name.
    await until(async () => (first.said().split('"ready"').length > starts ? true : null));
    await sleep(2_000);
    expect(await allRows(run)).toEqual(rows);
    expect(callsOf(run)).toBe(calls);
    const { count } = await one<{ count: number }>(
      "SELECT (count(*) - count(DISTINCT value->>'id'))::int AS count FROM bearings.lines WHERE run = $1 AND kind = 'event' AND value->>'event' = 'ended'",
      [run],
    );
    expect(count).toBe(0);
  });

  // As it is when one dies at taking over, and when one claims work as it wakes, after others gave it up.
  it('T22 whoever takes over and dies at it leaves it to the next one: work of who is in no list is taken over too', async () => {
    const expected = await local();
    const [first] = (await crewOf(1)) as [Worker];
    const letGo = echo.hold();
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    const { owner } = await until(async () => {
      const row = await one<{ owner: string | null }>('SELECT owner FROM bearings.runs WHERE id = $1', [run]);
      return row.owner === null ? null : row;
    });
    await stopped(first);
    await database.query('DELETE FROM bearings.workers WHERE id = $1', [owner?.split(':')[0]]);
    await crewOf(1);
    letGo();
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
  });

  function callsOf(run: string): number {
    return [...echo.calls].reduce((sum, [name, count]) => sum + (name.startsWith(run) ? count : 0), 0);
  }

  async function unfinished(run: string): Promise<number> {
    const { count } = await one<{ count: number }>(
      "SELECT count(*)::int AS count FROM dbos.workflow_status WHERE starts_with(workflow_uuid, $1) AND status <> 'SUCCESS'",
      [run],
    );
    return count;
  }

  async function allRows(run: string): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    found.lines = (await database.query('SELECT t::text FROM bearings.lines t WHERE run = $1 ORDER BY 1', [run])).rows;
    found.runs = (await database.query('SELECT * FROM bearings.runs WHERE id = $1', [run])).rows;
    const ours = 'SELECT t::text FROM dbos.workflow_status t WHERE starts_with(workflow_uuid, $1) ORDER BY 1';
    found.calls = (await database.query(ours, [run])).rows;
    return found;
  }
});

describe('T22 a run that nobody would go on with', () => {
  // What the database does by itself, once, in the moment in which a worker says something: nobody else is as quick.
  async function onceUpon(moment: string, condition: string, sql: string): Promise<void> {
    await database.query(`DROP TABLE IF EXISTS happened CASCADE; CREATE TABLE happened ();
      DROP SEQUENCE IF EXISTS tries; CREATE SEQUENCE tries;
      CREATE OR REPLACE FUNCTION happen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(20261118);
        IF NOT EXISTS (SELECT FROM happened) THEN INSERT INTO happened DEFAULT VALUES; ${sql} END IF; RETURN NEW; END $$;
      CREATE TRIGGER happens ${moment} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION happen()`);
  }
  const refuses = (code: string) => `PERFORM nextval('tries'); RAISE EXCEPTION 'away' USING ERRCODE = '${code}';`;
  const happened = async () => (await database.query('SELECT FROM happened')).rowCount;
  afterEach(() => database.query('DROP FUNCTION IF EXISTS happen CASCADE'));

  const CLAIM = "OLD.status = 'ENQUEUED' AND NEW.status = 'PENDING' AND NEW.name = 'drive'";
  const GIVEN_UP = 'DELETE FROM bearings.workers;';
  // The network breaks after the server did what it was told and before the worker hears of it.
  const CLAIMED = `NEW.status := 'PENDING'; NEW.executor_id := (SELECT id FROM bearings.workers);`;

  it.each([
    ['as it claims a run', 'AFTER UPDATE ON dbos.workflow_status', CLAIM, GIVEN_UP],
    [
      'as it ends one',
      'AFTER INSERT ON bearings.lines',
      "NEW.kind = 'text' AND NEW.value::text LIKE '%COMPLETE%'",
      GIVEN_UP,
    ],
  ])('T22 a worker that was given up %s leaves it to the others before it knows', async (_, ...reaction) => {
    const expected = await local();
    await crewOf(1);
    await onceUpon(...(reaction as [string, string, string]));
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
    expect(await happened()).toBe(1);
  });

  it('T22 a long answer of a worker that was given up meanwhile is asked for again, not lost', async () => {
    const task = defineTask({ type: 'atomic', description: 'Tell of reefs at length' });
    const options = { file: 'task.xml', model: 'echo' };
    const expected = JSON.stringify((await (await bearings.runs()).startRun(task, options)).result);
    await crewOf(1);
    const letGo = echo.hold();
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(task, options);
    await until(async () => ([...echo.calls.keys()].some((name) => name.startsWith(run)) ? true : null));
    await database.query(GIVEN_UP);
    letGo();
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
  });

  it.each(['drive', 'call'])('T22 a worker that never heard that a %s is its own gives it back', async (name) => {
    const expected = await local();
    await crewOf(1);
    await onceUpon('BEFORE INSERT ON dbos.workflow_status', `NEW.name = '${name}'`, CLAIMED);
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
    expect(await happened()).toBe(1);
  });

  it.each([
    ['it is in no queue', 'DELETE FROM dbos.workflow_status'],
    ['who drove it could not write its end', "UPDATE dbos.workflow_status SET status = 'ERROR'"],
  ])('T22 %s: it is put back', async (_, sql) => {
    const expected = await local();
    await crewOf(0);
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    expect((await database.query(`${sql} WHERE workflow_uuid = $1`, [`${run}@1`])).rowCount).toBe(1);
    await crewOf(1);
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
  });

  it('T22 a run that could not be put into the queue is not there: one sentence, and nothing begins by itself', async () => {
    const count = () =>
      one<{ count: number }>(
        'SELECT (SELECT count(*) FROM bearings.runs)::int AS runs, (SELECT count(*) FROM bearings.lines)::int AS inputs',
      );
    const before = await count();
    const each = { type: 'atomic', description: 'Tell of {{item}}' };
    put(project, {
      'all.json': JSON.stringify({
        ...{ type: 'reduce', description: 'Tell of all', inputs: [{ name: 'list' }] },
        ...{ inner_task: each, reduction_task: { type: 'atomic', description: 'Join them' } },
      }),
    });
    await onceUpon('BEFORE INSERT ON dbos.workflow_status', "NEW.name = 'drive'", refuses('57P01'));
    const run = ['run', 'all.json', '--model', 'echo', '--inputs', 'list=list.jsonl', '--detach'];
    const { code, stderr } = await command(BINARY, ...run);
    expect([code, stderr.split('\n')[0]]).toEqual([1, "bearings: The database can't be used: it does not answer."]);
    expect(await count()).toEqual(before);
  });

  it('T22 a worker that begins again while the database is away waits for it', async () => {
    const [worker] = (await crewOf(1)) as [Worker];
    const starts = worker.said().split('"ready"').length;
    await onceUpon('BEFORE INSERT ON bearings.workers', 'true', refuses('57P03'));
    await database.query(GIVEN_UP);
    await until(async () =>
      (await one<{ tried: boolean }>('SELECT last_value > 1 AS tried FROM tries')).tried ? true : null,
    );
    await database.query('DROP FUNCTION happen CASCADE');
    await until(async () => (worker.said().split('"ready"').length > starts ? true : null));
    expect(isAlive(worker)).toBe(true);
  });
});

describe('T22 Ctrl-C at a worker', () => {
  it('T22 ends it with 0 while it is at work; another one goes on with its run and ends it as if nothing had happened', async () => {
    const expected = await local();
    const [first] = (await crewOf(1)) as [Worker];
    const letGo = echo.hold();
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    await until(async () => ([...echo.calls.keys()].some((name) => name.startsWith(run)) ? true : null));
    const code = new Promise((resolve) => first.process.once('exit', resolve));
    first.process.kill('SIGINT');
    expect(await code).toBe(0);
    letGo();
    await crewOf(1);
    expect(JSON.stringify((await (await bearings.sharedRuns(postgres.url)).followRun(run)).result)).toBe(expected);
  });
});

describe('T22 a connection that is gone', () => {
  it('T22 whoever follows a run goes on with another one', async () => {
    const expected = await local();
    await crewOf(1);
    const letGo = echo.hold();
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    const following = (await bearings.sharedRuns(postgres.url)).followRun(run);
    // Its question waits for the table, so that it is cut while an answer is due.
    const locking = new pg.Client(postgres.url);
    await locking.connect();
    await locking.query('BEGIN; LOCK TABLE bearings.runs IN ACCESS EXCLUSIVE MODE');
    await until(async () => {
      const { rowCount } = await database.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT state, cancel%'",
      );
      return rowCount || null;
    }).finally(() => locking.end());
    letGo();
    expect(JSON.stringify((await following).result)).toBe(expected);
  });

  it('T22 dropped by the network without a word, it is given up and replaced', async () => {
    const expected = await local();
    await crewOf(1);
    const proxy = await proxyTo(postgres.url);
    const letGo = echo.hold();
    const run = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    const seen = { started: false };
    const following = (await bearings.sharedRuns(proxy.url)).followRun(run, {
      onEvent: () => Object.assign(seen, { started: true }),
    });
    await until(async () => (seen.started ? true : null));
    proxy.fallSilent();
    letGo();
    expect(JSON.stringify((await following).result)).toBe(expected);
    proxy.close();
  });

  // As the server ends it for a worker that was stopped in the middle: once awake, the worker goes on with another one.
  it('T22 ended in the middle of a transaction, it ends nothing else', async () => {
    const pool = await openPool(postgres.url, 2);
    const session = await pool.connect();
    await session.query('BEGIN');
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => session.once('end', resolve));
    await database.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(session.query('COMMIT')).rejects.toThrow();
    session.release(true);
    expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('T22 what a shared run tells', () => {
  it('T22 the first run of an empty database prints nothing but its own JSON', async () => {
    await database.query('CREATE DATABASE empty');
    put(project, { 'one.json': JSON.stringify({ type: 'atomic', description: 'Tell of reefs' }) });
    const args = ['run', 'one.json', '--model', 'echo', '--detach', '--json'];
    const url = postgres.url.replace(/[^/]*$/, 'empty');
    const { code, stdout, stderr } = await command(BINARY, ...args, '--engine', url);
    expect([code, stderr, Object.keys(JSON.parse(stdout) as object)]).toEqual([0, '', ['run']]);
  });

  it('T22 T13 records, times and counts are there as for a local run', async () => {
    echo.delayMs = 20;
    await crewOf(1);
    const here = await (await bearings.runs()).startRun(ALL, OPTIONS);
    const there = await (await bearings.sharedRuns(postgres.url)).submitRun(ALL, OPTIONS);
    const seen: string[] = [];
    await (await bearings.sharedRuns(postgres.url)).followRun(there, { onRecord: ({ path }) => seen.push(path) });
    const own = await (await bearings.runs()).showRun(here.run);
    const shared = await (await bearings.sharedRuns(postgres.url)).showRun(there);
    const paths = (report: typeof own) => report.seen.map(({ path }) => path).toSorted();
    expect(paths(shared)).toEqual(paths(own));
    expect(seen.toSorted()).toEqual(paths(own));
    expect([shared.recorded, shared.steps]).toEqual([own.recorded, own.steps]);
    for (const { at = '', ms } of shared.seen) {
      expect(at >= shared.startedAt && at <= (shared.endedAt ?? '')).toBe(true);
      expect(ms).toBeGreaterThan(0);
    }
    const took = (path: string) => shared.seen.find((record) => record.path === path)?.ms;
    expect(took('1')).toBeGreaterThan(took('1.inner:0') ?? Number.POSITIVE_INFINITY);
    const [listed] = (await (await bearings.sharedRuns(postgres.url)).listRuns()).filter(({ id }) => id === there);
    expect(listed?.recorded).toBe(own.recorded);
    echo.delayMs = 0;
  });
});

describe('T22 another version at the database', () => {
  it('T22 what does not know its tables says so in one sentence, without the password', async () => {
    await database.query('UPDATE bearings.meta SET version = version + 1');
    const { code, stderr } = await command(BINARY, 'runs', 'list');
    await database.query('UPDATE bearings.meta SET version = version - 1');
    expect(code).toBe(2);
    expect(stderr.split('\n')[0]).toBe('bearings: The tables of this database are for another version of bearings.');
    expect(stderr).not.toContain('secret');
  });
});
