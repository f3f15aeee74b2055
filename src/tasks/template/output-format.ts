import { isRecord, parseRecord } from '../../json.ts';
import { shownName } from '../../safety/hidden-characters.ts';

export interface OutputFormat {
  readonly type: 'text' | 'json';
  readonly schema: OutputSchema | null;
}

/** The part of JSON schema that an answer is checked against. */
export interface OutputSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, OutputSchema>>;
  readonly required?: readonly string[];
  readonly items?: OutputSchema;
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: boolean;
}

export const PLAIN_TEXT: OutputFormat = { type: 'text', schema: null };

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

// `object`, `string[]`, or a JSON schema as text.
export function readSchema(text: string): { schema: OutputSchema } | { fault: string } {
  const short = /^([a-z]+)(\[\])?$/.exec(text.trim());
  if (short?.[1]) {
    if (!TYPES.includes(short[1])) return { fault: `"${short[1]}" is not a type` };
    const schema = { type: short[1] };
    return { schema: short[2] ? { type: 'array', items: schema } : schema };
  }
  const schema = parseRecord(text);
  if (!schema) return { fault: 'it is neither a type nor an object in JSON' };
  const [fault] = schemaFaults(schema);
  return fault ? { fault } : { schema };
}

// What else a schema holds is for its readers.
function* schemaFaults(value: unknown): Generator<string> {
  if (!isRecord(value)) return yield 'a schema is an object';
  for (const [key, part] of Object.entries(value)) {
    if (key === 'type' && !TYPES.some((type) => type === part))
      yield `${shownName(JSON.stringify(part))} is not a type`;
    else if ((key === 'required' || key === 'enum') && !Array.isArray(part)) yield `${key} must be a list`;
    else if (key === 'additionalProperties' && typeof part !== 'boolean') yield 'additionalProperties is true or false';
    else if (key === 'properties' && !isRecord(part)) yield 'properties is an object';
    else if (key === 'properties') for (const inner of Object.values(part as object)) yield* schemaFaults(inner);
    else if (key === 'items') yield* schemaFaults(part);
  }
}

/** Null when the value fits, else what is wrong and where. */
export function whyNotFitting(value: unknown, schema: OutputSchema): string | null {
  const [first = null] = faultsIn(value, schema, 'the answer');
  return first;
}

function* faultsIn(value: unknown, schema: OutputSchema, at: string): Generator<string> {
  const { type, items, properties = {}, required = [], additionalProperties } = schema;
  if (type !== undefined && !isOfType(value, type)) yield `${at} is not of type ${type}`;
  if (schema.enum && !schema.enum.some((choice) => JSON.stringify(choice) === JSON.stringify(value)))
    yield `${at} is none of the values that the schema lists`;
  if (items && Array.isArray(value))
    for (const [index, item] of value.entries()) yield* faultsIn(item, items, `${at}[${index}]`);
  if (!isRecord(value)) return;
  for (const name of required) if (!Object.hasOwn(value, name)) yield `${at} has no "${name}"`;
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (inner) yield* faultsIn(part, inner, `${at}.${name}`);
    else if (additionalProperties === false) yield `${at} has "${name.slice(0, 60)}", which is not expected`;
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isRecord(value);
  return typeof value === type;
}
