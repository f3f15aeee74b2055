import { randomBytes } from 'node:crypto';
import { type CallToolResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { Shown } from '../proposals/proposal.ts';
import type { ToolCall } from './tool.ts';

/** Questions that are open in 2026-era clients: they answer in a second call, and the token ties the two together. */
export interface OpenQuestions {
  ask(shown: Shown, until: number): string;
  /** Single use. Null: never asked, too late, or about something else. */
  take(token: unknown, shown: Shown, now: number): Shown | null;
}

export function openQuestions(): OpenQuestions {
  const open = new Map<string, { shown: Shown; until: number }>();
  return {
    ask(shown, until) {
      const token = randomBytes(16).toString('hex');
      open.set(token, { shown, until });
      return token;
    },
    take(token, shown, now) {
      const asked = typeof token === 'string' ? open.get(token) : undefined;
      if (!asked) return null;
      open.delete(String(token));
      const same =
        asked.shown.proposal_id === shown.proposal_id &&
        asked.shown.content_sha256 === shown.content_sha256 &&
        asked.shown.target === shown.target;
      return same && now <= asked.until ? asked.shown : null;
    },
  };
}

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
  const form = { message: question.message, requestedSchema: { type: 'object' as const, properties: {} } };
  if (context.mcpReq.envelope !== undefined) return askInTwoCalls(call, question, form);
  try {
    const { action } = await context.mcpReq.elicitInput(
      { mode: 'form', ...form },
      { timeout: question.timeoutMs, signal: context.mcpReq.signal },
    );
    // An answer to a call that is over decides nothing.
    return context.mcpReq.signal.aborted ? { kind: 'undecided' } : decidedBy(action);
  } catch {
    return { kind: 'undecided' };
  }
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
  const requestState = call.questions.ask(question.shown, Date.now() + question.timeoutMs);
  const result = inputRequired({ inputRequests: { decision: inputRequired.elicit(form) }, requestState });
  return { kind: 'question', result: result as unknown as CallToolResult };
}

function decidedBy(action: string): PersonAnswer {
  return action === 'accept' || action === 'decline' ? { kind: 'decided', decision: action } : { kind: 'undecided' };
}
