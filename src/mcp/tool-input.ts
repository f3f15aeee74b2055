import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { closest } from '../closest.ts';
import { type BearingsError, invalidInput } from '../errors.ts';
import type { Tool } from './tool.ts';

const WORKSPACE = z.string().optional();

// Photographers say image, everybody else workspace: both names are taken wherever one is.
export function inputOf({ input }: Tool): z.ZodObject {
  return 'image_id' in input.shape ? input.extend({ workspace: WORKSPACE }) : input;
}

// Told to clients as closed, and read as open: an argument that nobody knows is refused in our own words, by its name.
export function namedInput(input: z.ZodObject): StandardSchemaWithJSON {
  // A schema that says more than its fields is told as it is.
  const isPlain = input.meta() === undefined;
  const told = isPlain ? z.strictObject(input.shape) : input;
  const { jsonSchema } = told['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  const { validate } = input.loose()['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor: 'bearings',
      validate,
      jsonSchema: isPlain ? withoutDialect(jsonSchema) : jsonSchema,
    },
  };
}

type JsonForms = StandardSchemaWithJSON['~standard']['jsonSchema'];

// Every client takes the dialect of the protocol for granted; naming it twice a tool costs an agent hundreds of tokens.
export function withoutDialect(forms: JsonForms): JsonForms {
  const plain = ({ $schema: _, ...schema }: Record<string, unknown>) => schema;
  return {
    input: (options) => plain(forms.input(options)),
    output: (options) => opened(plain(forms.output(options))) as Record<string, unknown>,
  };
}

// That an answer holds nothing else is ours to keep; said of each object in it, it costs an agent more than it tells.
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([key, value]) => [key, opened(value)]));
}

export interface NamedInput {
  /** Without the second name. */
  input: Record<string, unknown>;
  id: string | undefined;
}

export function readInput(given: Record<string, unknown>, known: readonly string[]): NamedInput | BearingsError {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const shown = JSON.stringify([...unknown].slice(0, 60).join(''));
    const near = closest(unknown, known);
    const hint = near ? `Did you mean ${near}?` : `Known: ${known.join(', ') || 'none'}.`;
    return invalidInput(`There is no argument ${shown}.`, hint, { argument: unknown.slice(0, 60) });
  }
  const { workspace, ...input } = given as { workspace?: string; image_id?: string };
  const id = input.image_id ?? workspace;
  if (workspace !== undefined && workspace !== id)
    return invalidInput('image_id and workspace name two workspaces.', 'Give one of them.');
  return { input: 'workspace' in given ? { ...input, image_id: id } : input, id };
}
