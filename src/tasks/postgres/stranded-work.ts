import type { Client } from 'pg';

/** What the tables say is under way and nobody would ever go on with. */
export interface StrandedWork {
  /** The worker's own, it is told, but it never heard of them: the connection broke in that moment. */
  claims: { workflowID: string; queueName: string }[];
  /** In no queue: whoever put them there, or drove them, died or failed in between. */
  runs: { id: string; attempt: number }[];
}

const LOOK_MS = 5_000;
const MOST_AT_ONCE = 100;

const CLAIMS = `SELECT workflow_uuid AS "workflowID", queue_name AS "queueName" FROM dbos.workflow_status
  WHERE status = 'PENDING' AND executor_id = $1`;
const RUNS = `SELECT id, attempt FROM bearings.runs WHERE state IN ('queued', 'running') AND NOT EXISTS (
    SELECT FROM dbos.workflow_status WHERE workflow_uuid = id || '@' || attempt AND status IN ('ENQUEUED', 'DELAYED', 'PENDING'))
  LIMIT ${MOST_AT_ONCE}`;

// Looks now and then. What is on its way from one state to the next looks the same for a moment: it counts when seen twice.
export function strandedWork(isAt: (workflow: string) => boolean) {
  let lookedAt = 0;
  let seen = new Set<string>();
  return async (session: Client, worker: string): Promise<StrandedWork> => {
    if (Math.abs(Date.now() - lookedAt) < LOOK_MS) return { claims: [], runs: [] };
    lookedAt = Date.now();
    const { rows } = await session.query<StrandedWork['claims'][number]>(CLAIMS, [worker]);
    const claims = rows.filter(({ workflowID }) => !isAt(workflowID));
    const { rows: runs } = await session.query<StrandedWork['runs'][number]>(RUNS);
    const before = seen;
    const nameOf = ({ id, attempt }: { id: string; attempt: number }): string => `${id}@${attempt}`;
    seen = new Set([...claims.map(({ workflowID }) => workflowID), ...runs.map(nameOf)]);
    return {
      claims: claims.filter(({ workflowID }) => before.has(workflowID)),
      runs: runs.filter((run) => before.has(nameOf(run))),
    };
  };
}
