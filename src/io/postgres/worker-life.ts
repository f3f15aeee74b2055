import { randomBytes } from 'node:crypto';
import type { Client, Pool } from 'pg';
import { openSession } from './connect.ts';

export interface WorkerLife {
  readonly id: string;
  /** Aborted when this worker was away for so long that others took its work. */
  readonly lost: AbortSignal;
  /** Gives up the lock: whatever is under way is taken over at once. */
  end(): Promise<void>;
}

interface LifeOptions {
  url: string;
  pool: Pool;
  version: string;
  /** Takes over what a dead worker was at. */
  takeOver(worker: string): Promise<void>;
}

const BEAT_MS = 1_000;
// A worker that is stopped but not dead keeps its connection; the server ends the session after so much silence.
const SILENCE_MS = 5_000;
// A lock is free for an instant while its holder connects again, as after a restart of the database.
const FREE_LOOKS = 3;

// A worker lives as long as the server holds its session lock. Nobody judges by clocks of different machines.
export async function beginLife({ url, pool, version, takeOver }: LifeOptions): Promise<WorkerLife> {
  const id = `w-${randomBytes(8).toString('hex')}`;
  const lock = randomBytes(6).readUIntBE(0, 6);
  const losing = new AbortController();
  const freeFor = new Map<string, number>();
  let session: Client | null = await holdLock(url, lock);
  let ended = false;
  await pool.query('INSERT INTO bearings.workers (id, lock, version) VALUES ($1, $2, $3)', [id, lock, version]);

  const beat = async (): Promise<void> => {
    try {
      session ??= await rejoin();
      await session.query('SELECT 1');
      await lookAfterOthers(session);
    } catch {
      await session?.end().catch(() => {});
      session = null;
    }
  };
  const rejoin = async (): Promise<Client> => {
    const fresh = await holdLock(url, lock);
    const { rowCount } = await fresh.query('SELECT 1 FROM bearings.workers WHERE id = $1', [id]);
    if (rowCount === 0) losing.abort();
    return fresh;
  };
  const lookAfterOthers = async (own: Client): Promise<void> => {
    const { rows } = await own.query<{ id: string; lock: string }>(
      'SELECT id, lock FROM bearings.workers WHERE id <> $1',
      [id],
    );
    for (const other of rows) {
      const { rows: tried } = await own.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [
        other.lock,
      ]);
      if (!tried[0]?.free) {
        freeFor.delete(other.id);
        continue;
      }
      try {
        const looks = (freeFor.get(other.id) ?? 0) + 1;
        freeFor.set(other.id, looks);
        if (looks < FREE_LOOKS) continue;
        // The row goes first: from then on the other one knows that it is lost, should it come back.
        await own.query('DELETE FROM bearings.workers WHERE id = $1', [other.id]);
        await takeOver(other.id);
        freeFor.delete(other.id);
      } finally {
        await own.query('SELECT pg_advisory_unlock($1)', [other.lock]);
      }
    }
  };

  let beating: Promise<void> = Promise.resolve();
  const clock = setInterval(() => {
    if (!ended) beating = beating.then(beat);
  }, BEAT_MS);

  return {
    id,
    lost: losing.signal,
    async end() {
      ended = true;
      clearInterval(clock);
      await beating;
      await session?.end().catch(() => {});
    },
  };
}

async function holdLock(url: string, lock: number): Promise<Client> {
  const session = await openSession(url);
  try {
    // Servers before version 14 know no such limit; there a stopped worker is waited for.
    await session.query(`SET idle_session_timeout = ${SILENCE_MS}`).catch(() => {});
    await session
      .query('SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3')
      .catch(() => {});
    await session.query('SELECT pg_advisory_lock($1)', [lock]);
    return session;
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  }
}
