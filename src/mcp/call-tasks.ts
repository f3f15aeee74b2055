import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  INTERNAL_ERROR,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { BearingsError } from '../errors.ts';
import { capabilitiesOf } from './client-info.ts';
import { INTERNAL } from './tool.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** A call that goes on after its answer. */
export type CallTask = ReturnType<typeof callTask>;
/** Those of one client; nobody else's can be asked for. */
export type CallTasks = ReturnType<typeof callTasks>;

const MAX_TASKS = 32;
const POLL_MS = 1_000;
// A client that asks is kept for as long as one that calls: see the limits of http-server.
const RETENTION_MS = 30 * 60_000;

function callTask(taskId: string, now: () => Date) {
  const created = now();
  const ending = new AbortController();
  let outcome: { status: string; result?: CallToolResult; error?: object } = { status: 'working' };
  let [statusMessage, updated] = ['', created];
  const isOver = () => outcome.status !== 'working';
  const end = (last: typeof outcome): void => {
    if (isOver()) return;
    outcome = last;
    updated = now();
  };
  const shown = () => ({
    taskId,
    status: outcome.status,
    ...(statusMessage && !isOver() ? { statusMessage } : {}),
    createdAt: created.toISOString(),
    lastUpdatedAt: updated.toISOString(),
    // Whoever asks has it for that long again.
    ttlMs: now().getTime() - created.getTime() + RETENTION_MS,
    pollIntervalMs: POLL_MS,
  });
  return {
    isOver,
    /** Ends the work. */
    signal: ending.signal,
    tell(message: string): void {
      statusMessage = message;
      updated = now();
    },
    complete: (result: CallToolResult) => end({ status: 'completed', result }),
    fail: () => end({ status: 'failed', error: { code: INTERNAL_ERROR, message: INTERNAL } }),
    cancel(): void {
      end({ status: 'cancelled' });
      ending.abort();
    },
    /** As the answer to the call. */
    handle: () => ({ resultType: 'task', ...shown() }),
    /** As it is now, with its outcome. */
    state: () => ({ ...shown(), ...outcome }),
  };
}

export function callTasks(now: () => Date = () => new Date()) {
  const known = new Map<string, { task: CallTask; lastAsked: number }>();
  return {
    begin(): CallTask {
      const at = now().getTime();
      for (const [id, { task, lastAsked }] of known)
        if (task.isOver() && lastAsked + RETENTION_MS < at) known.delete(id);
      if (known.size >= MAX_TASKS)
        throw new BearingsError('too_many', `${MAX_TASKS} tasks of this client are known at once.`, {
          hint: 'Wait for one of them, or cancel it.',
        });
      const id = randomUUID();
      const task = callTask(id, now);
      known.set(id, { task, lastAsked: at });
      return task;
    },
    find(id: string): CallTask | undefined {
      const found = known.get(id);
      if (found) found.lastAsked = now().getTime();
      return found?.task;
    },
    stop(): void {
      for (const { task } of known.values()) task.cancel();
      known.clear();
    },
  };
}

/** Only a client of 2026 that says so with the call itself is ever given a task. */
export function takesTasks(server: McpServer, context: ServerContext): boolean {
  const { extensions } = capabilitiesOf(server, context) ?? {};
  return context.mcpReq.envelope !== undefined && extensions?.[TASKS_EXTENSION] !== undefined;
}

export function registerTasks(server: McpServer, tasksOf: (context: ServerContext) => CallTasks): void {
  const params = z.looseObject({ taskId: z.string() });
  const serve = (method: string, work: (task: CallTask) => Record<string, unknown>): void =>
    server.server.setRequestHandler(method, { params }, async ({ taskId }, context) => {
      if (!takesTasks(server, context)) {
        const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
      }
      const task = tasksOf(context).find(taskId);
      if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No task of this client has this id.');
      return work(task);
    });
  serve('tasks/get', (task) => task.state());
  serve('tasks/cancel', (task) => {
    task.cancel();
    return {};
  });
  // No call of ours asks for anything once it is a task: what is answered here answers nothing.
  serve('tasks/update', () => ({}));
}
