import { randomUUID } from 'node:crypto';
import { type CallToolResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { Shown } from '../gate/proposal.ts';
import type { ToolCall } from './tool.ts';

export type PersonAnswer =
  | { kind: 'decided'; decision: 'accept' | 'decline' }
  | { kind: 'undecided' }
  | { kind: 'question'; result: CallToolResult };

// The client shows the question to the person; the agent has no hand in the answer. No answer is no decision.
export async function askPerson(
  call: ToolCall<unknown>,
  question: { message: string; shown: Shown; timeoutMs: number },
): Promise<PersonAnswer> {
  const { context } = call;
  // A form without fields: the yes itself is all that is asked.
  const form = { message: question.message, requestedSchema: { type: 'object' as const, properties: {} } };
  if (context.mcpReq.envelope !== undefined) return askInTwoCalls(call, question, form);
  const { id, signal: cancelled } = context.mcpReq;
  // Over HTTP the call is over as well once its connection is gone: nobody is there to hear what was decided.
  const gone = context.http?.req?.signal;
  const signal = gone ? AbortSignal.any([cancelled, gone]) : cancelled;
  try {
    const { action } = await context.mcpReq.elicitInput(
      { mode: 'form', ...form },
      { timeout: question.timeoutMs, signal, relatedRequestId: id },
    );
    // An answer to a call that is over decides nothing.
    return signal.aborted ? { kind: 'undecided' } : decidedBy(action);
  } catch {
    return { kind: 'undecided' };
  }
}

// Leads the person to her page. Whatever the client answers is no decision: she decides there, or not at all.
export async function offerPage(
  { context }: ToolCall<unknown>,
  offer: { message: string; url: string; timeoutMs: number },
): Promise<CallToolResult | null> {
  const { message, url, timeoutMs } = offer;
  const { mcpReq } = context;
  if (mcpReq.envelope !== undefined) {
    if (mcpReq.inputResponses !== undefined) return null;
    const inputRequests = { page: inputRequired.elicitUrl({ message, url }) };
    return inputRequired({ inputRequests }) as unknown as CallToolResult;
  }
  try {
    const elicitationId = randomUUID();
    await mcpReq.elicitInput(
      { mode: 'url', message, url, elicitationId },
      { timeout: timeoutMs, signal: mcpReq.signal },
    );
  } catch {
    // A client that does not open it leaves the proposal where it is.
  }
  return null;
}

function askInTwoCalls(
  call: ToolCall<unknown>,
  question: { shown: Shown; timeoutMs: number },
  form: Parameters<typeof inputRequired.elicit>[0],
): PersonAnswer {
  const { mcpReq } = call.context;
  const response = inputResponse(mcpReq.inputResponses, 'decision');
  if (response.kind === 'elicit' && call.questions.take(mcpReq.requestState(), question.shown, Date.now())) {
    return mcpReq.signal.aborted ? { kind: 'undecided' } : decidedBy(response.action);
  }
  if (mcpReq.inputResponses !== undefined && response.kind === 'elicit') return { kind: 'undecided' };
  const from = Date.now();
  const requestState = call.questions.ask(question.shown, { from, until: from + question.timeoutMs });
  const result = inputRequired({ inputRequests: { decision: inputRequired.elicit(form) }, requestState });
  return { kind: 'question', result: result as unknown as CallToolResult };
}

function decidedBy(action: string): PersonAnswer {
  return action === 'accept' || action === 'decline' ? { kind: 'decided', decision: action } : { kind: 'undecided' };
}
