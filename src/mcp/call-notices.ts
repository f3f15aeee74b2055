import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { CallTask } from './call-tasks.ts';

const STEP_MS = 2_000;
const LEAST_PAUSE_MS = 500;

/** Says how far a call is. Told now and then at most: a client need not hear of every step. */
export type TellProgress = (message: string) => void;

// For a client that asks to be told: what the tool says, and a progress message every two seconds, so that a wait for the
// person or a model is no hang. One counter for both, since progress may only ever grow. A task is asked instead.
export async function withProgress<T>(
  context: ServerContext,
  title: string,
  task: () => CallTask | null,
  work: (tell: TellProgress) => Promise<T>,
): Promise<T> {
  const { _meta, notify, signal } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work((said) => task()?.tell(said));
  let [progress, toldAt, message] = [0, 0, title];
  const send = (): void => {
    if (signal.aborted || task() !== null) return;
    progress += 1;
    toldAt = performance.now();
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  };
  const timer = setInterval(send, STEP_MS);
  try {
    return await work((said) => {
      message = said;
      task()?.tell(said);
      if (progress === 0 || performance.now() - toldAt >= LEAST_PAUSE_MS) send();
    });
  } finally {
    clearInterval(timer);
  }
}

// Warnings and refusals, for the client's own log; the client says from which level on it wants to hear.
export async function tellWarnings(context: ServerContext, tool: string, result: CallToolResult): Promise<void> {
  const [first, ...others] = result.content ?? [];
  const texts = (result.isError ? [first] : others).flatMap((block) => (block?.type === 'text' ? [block.text] : []));
  for (const text of texts) await context.mcpReq.log('warning', { tool, text }, 'bearings').catch(() => undefined);
}
