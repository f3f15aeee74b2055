import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool, PoolClient } from 'pg';
import { type BearingsError, conflict } from '../../errors.ts';
import { RUN_QUEUE } from './connect.ts';

export type WorkerLock = Awaited<ReturnType<typeof takeWorkerLock>>;

interface LifeOptions {
  pool: Pool;
  client: DBOSClient;
  /** Workflows of which this worker heard that they are its own. */
  inHand: ReadonlySet<string>;
  putBack(run: { id: string; attempt: number }): Promise<void>;
}

const BEAT_MS = 1_000;
// A worker that is stopped but not dead keeps its connection; the server ends the session after so much silence.
const SILENCE_MS = 4_000;
// Without a beat for so long a worker no longer trusts that its work is its own; well before others may take it.
const DOUBT_MS = 2_500;
const AGAIN_MS = 200;
// A lock is free for an instant while its holder connects again; after a restart of the database all of them do.
const LOOKS_AT_WORKERS = 3;
// What is on its way from one state to the next looks abandoned for a moment.
const LOOKS_AT_WORK = 6;

// A worker lives as long as the server holds its session lock. Nobody judges by clocks of different machines.
export async function takeWorkerLock(options: LifeOptions) {
  const { pool } = options;
  const id = `w-${randomBytes(8).toString('hex')}`;
  const losing = new AbortController();
  let session: PoolClient | null = await holdLock(pool, id);
  let beaten = Date.now();
  let ended = false;
  const putBackAbandoned = abandonedWork(id, options);
  await pool.query('INSERT INTO bearings.workers (id) VALUES ($1)', [id]);

  const beat = async (): Promise<void> => {
    try {
      session ??= await holdLock(pool, id);
      const { rowCount } = await session.query('SELECT FROM bearings.workers WHERE id = $1', [id]);
      if (rowCount === 0) return losing.abort();
      beaten = Date.now();
      await putBackAbandoned(session);
    } catch {
      session?.release(true);
      session = null;
    }
  };

  // The database takes no word of this worker any more. Gives what to throw.
  const givenUp = (): BearingsError => {
    losing.abort();
    return conflict('Another worker has this work.');
  };

  let beating: Promise<void> = Promise.resolve();
  const beatNext = (): Promise<void> => {
    beating = beating.then(beat);
    return beating;
  };
  const clock = setInterval(() => {
    if (!ended) void beatNext();
  }, BEAT_MS);

  return {
    id,
    /** Aborted when this worker was away for so long that others took its work. */
    lost: losing.signal,
    /** Throws in a worker that was given up. One that slept asks the database before it believes that it was not. */
    async confirm(): Promise<void> {
      // Backwards too: a clock that was set says nothing.
      for (; !losing.signal.aborted && !ended && Math.abs(Date.now() - beaten) > DOUBT_MS; await pause(AGAIN_MS))
        await beatNext();
      if (losing.signal.aborted) throw givenUp();
    },
    givenUp,
    /** Lost by its own will: what is under way is taken over. */
    async end(): Promise<void> {
      ended = true;
      losing.abort();
      clearInterval(clock);
      await beating;
      session?.release(true);
    },
  };
}

async function holdLock(pool: Pool, id: string): Promise<PoolClient> {
  const session = await pool.connect();
  try {
    // Servers before version 14 know no such limit; there a stopped worker is waited for.
    await session.query(`SET idle_session_timeout = ${SILENCE_MS}`).catch(() => {});
    await session
      .query('SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3')
      .catch(() => {});
    await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [id]);
    return session;
  } catch (error) {
    session.release(true);
    throw error;
  }
}

/** Locks that somebody holds, as the number that they were asked by. */
export const HELD_LOCKS =
  "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted";

// Work that the tables say is under way and that nobody would ever go on with: that of workers without their lock, in the list or not (one
// that slept may claim some as it wakes, before it hears that it was given up); what this worker never heard that it has,
// because the connection broke in that moment; runs in no queue, because who put them there or drove them died in between.
const ABANDONED = `
  SELECT 'worker' AS kind, id, NULL AS queue, 0 AS attempt FROM (SELECT id FROM bearings.workers
    UNION SELECT executor_id FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id LIKE 'w-%') AS workers
  WHERE id <> $1 AND hashtextextended(id, 0) NOT IN (${HELD_LOCKS})
  UNION ALL SELECT 'claim', workflow_uuid, queue_name, 0 FROM dbos.workflow_status
  WHERE status = 'PENDING' AND executor_id = $1
  UNION ALL SELECT 'run', id, NULL, attempt FROM bearings.runs WHERE state IN ('waiting', 'running') AND NOT EXISTS (
    SELECT FROM dbos.workflow_status
    WHERE workflow_uuid = id || '@' || attempt AND status IN ('ENQUEUED', 'DELAYED', 'PENDING'))`;

// Back into the queues they came from: a worker looks only into those of models that it has.
async function requeue(
  client: DBOSClient,
  left: readonly { workflowID: string; queueName?: string | undefined }[],
): Promise<void> {
  for (const { workflowID, queueName = RUN_QUEUE } of left) await client.resumeWorkflow(workflowID, { queueName });
}

// Looks for it with each beat. What was seen so many times in a row is put back.
function abandonedWork(self: string, { client, inHand, putBack }: LifeOptions) {
  let looks = new Map<string, number>();
  // Under the lock of the dead: one of the living does it. The row goes first: from then on the other one can write nothing,
  // should it come back. Whoever dies here leaves it to the next one.
  const giveUp = async (session: PoolClient, worker: string): Promise<void> => {
    const { rows } = await session.query<{ free: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS free',
      [worker],
    );
    if (!rows[0]?.free) return;
    try {
      await session.query('DELETE FROM bearings.workers WHERE id = $1', [worker]);
      const pending = { executorId: worker, status: 'PENDING', loadInput: false, loadOutput: false } as const;
      await requeue(client, await client.listWorkflows(pending));
    } finally {
      await session.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [worker]);
    }
  };
  return async (session: PoolClient): Promise<void> => {
    const { rows } = await session.query<{
      kind: 'worker' | 'claim' | 'run';
      id: string;
      queue: string;
      attempt: number;
    }>(ABANDONED, [self]);
    const before = looks;
    looks = new Map();
    for (const { kind, id, queue, attempt } of rows) {
      if (kind === 'claim' && inHand.has(id)) continue;
      const name = `${kind} ${id} ${attempt}`;
      const count = (before.get(name) ?? 0) + 1;
      looks.set(name, count);
      if (count < (kind === 'worker' ? LOOKS_AT_WORKERS : LOOKS_AT_WORK)) continue;
      if (kind === 'worker') await giveUp(session, id);
      else if (kind === 'claim') await requeue(client, [{ workflowID: id, queueName: queue }]);
      else await putBack({ id, attempt });
    }
  };
}
