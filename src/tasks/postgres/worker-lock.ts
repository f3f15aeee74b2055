import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { BearingsError } from '../../errors.ts';
import { openSession } from './connect.ts';
import { readVersion } from './schema.ts';

export type WorkerLock = Awaited<ReturnType<typeof takeWorkerLock>>;

interface LifeOptions {
  url: string;
  pool: Pool;
  version: string;
  /** Where its work comes from. */
  queues: readonly string[];
  /** Told by each beat whether there is any. */
  resting: Pick<ReturnType<typeof restingPool>, 'wake' | 'quiet'>;
  /** Takes over what a dead worker was at. */
  takeOver(worker: string): Promise<void>;
  /** Looks for work that nobody is at, this worker included. */
  putBackStranded(session: Client, worker: string): Promise<void>;
}

const BEAT_MS = 1_000;
// A worker that is stopped but not dead keeps its connection; the server ends the session after so much silence.
const SILENCE_MS = 4_000;
// Without a beat for so long a worker no longer trusts that its work is its own; well before others may take it.
const DOUBT_MS = 2_500;
const AGAIN_MS = 200;
// A lock is free for an instant while its holder connects again. After a restart of the database all of them do.
const FREE_LOOKS = 2;
const FREE_LOOKS_AFTER_RESTART = 3;
const SETTLED_MS = 10_000;

// In the order of the library's index of what is under way: read by it, however much is done already.
const UNDER_WAY = `(SELECT true FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING') AND queue_name = ANY($2)
  ORDER BY queue_name LIMIT 1)`;

// A worker lives as long as the server holds its session lock. Nobody judges by clocks of different machines.
export async function takeWorkerLock(options: LifeOptions) {
  const { url, pool, version, queues, resting, takeOver, putBackStranded } = options;
  const id = `w-${randomBytes(8).toString('hex')}`;
  const lock = randomBytes(6).readUIntBE(0, 6);
  const losing = new AbortController();
  let session: Client | null = await holdLock(url, lock, resting.wake);
  let joined = Date.now();
  let beaten = Date.now();
  let ended = false;
  const lookAfterOthers = overseer(id, takeOver);
  await pool.query('INSERT INTO bearings.workers (id, lock, version) VALUES ($1, $2, $3)', [id, lock, version]);

  const beat = async (): Promise<void> => {
    try {
      session ??= await rejoin();
      if (await hasWork(session)) resting.wake();
      else resting.quiet();
      await readVersion(session);
      beaten = Date.now();
      await lookAfterOthers(session, Date.now() - joined > SETTLED_MS ? FREE_LOOKS : FREE_LOOKS_AFTER_RESTART);
      await putBackStranded(session, id);
    } catch (error) {
      if (error instanceof BearingsError) losing.abort(error);
      resting.wake();
      await session?.end().catch(() => {});
      session = null;
    }
  };
  const rejoin = async (): Promise<Client> => {
    const fresh = await holdLock(url, lock, resting.wake);
    joined = Date.now();
    return fresh;
  };
  // The same question tells whether this worker is given up.
  const hasWork = async (own: Client): Promise<boolean> => {
    const { rows } = await own.query<{ has_work: true | null }>(
      `SELECT ${UNDER_WAY} AS has_work FROM bearings.workers WHERE id = $1 AND gone_at IS NULL`,
      [id, queues],
    );
    if (rows.length === 0) losing.abort();
    return rows[0]?.has_work !== null;
  };

  // The database takes no word of this worker any more. Gives what to throw.
  const givenUp = (): BearingsError => {
    losing.abort();
    return new BearingsError('conflict', 'Another worker has this work.');
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
    /** Aborted when this worker was away for so long that others took its work. An error of ours as the reason: it must end. */
    lost: losing.signal,
    /** Throws in a worker that was given up. One that slept asks the database before it believes that it was not. */
    async confirm(): Promise<void> {
      // Backwards too: a clock that was set says nothing.
      for (; !losing.signal.aborted && !ended && Math.abs(Date.now() - beaten) > DOUBT_MS; await pause(AGAIN_MS))
        await beatNext();
      if (losing.signal.aborted) throw givenUp();
    },
    givenUp,
    /** Gives up the lock: whatever is under way is taken over at once. */
    async end(): Promise<void> {
      ended = true;
      clearInterval(clock);
      await beating;
      await session?.end().catch(() => {});
    },
  };
}

