import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';
import { inTransaction } from './connect.ts';

interface Given {
  options: Parameters<DBOSClient['enqueue']>[0] & { workflowID: string };
  job: object;
  resolve(): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 100;

// Calls that come while others are on their way go together after them: one commit for all, instead of one for each.
export function callBatches(client: DBOSClient, pool: Pool) {
  let waiting: Given[] = [];
  let isSending = false;

  const send = async (): Promise<void> => {
    isSending = true;
    // Whatever is submitted in the same turn comes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      try {
        await together(batch);
        for (const { resolve } of batch) resolve();
      } catch {
        // Two drivers of one run can get in each other's way: one by one they can't.
        for (const given of batch) await client.enqueue(given.options, given.job).then(given.resolve, given.reject);
      }
    }
    isSending = false;
  };
  const together = (batch: Given[]): Promise<void> =>
    inTransaction(pool, async (session) => {
      const ordered = batch.toSorted((a, b) => (a.options.workflowID < b.options.workflowID ? -1 : 1));
      const sent = ordered.map(({ options, job }) => client.enqueueInTransaction(session, options, job));
      for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason;
    });

  return (options: Given['options'], job: object): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ options, job, resolve, reject });
      if (!isSending) void send();
    });
}
