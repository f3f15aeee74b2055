import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';

const STEP_MS = 2_000;

// For a client that asks to be told: a sign of life every two seconds, so that a wait for the person is no hang.
export async function withProgress<T>(context: ServerContext, message: string, work: () => Promise<T>): Promise<T> {
  const { _meta, notify, signal } = context.mcpReq;
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const timer = setInterval(() => {
    if (signal.aborted) return;
    progress += 1;
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  }, STEP_MS);
  try {
    return await work();
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
