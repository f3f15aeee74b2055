import type { CallToolResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Rooms } from '../bearings.ts';
import { closest } from '../closest.ts';
import { BearingsError, invalidInput } from '../errors.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import { isRecord } from '../json.ts';
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

// Above every limit that a tool has of its own.
const MAX_ARGUMENT_CHARS = 250_000;
const WORKSPACE = z.string().optional();

// Photographers say image, everybody else workspace: both names are taken wherever one is.
export function inputOf({ input }: Tool): z.ZodObject {
  return 'image_id' in input.shape ? input.extend({ workspace: WORKSPACE }) : input;
}

// What a client is told of a tool. What comes is taken as it is: of arguments, what is wrong is refused in our own words, by its
// name (`readInput`); our own answers have their shape by type and by test. Every client takes the dialect of the protocol for
// granted, and that an answer holds nothing else is ours to keep: said of each object, both cost an agent hundreds of tokens.
export function toldSchema(schema: z.ZodObject): StandardSchemaWithJSON {
  const { jsonSchema } = schema['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  const isPlain = schema.meta() === undefined;
  const told: typeof jsonSchema.input = (options) => {
    const { $schema: dialect, ...form } = jsonSchema.input(options);
    return isPlain ? form : { $schema: dialect, ...form };
  };
  const validate = (value: unknown) => ({ value });
  return { '~standard': { version: 1, vendor: 'bearings', validate, jsonSchema: { input: told, output: told } } };
}

/** The input without its second name for a workspace, and the id that it names. */
export function readInput(
  given: unknown,
  schema: z.ZodObject,
): { input: Record<string, unknown>; id: string | undefined } | BearingsError {
  if (!isRecord(given)) return invalidInput('The arguments must be an object.', 'Give each by its name.');
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const shown = JSON.stringify([...unknown].slice(0, 60).join(''));
    const near = closest(unknown, known);
    const hint = near ? `Did you mean ${near}?` : `Known: ${known.join(', ') || 'none'}.`;
    return invalidInput(`There is no argument ${shown}.`, hint, { argument: unknown.slice(0, 60) });
  }
  // Refused before anything looks through it, which would keep every other call waiting; a task is cut, never refused (L28).
  const cut = typeof given.task === 'string' ? { ...given, task: given.task.slice(0, MAX_ARGUMENT_CHARS) } : given;
  const argument = Object.keys(cut).find(
    (name) => name !== 'task' && JSON.stringify(given[name] ?? null).length > MAX_ARGUMENT_CHARS,
  );
  if (argument !== undefined)
    return invalidInput(`${argument} is longer than ${MAX_ARGUMENT_CHARS} characters.`, 'Say less.', { argument });
  const parsed = schema.safeParse(cut, { reportInput: true });
  const [issue] = parsed.error?.issues ?? [];
  if (issue) return wrongArgument(issue);
  const { workspace, ...input } = parsed.data as { workspace?: string; image_id?: string };
  const id = input.image_id ?? workspace;
  if (workspace !== undefined && workspace !== id)
    return invalidInput('image_id and workspace name two workspaces.', 'Give one of them.');
  return { input: 'workspace' in given ? { ...input, image_id: id } : input, id };
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
  object: 'an object',
};

function wrongArgument(issue: z.core.$ZodIssue): BearingsError {
  const name = z.core.toDotPath(issue.path).slice(0, 60);
  const refuse = (message: string, hint: string) =>
    invalidInput(`${name} ${message}.`, hint, { argument: String(issue.path[0]) });
  if (issue.code === 'invalid_value') {
    const near = closest(String(issue.input), issue.values.map(String));
    const hint = near ? `Did you mean ${near}?` : 'Choose one of them.';
    return refuse(`must be one of ${issue.values.join(', ')}`, hint);
  }
  if (issue.code === 'too_small') return refuse(`must be at least ${issue.minimum}`, `For example: ${issue.minimum}`);
  if (issue.code === 'too_big') return refuse(`must be at most ${issue.maximum}`, `For example: ${issue.maximum}`);
  const kind = (issue.code === 'invalid_type' && KINDS[issue.expected]) || 'something else';
  if (issue.input === undefined) return refuse('is missing', `It must be ${kind}.`);
  return refuse(`must be ${kind}`, 'Look at the arguments of the tool.');
}
