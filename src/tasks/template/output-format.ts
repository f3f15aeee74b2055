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
  const fault = whyNoSchema(schema);
  return fault ? { fault } : { schema };
}

// What else a schema holds is for its readers.
function whyNoSchema(value: unknown): string | null {
  if (!isRecord(value)) return 'a schema is an object';
  for (const [key, part] of Object.entries(value)) {
    if (key === 'type' && !TYPES.some((type) => type === part))
      return `${shownName(JSON.stringify(part))} is not a type`;
    else if ((key === 'required' || key === 'enum') && !Array.isArray(part)) return `${key} must be a list`;
    else if (key === 'additionalProperties' && typeof part !== 'boolean')
      return 'additionalProperties is true or false';
    else if (key === 'properties' && !isRecord(part)) return 'properties is an object';
    const inner = key === 'items' ? [part] : key === 'properties' ? Object.values(part as object) : [];
    for (const schema of inner) {
      const fault = whyNoSchema(schema);
      if (fault) return fault;
    }
  }
  return null;
}

/** Null when the value fits, else what is wrong and where. */
export function whyNotFitting(value: unknown, schema: OutputSchema, at = 'the answer'): string | null {
  if (schema.type !== undefined && !isOfType(value, schema.type)) return `${at} is not of type ${schema.type}`;
  if (schema.enum && !schema.enum.some((choice) => JSON.stringify(choice) === JSON.stringify(value)))
    return `${at} is none of the values that the schema lists`;
  if (Array.isArray(value) && schema.items) {
    for (const [index, item] of value.entries()) {
      const wrong = whyNotFitting(item, schema.items, `${at}[${index}]`);
      if (wrong) return wrong;
    }
  }
  return isRecord(value) ? whyNotFittingObject(value, schema, at) : null;
}

function whyNotFittingObject(value: Record<string, unknown>, schema: OutputSchema, at: string): string | null {
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at} has no "${missing}"`;
  const properties = schema.properties ?? {};
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!inner && schema.additionalProperties === false)
      return `${at} has "${name.slice(0, 60)}", which is not expected`;
    const wrong = inner ? whyNotFitting(part, inner, `${at}.${name}`) : null;
    if (wrong) return wrong;
  }
  return null;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isRecord(value);
  return typeof value === type;
}
