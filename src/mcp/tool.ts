import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Rooms } from '../bearings.ts';
import { BearingsError } from '../errors.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import type { Target } from '../settings/meant-workspace.ts';
import type { OpenQuestions } from './open-questions.ts';

export interface ToolCall<Input> {
  input: Input;
  bearings: Rooms;
  /** The workspace the call means, with the client's root where it tells one. */
  target: Target;
  /** The session of this connection in that workspace; without one, in the home. */
  session(): Promise<Session>;
  /** A session of this connection by its id, where it is open. */
  sessionWith(id: string): Session | undefined;
  /** Ends it, without a workspace every one of this connection; what was discarded. The next call begins another. */
  endSession(): Promise<string[]>;
  /** Puts a bundle where the client can read it again; its address. */
  keepBundle(bundle: { task_key: string; bundle_sha256: string }): string;
  /** From here on it may take long: a client that takes tasks is answered now. What ends the work from here on. */
  continueAsTask(): AbortSignal;
  /** Says how far it is, to a client that wants to know. */
  tellProgress(message: string): void;
  client: string;
  clientElicits: boolean;
  /** The client can open an address for the person. */
  clientOpens: boolean;
  questions: OpenQuestions;
  context: ServerContext;
}

/** One tool, one file: its words towards the agent, its shapes, and what it does. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  readOnly: boolean;
  /** Its answer is context: the transcript keeps the hash of what was served. */
  servesContext?: true;
  /** A workspace chooses the memory; the project is the client's own. */
  readsProject?: true;
  /** It calls `continueAsTask`. */
  mayBeTask?: true;
  /** The app that shows its answer, in clients that show apps. */
  app?: string;
  run(call: ToolCall<z.infer<Input>>): Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool {
  return tool as unknown as Tool;
}

const MAX_WARNINGS = 20;
/** What is not ours stays inside: raw system text names paths. */
export const INTERNAL = 'Something went wrong inside bearings.';

// The answer as text and as structure; warnings are beside it, in a block of their own.
export function answer(value: object, warnings: readonly string[] = []): CallToolResult {
  const shown = warnings.slice(0, MAX_WARNINGS);
  if (warnings.length > shown.length) shown.push(`and ${warnings.length - shown.length} more`);
  return {
    content: [
      { type: 'text', text: JSON.stringify(value) },
      ...(shown.length > 0
        ? [{ type: 'text' as const, text: `Warnings:\n${shown.map((line) => `- ${line}`).join('\n')}` }]
        : []),
    ],
    structuredContent: value as Record<string, unknown>,
  };
}

// A safe sentence with its code.
export function failure(error: unknown): CallToolResult {
  const known =
    error instanceof BearingsError
      ? { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}), ...error.data }
      : { code: 'internal_error', message: INTERNAL };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: known }) }] };
}
