import {
  type AttributeShape,
  ELEMENTS,
  type ElementShape,
  OPERATORS,
  type Operator,
  ROLES,
  SETTING_VALUES,
} from '../../src/tasks/template/shape.ts';

type Schema = Record<string, unknown>;

/** Children that an operator can't do without. */
const NEEDED: Readonly<Record<Operator, readonly string[]>> = {
  atomic: [],
  sequential: ['steps'],
  reduce: ['inner_task', 'reduction_task'],
  call: [],
  script: ['command'],
  director_evaluator_loop: ['director', 'evaluator'],
  approve: [],
};

const FILLED: Schema = { type: 'string', pattern: '\\S' };

// schema/task.schema.json: the JSON form of a template, from the same shape as the XSD.
export function writeJsonSchema(): string {
  const schema: Schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Bearings task',
    description: 'Made from src/tasks/template/shape.ts: npm run schema',
    ...task('task'),
    $defs: {
      task: task('task'),
      ...Object.fromEntries(ROLES.map((role) => [role, task(role)])),
      context_management: contextManagement(),
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function task(name: string): Schema {
  const shape = ELEMENTS[name] as ElementShape;
  const base = {
    type: 'object',
    properties: {
      ...(name === 'task' ? { $schema: { type: 'string' } } : {}),
      ...Object.fromEntries(Object.entries(shape.attributes).map(([key, value]) => [key, attribute(value)])),
      ...Object.fromEntries(shape.children.map((child) => [child, property(child)])),
    },
    required: name === 'task' ? ['type'] : name === 'script' ? ['description', 'command'] : ['description'],
    additionalProperties: false,
  };
  return { ...base, anyOf: OPERATORS.map((operator) => perOperator(operator, name)) };
}

// Only one of these fits: each names its operator. A part of a reduce without a type is atomic.
function perOperator(operator: Operator, name: string): Schema {
  const isDefault = name !== 'task' && operator === (name === 'script' ? 'script' : 'atomic');
  const own = operator === 'call' ? ['template'] : name === 'task' ? ['description'] : [];
  const required = [...(isDefault ? [] : ['type']), ...own, ...NEEDED[operator]];
  const foreign = (ELEMENTS.task?.children ?? []).filter((child) => {
    const only = ELEMENTS[child]?.only;
    return only && !only.includes(operator) && !only.includes('atomic');
  });
  return {
    type: 'object',
    properties: {
      type: { const: operator },
      ...Object.fromEntries(own.map((key) => [key, { type: 'string' }])),
      ...Object.fromEntries(
        NEEDED[operator].map((child) => [
          child,
          { type: child === 'steps' || child === 'command' ? 'array' : 'object' },
        ]),
      ),
      ...Object.fromEntries(foreign.map((child) => [child, false])),
      ...(operator === 'sequential' || operator === 'director_evaluator_loop'
        ? { context_management: needs('accumulate_data', [true, false, 'true', 'false']) }
        : {}),
    },
    required,
  };
}

function needs(name: string, values: unknown[]): Schema {
  return { type: 'object', properties: { [name]: { enum: values } }, required: [name] };
}

function attribute({ about, choices, range }: AttributeShape): Schema {
  if (choices) return { description: about, enum: [...choices] };
  if (range) return { description: about, type: 'integer', minimum: range[0], maximum: range[1] };
  return { description: about, ...FILLED };
}

function property(name: string): Schema {
  const shape = ELEMENTS[name] as ElementShape;
  const description = shape.about;
  switch (name) {
    case 'task':
    case 'inner_task':
    case 'reduction_task':
    case 'director':
    case 'script':
    case 'evaluator':
    case 'context_management':
      return { $ref: `#/$defs/${name}` };
    case 'steps':
      return { description, type: 'array', items: { $ref: '#/$defs/task' } };
    case 'inputs':
      return { description, type: 'array', minItems: 1, items: input() };
    case 'command':
    case 'file_paths':
      return { description, type: 'array', minItems: 1, items: { type: 'string' } };
    case 'output_format':
      return { description, ...outputFormat(shape) };
    default:
      return { description, ...(shape.text ? FILLED : attributesOnly(shape)) };
  }
}

function attributesOnly({ attributes }: ElementShape): Schema {
  const properties = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, attribute(value)]));
  const required = Object.keys(attributes).filter((key) => attributes[key]?.required);
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

function input(): Schema {
  const name = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$' };
  const fallback = { type: ['string', 'number', 'boolean'] };
  return {
    type: 'object',
    properties: { name, default: fallback, from: FILLED },
    required: ['name'],
    additionalProperties: false,
  };
}

function outputFormat({ attributes }: ElementShape): Schema {
  const schema = { description: attributes.schema?.about, type: ['string', 'object'] };
  return {
    type: 'object',
    properties: { type: { enum: attributes.type?.choices }, schema },
    required: ['type'],
    additionalProperties: false,
  };
}

function contextManagement(): Schema {
  const shape = ELEMENTS.context_management as ElementShape;
  const properties = shape.children.map((name): [string, Schema] => {
    const { about, text } = ELEMENTS[name] as ElementShape;
    const values: unknown[] = [...(text as readonly string[])];
    return [name, { description: about, enum: name === 'accumulate_data' ? [true, false, ...values] : values }];
  });
  return {
    description: shape.about,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: ['inherit_context'],
    additionalProperties: false,
    anyOf: [
      { type: 'object', properties: { accumulate_data: { enum: [false, 'false'] } } },
      needs('accumulation_format', [...SETTING_VALUES.accumulation_format]),
    ],
  };
}
