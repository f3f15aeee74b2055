import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  inputRequired,
  inputResponse,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/server';
import type { Shown } from '../gate/proposals/proposal.ts';
import type { ToolCall } from './tool.ts';

export type PersonAnswer =
  | { kind: 'decided'; decision: 'accept' | 'decline'; editedContent?: string }
  /** Seen: it was before the person long enough to be read. */
  | { kind: 'undecided'; seen: boolean }
  | { kind: 'question'; result: CallToolResult };

// One field that may stay empty. A form without any is what Codex takes for a permission of its own and, where its approvals are
// switched off, answers by itself with yes. No default: a client that folds lines would change the text unseen.
const FORM = {
  type: 'object' as const,
  properties: {
    text: {
      type: 'string' as const,
      title: 'Other words',
      description: 'Leave it empty to keep the text as it is shown. What you write here is stored instead.',
    },
  },
};

// Codex never sends a form whose field is empty, so that nobody could say yes to the text as it is: it gets a choice, and the form
// above only after "in other words". Where it has no terminal it says no to every form by itself and at once: nobody reads a question
// in a second.
const IS_CODEX = /^codex/i;
const READING_MS = 1_000;
// A question that goes away sooner than this was not read.
const SEEN_MS = 2_000;

const choiceOf = (...choices: { const: string; title: string }[]) => ({
  type: 'object' as const,
  properties: { decision: { type: 'string' as const, title: 'Your decision', oneOf: choices } },
  required: ['decision'],
});
const KEEP = { const: 'accept', title: 'Remember it' };
const OTHER_WORDS = { const: 'edit', title: 'Remember it in other words' };
const DECLINE = { const: 'decline', title: 'Do not remember it' };

// The client shows the question to the person; the agent has no hand in the answer. No answer is no decision.
export async function askPerson(
  call: ToolCall<unknown>,
  question: { message: string; shown: Shown; timeoutMs: number },
): Promise<PersonAnswer> {
  const { context } = call;
  const { message } = question;
  const isCodex = IS_CODEX.test(call.client);
  if (context.mcpReq.envelope !== undefined)
    return askInTwoCalls(call, question, { message, requestedSchema: isCodex ? choiceOf(KEEP, DECLINE) : FORM });
  const { id, signal: cancelled } = context.mcpReq;
  // Over HTTP the call is over as well once its connection is gone: nobody is there to hear what was decided.
  const gone = context.http?.req?.signal;
  const signal = gone ? AbortSignal.any([cancelled, gone]) : cancelled;
  let asked = performance.now();
  const ask = async (requestedSchema: typeof FORM | ReturnType<typeof choiceOf>): Promise<Answered> => {
    asked = performance.now();
    const answered = await context.mcpReq.elicitInput(
      { mode: 'form', message, requestedSchema },
      { timeout: question.timeoutMs, signal, relatedRequestId: id },
    );
    // An answer to a call that is over decides nothing.
    const isUnread = isCodex && performance.now() - asked < READING_MS;
    return signal.aborted || isUnread ? { action: 'cancel' } : answered;
  };
  try {
    const chosen = await ask(isCodex ? choiceOf(KEEP, OTHER_WORDS, DECLINE) : FORM);
    if (isCodex && chosen.content?.decision !== OTHER_WORDS.const) return decidedBy(chosen, asked, true);
    return decidedBy(isCodex ? await ask(FORM) : chosen, asked);
  } catch (error) {
    const isOver = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
    return { kind: 'undecided', seen: isOver && performance.now() - asked >= SEEN_MS };
  }
}

// Leads the person to their page. Whatever the client answers is no decision: they decide there, or not at all.
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
  const now = performance.now();
  if (response.kind === 'elicit') {
    const asked = call.questions.take(mcpReq.requestState(), question.shown);
    if (asked === null) return { kind: 'undecided', seen: false };
    const isOver = now > asked + question.timeoutMs || mcpReq.signal.aborted;
    return decidedBy(isOver ? { action: 'cancel' } : response, asked, IS_CODEX.test(call.client));
  }
  const requestState = call.questions.ask(question.shown, { from: now, until: now + question.timeoutMs });
  const result = inputRequired({ inputRequests: { decision: inputRequired.elicit(form) }, requestState });
  return { kind: 'question', result: result as unknown as CallToolResult };
}

interface Answered {
  action: string;
  content?: Record<string, unknown> | undefined;
}

function decidedBy({ action, content }: Answered, asked: number, isChoice = false): PersonAnswer {
  const { text, decision = isChoice ? undefined : KEEP.const } = content ?? {};
  if (action === 'decline' || (action === 'accept' && decision === DECLINE.const))
    return { kind: 'decided', decision: 'decline' };
  if (action !== 'accept' || decision !== KEEP.const)
    return { kind: 'undecided', seen: performance.now() - asked >= SEEN_MS };
  const isEdited = typeof text === 'string' && text.trim() !== '';
  return { kind: 'decided', decision: 'accept', ...(isEdited ? { editedContent: text } : {}) };
}
