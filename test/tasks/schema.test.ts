import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseTask } from '../../src/tasks/template/parse-task.ts';
import { writeJsonSchema } from '../reference/task-json-schema.ts';
import { writeXsd } from '../reference/task-xsd.ts';
import { BROKEN, WHOLE_JSON } from '../samples/task-templates.ts';

const root = resolve(import.meta.dirname, '../..');
const examples = readdirSync(join(root, 'examples/tasks')).filter((name) => name.endsWith('.xml'));

const validator = XsdValidator.fromDoc(XmlDocument.fromString(writeXsd()));

function accepts(xml: string): boolean {
  try {
    validator.validate(XmlDocument.fromString(xml));
    return true;
  } catch {
    return false;
  }
}

describe('T1 one schema', () => {
  it('T1 the shipped schemas are those of the shape (npm run schema writes them)', async () => {
    await expect(writeXsd()).toMatchFileSnapshot(join(root, 'schema/task.xsd'));
    await expect(writeJsonSchema()).toMatchFileSnapshot(join(root, 'schema/task.schema.json'));
  });

  const json = z.fromJSONSchema(JSON.parse(writeJsonSchema()));

  it.each(WHOLE_JSON)('T1 the JSON schema accepts what the parser accepts: %s', (_, value) => {
    expect(parseTask(JSON.stringify(value)).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(json.safeParse(value).success).toBe(true);
  });

  it.each([
    ['no type', { description: 'x' }],
    ['no description', { type: 'atomic' }],
    ['an unknown type', { type: 'loop', description: 'x' }],
    ['no steps', { type: 'sequential', description: 'x' }],
    ['no reduction', { type: 'reduce', description: 'x', inner_task: { description: 'y' } }],
    ['no inherit_context', { type: 'atomic', description: 'x', context_management: { fresh_context: 'enabled' } }],
    ['a wrong value', { type: 'atomic', description: 'x', context_management: { inherit_context: 'FULL' } }],
    ['true without format', sequential({ inherit_context: 'full', accumulate_data: true })],
    ['no accumulate_data', sequential({ inherit_context: 'full' })],
    ['steps in an atomic task', { type: 'atomic', description: 'x', steps: [{ type: 'atomic', description: 'y' }] }],
  ])('T1 the JSON schema refuses what the parser refuses: %s', (_, value) => {
    expect(parseTask(JSON.stringify(value)).task).toBeNull();
    expect(json.safeParse(value).success).toBe(false);
  });

  it('T1 the XSD accepts the examples, and refuses broken templates that a schema can see', () => {
    for (const name of examples) expect([name, accepts(readExample(name))]).toEqual([name, true]);
    for (const { title, xml, seenBySchema } of BROKEN) {
      if (seenBySchema) expect([title, accepts(xml)]).toEqual([title, false]);
    }
  });
});

function sequential(context_management: object): object {
  return { type: 'sequential', description: 'x', steps: [{ type: 'atomic', description: 'y' }], context_management };
}

function readExample(name: string): string {
  return readFileSync(join(root, 'examples/tasks', name), 'utf8');
}
