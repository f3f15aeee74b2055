import { type CallToolResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defineTool, type Tool, type ToolCall } from '../../src/mcp/tool.ts';
import { PIXEL, SILENCE } from './fixture-media.ts';

// The conformance suite calls tools by fixed names. They are made as ours are, so that what is tested is our way of a call.
type Content = CallToolResult['content'];
type Call = ToolCall<Record<string, unknown>>;

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
const text = (line: string): Content => [{ type: 'text', text: line }];

function tool(
  name: string,
  run: (call: Call) => Promise<Content | CallToolResult>,
  input: z.ZodObject = z.object({}),
): Tool {
  return defineTool({
    name,
    title: name,
    description: `Fixture of the conformance suite: ${name}.`,
    input,
    output: z.object({}),
    readOnly: true,
    async run(call) {
      const result = await run(call as Call);
      return Array.isArray(result) ? { content: result, structuredContent: {} } : result;
    },
  });
}

const embedded = (name: string, mimeType: string, line: string): Content => [
  { type: 'resource', resource: { uri: `test://${name}`, mimeType, text: line } },
];
const image: Content = [{ type: 'image', data: PIXEL, mimeType: 'image/png' }];

const contents = [
  tool('test_simple_text', async () => text('This is a simple text response for testing.')),
  tool('test_image_content', async () => image),
  tool('test_audio_content', async () => [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]),
  tool('test_embedded_resource', async () =>
    embedded('embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  tool('test_multiple_content_types', async () => [
    ...text('Multiple content types test:'),
    ...image,
    ...embedded('mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  tool('test_error_handling', async () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
];

const notices = [
  tool('test_tool_with_logging', async (call) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await call.context.mcpReq.log('info', line);
      await pause();
    }
    return text('logged');
  }),
  tool('test_logging_tool', async (call) => {
    await call.context.mcpReq.log('info', 'a line for who asked for it');
    return text('logged');
  }),
  tool('test_tool_with_progress', async ({ context }) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await pause();
    }
    return text('done');
  }),
];

// Questions of the 2025 way: the server asks while the call waits.
type Form = Parameters<Call['context']['mcpReq']['elicitInput']>[0] & { mode?: 'form' };
const asks = (
  name: string,
  form: (input: Record<string, unknown>) => Omit<Form, 'mode'>,
  input: z.ZodObject = z.object({}),
) =>
  tool(
    name,
    async ({ context, input: given }) => {
      const { action, content } = await context.mcpReq.elicitInput({ mode: 'form', ...form(given) } as Form, {
        relatedRequestId: context.mcpReq.id,
      });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    },
    input,
  );
const questions = [
  asks(
    'test_elicitation',
    ({ message }) => ({
      message: String(message),
      requestedSchema: {
        type: 'object',
        properties: { username: { type: 'string' }, email: { type: 'string' } },
        required: ['username', 'email'],
      },
    }),
    z.object({ message: z.string() }),
  ),
  asks('test_elicitation_sep1034_defaults', () => ({
    message: 'Values that are there before anybody types',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    },
  })),
  asks('test_elicitation_sep1330_enums', () => ({
    message: 'Every way to choose',
    requestedSchema: {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      },
    },
  })),
];

function titled(word: string) {
  return ['First', 'Second', 'Third'].map((name, at) => ({ const: `value${at + 1}`, title: `${name} ${word}` }));
}

// Questions of the 2026 way: the answer comes with a second call.
const asked = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: type === 'string' ? { type } : { type } },
      required: [field],
    },
  });
const sampled = (line: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: line } }], maxTokens });
const required = (spec: Parameters<typeof inputRequired>[0]) => inputRequired(spec) as unknown as CallToolResult;
const SHOWN = { proposal_id: 'fixture', content_sha256: '', target: 'fixture', diff: '' } as unknown as Parameters<
  Call['questions']['ask']
>[0];
const state = (call: Call, round = '1') =>
  call.questions.ask({ ...SHOWN, proposal_id: round }, { from: Date.now(), until: Date.now() + 60_000 });
const isAnswered = (call: Call, round = '1') =>
  call.questions.take(call.context.mcpReq.requestState(), { ...SHOWN, proposal_id: round }) !== null;