// Looks at the locks of all others, one after the other. Who was seen without its lock so many times in a row is given up.
function overseer(id: string, takeOver: LifeOptions['takeOver']) {
  const freeFor = new Map<string, number>();
  const isFree = async (session: Client, lock: string): Promise<boolean> => {
    const { rows } = await session.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [lock]);
    return rows[0]?.free ?? false;
  };
  const giveUp = async (session: Client, worker: string): Promise<void> => {
    // Marked first: from then on the other one can write nothing, should it come back. The row goes last: whoever
    // takes over may die at it, and then the next one does it.
    await session.query('UPDATE bearings.workers SET gone_at = now() WHERE id = $1', [worker]);
    await takeOver(worker);
    await session.query('DELETE FROM bearings.workers WHERE id = $1', [worker]);
    freeFor.delete(worker);
  };
  return async (session: Client, needed: number): Promise<void> => {
    const { rows } = await session.query<{ id: string; lock: string }>(OTHERS, [id]);
    for (const other of rows) {
      if (!(await isFree(session, other.lock))) {
        freeFor.delete(other.id);
        continue;
      }
      try {
        const looks = (freeFor.get(other.id) ?? 0) + 1;
        freeFor.set(other.id, looks);
        if (looks >= needed) await giveUp(session, other.id);
      } finally {
        await session.query('SELECT pg_advisory_unlock($1)', [other.lock]);
      }
    }
  };
}

// And who is in no list any more with work under way: one that slept may claim some as it wakes, before it hears that it was
// given up. Its lock is one for whoever takes over.
const OTHERS = `SELECT id, lock::text AS lock FROM bearings.workers WHERE id <> $1
  UNION ALL SELECT executor_id, hashtextextended(executor_id, 0)::text FROM dbos.workflow_status
  WHERE status = 'PENDING' AND executor_id LIKE 'w-%' AND NOT EXISTS (SELECT FROM bearings.workers WHERE id = executor_id)
  GROUP BY executor_id`;

async function holdLock(url: string, lock: number, onGiven: () => void): Promise<Client> {
  const session = await openSession(url);
  session.on('notification', onGiven);
  try {
    // Servers before version 14 know no such limit; there a stopped worker is waited for.
    await session.query(`SET idle_session_timeout = ${SILENCE_MS}`).catch(() => {});
    await session
      .query('SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3')
      .catch(() => {});
    await session.query('SELECT pg_advisory_lock($1)', [lock]);
    // Only ever a hint: where no notice comes through, the next beat finds what was submitted.
    await session.query(`LISTEN ${GIVEN}`).catch(() => {});
    return session;
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  }
}

/** Said by whoever submits a run: workers that rest look at once. */
export const GIVEN = 'bearings_given';

// More than one: a notice may come in between a look and what is made of it.
const QUIET_LOOKS = 3;

// The library looks into each queue many times a second and can't be told that something came. So it is the looks that wait,
// before they have a connection.
export function restingPool(pool: Pool) {
  let quietLooks = 0;
  let ended = false;
  let waiting: (() => void)[] = [];
  const pass = async (): Promise<void> => {
    if (!ended && quietLooks >= QUIET_LOOKS) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const after =
    (say: (...given: unknown[]) => unknown) =>
    async (...given: unknown[]) => {
      await pass();
      return say.apply(pool, given);
    };
  const awaited = { connect: after(pool.connect as never), query: after(pool.query as never) };
  const wake = (): void => {
    quietLooks = 0;
    for (const goOn of waiting) goOn();
    waiting = [];
  };
  return {
    pool: new Proxy(pool, {
      get(target, name) {
        if (name === 'connect' || name === 'query') return awaited[name];
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    /** There may be work: whatever waits goes on. */
    wake,
    /** A look that found no work. After a few in a row the pool rests. */
    quiet(): void {
      quietLooks += 1;
    },
    /** Never rests again. */
    end(): void {
      ended = true;
      wake();
    },
  };
}