const reply = ({ context }: Call, key: string) => inputResponse(context.mcpReq.inputResponses, key);
const field = (call: Call, key: string, name: string): string | null => {
  const response = reply(call, key);
  const value = response.kind === 'elicit' && response.action === 'accept' ? response.content?.[name] : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : null;
};

const rounds = [
  tool('test_input_required_result_elicitation', async (call) => {
    const name = field(call, 'user_name', 'name');
    if (name !== null) return text(`Hello, ${name}!`);
    return required({ inputRequests: { user_name: asked('What is your name?', 'name') } });
  }),
  tool('test_input_required_result_list_roots', async (call) => {
    const roots = reply(call, 'client_roots');
    if (roots.kind === 'roots') return text(`Roots: ${roots.roots.map(({ uri }) => uri).join(', ')}`);
    return required({ inputRequests: { client_roots: inputRequired.listRoots() } });
  }),
  tool('test_input_required_result_request_state', async (call) => {
    if (field(call, 'confirm', 'ok') !== null && isAnswered(call)) return text('state-ok');
    return required({
      inputRequests: { confirm: asked('Please confirm', 'ok', 'boolean') },
      requestState: state(call),
    });
  }),
  tool('test_input_required_result_tampered_state', async (call) => {
    if (field(call, 'confirm', 'ok') !== null && isAnswered(call)) return text('state-ok');
    return required({
      inputRequests: { confirm: asked('Please confirm', 'ok', 'boolean') },
      requestState: state(call),
    });
  }),
  tool('test_input_required_result_multiple_inputs', async (call) => {
    const name = field(call, 'user_name', 'name');
    const roots = reply(call, 'client_roots');
    if (name !== null && roots.kind === 'roots' && isAnswered(call)) return text(`Hello, ${name}!`);
    return required({
      inputRequests: {
        user_name: asked('What is your name?', 'name'),
        greeting: sampled('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: state(call),
    });
  }),
  tool('test_input_required_result_multi_round', async (call) => {
    const color = field(call, 'step2', 'color');
    if (color !== null && isAnswered(call, '2')) return text(`Your color is ${color}.`);
    if (field(call, 'step1', 'name') !== null && isAnswered(call, '1'))
      return required({
        inputRequests: { step2: asked('Step 2: What is your favorite color?', 'color') },
        requestState: state(call, '2'),
      });
    return required({
      inputRequests: { step1: asked('Step 1: What is your name?', 'name') },
      requestState: state(call, '1'),
    });
  }),
  tool('test_input_required_result_capabilities', async (call) => {
    const can = capabilities(call);
    const inputRequests = {
      ...(can.elicitation ? { user_name: asked('What is your name?', 'name') } : {}),
      ...(can.sampling ? { greeting: sampled('Generate a greeting', 50) } : {}),
      ...(can.roots ? { client_roots: inputRequired.listRoots() } : {}),
    };
    return Object.keys(inputRequests).length > 0 ? required({ inputRequests }) : text('nobody to ask');
  }),
  tool('test_missing_capability', async () => required({ inputRequests: { any: sampled('Anything', 10) } })),
  tool('test_streaming_elicitation', async (call) => {
    const name = field(call, 'user_name', 'name');
    if (name !== null) return text(`Hello, ${name}!`);
    return required({ inputRequests: { user_name: asked('What is your name?', 'name') } });
  }),
];

function capabilities({ context }: Call): Record<string, unknown> {
  const envelope = context.mcpReq.envelope as Record<string, Record<string, unknown>> | undefined;
  return envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
}

const schemas = [
  tool('test_custom_headers', async ({ input }) => text(`region: ${input.region}`), regionInput()),
  tool('json_schema_2020_12_tool', async () => text('valid'), contactInput()),
];

function regionInput(): z.ZodObject {
  return z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });
}

// Words of JSON Schema that our own tools do not use: they must reach the client as they are.
function contactInput(): z.ZodObject {
  const address = { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } };
  const optional = z.string().optional();
  return z
    .strictObject({
      name: optional,
      contactMethod: z.enum(['phone', 'email']).optional(),
      phone: optional,
      email: optional,
    })
    .meta({
      $defs: { address },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
    });
}

export const FIXTURE_TOOLS: readonly Tool[] = [...contents, ...notices, ...questions, ...rounds, ...schemas];
