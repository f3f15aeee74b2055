import { Client } from '@modelcontextprotocol/client';
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { defineTask, runTask } from '../../src/index.ts';
import { openQuestions } from '../../src/mcp/open-questions.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { traced, traceMeta } from '../../src/settings/io/tracing.ts';
import { ownLine } from '../support/mcp/own-line.ts';
import { put, tempFolder } from '../support/temp-folder.ts';

const root = tempFolder();
put(root, {
  '.bearings/workspaces/manta/brief.md': 'A calm server that nobody may know of.\n',
  'project/README.md': 'A router for the secret plan.\n',
  'project/src/router.ts': 'export const router = "the router of the plan";\n',
});
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const open = (variables: Record<string, string> = {}) =>
  openRooms({ cwd: `${root}/project`, variables: { HOME: root, PATH: process.env.PATH ?? '', ...variables } });

async function connected(variables: Record<string, string> = {}): Promise<Client> {
  const [theirs, ours] = ownLine();
  const server = createMcpServer({
    bearings: open(variables),
    hasStandingWorkspace: false,
    questions: openQuestions(),
  });
  await server.connect(ours as never);
  const client = new Client({ name: 'studio', version: '1' });
  await client.connect(theirs as never);
  return client;
}

const spans = (): ReadableSpan[] => exporter.getFinishedSpans();
const named = (name: string): ReadableSpan => {
  const found = spans().find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name}: ${spans().map((span) => span.name)}`);
  return found;
};
const parentOf = ({ parentSpanContext }: ReadableSpan) => parentSpanContext?.spanId;

describe('before anybody listens', () => {
  it('M49 nothing is traced, and nothing is added to a request', async () => {
    expect(await traced({ name: 'x' }, async (span) => span)).toBeUndefined();
    expect(await traceMeta()).toEqual({});
  });
});

describe('with OpenTelemetry set up', () => {
  beforeEach(() => {
    provider.register();
    exporter.reset();
  });
  afterAll(async () => {
    await provider.shutdown();
    for (const part of [trace, context, propagation]) part.disable();
  });

  it('M49 a client’s trace goes on from its call to the files of the bundle, in the words of the conventions', async () => {
    const client = await connected();
    const traceparent = `00-${'4b'.repeat(16)}-${'7a'.repeat(8)}-01`;
    await client.callTool({ name: 'load_context', arguments: { task: 'fix the router' }, _meta: { traceparent } });
    const call = named('tools/call load_context');
    expect(call.spanContext().traceId).toBe('4b'.repeat(16));
    expect(parentOf(call)).toBe('7a'.repeat(8));
    expect(call.kind).toBe(SpanKind.SERVER);
    expect(call.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'load_context',
      'jsonrpc.request.id': expect.any(String),
      'network.transport': 'pipe',
    });
    const load = named('retrieval repo');
    expect(parentOf(load)).toBe(call.spanContext().spanId);
    expect(load.spanContext().traceId).toBe('4b'.repeat(16));
    expect(load.attributes).toMatchObject({
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.data_source.id': 'repo',
      'bearings.bundle.sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(load.events.map(({ name, attributes }) => [name, attributes?.path])).toEqual([
      ['bearings.file', 'README.md'],
      ['bearings.file', 'src/router.ts'],
    ]);
    await client.callTool({ name: 'read_context', arguments: { image_id: 'manta' } });
    const read = named('search_memory');
    expect(parentOf(read)).toBe(named('tools/call read_context').spanContext().spanId);
    expect(read.attributes).toMatchObject({
      'gen_ai.operation.name': 'search_memory',
      'gen_ai.memory.store.id': 'manta',
    });
  });

  it('M49 nothing but names, sizes and hashes leaves, until the person says so', async () => {
    const everything = () =>
      JSON.stringify(spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
    const client = await connected();
    await client.callTool({ name: 'load_context', arguments: { task: 'the secret plan' } });
    await client.callTool({ name: 'read_context', arguments: { image_id: 'manta' } });
    await client.callTool({
      name: 'propose_notes_update',
      arguments: { image_id: 'manta', content: 'Remember the plan.' },
    });
    const proposal = named('create_memory');
    expect(proposal.attributes).toMatchObject({
      ...{ 'gen_ai.operation.name': 'create_memory', 'gen_ai.memory.store.id': 'manta' },
      'bearings.proposal.chars': 'Remember the plan.'.length,
    });
    expect(everything()).not.toMatch(/\bplan\b|nobody may know/);
    exporter.reset();
    const opened = await connected({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    await opened.callTool({ name: 'load_context', arguments: { task: 'the secret plan' } });
    expect(named('retrieval repo').attributes['gen_ai.retrieval.query.text']).toBe('the secret plan');
  });

  it('M49 what fails says its class, and no more', async () => {
    const client = await connected();
    await client.callTool({ name: 'read_context', arguments: { image_id: 'nowhere' } });
    const call = named('tools/call read_context');
    expect(call.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(call.attributes['error.type']).toBe('tool_error');
    expect(named('search_memory').attributes['error.type']).toBe('not_found');
  });

  it('M49 a call of a model is a span with its tokens; what goes out carries the trace', async () => {
    const model = { name: 'small', call: async () => ({ content: 'yes', usage: { input: 7, output: 1 } }) };
    const context_management = { inherit_context: 'none', fresh_context: 'disabled' } as const;
    await runTask(defineTask({ type: 'atomic', description: 'say yes', context_management }), { model });
    const call = named('chat small');
    expect(call.kind).toBe(SpanKind.CLIENT);
    expect(call.attributes).toMatchObject({
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'small', 'gen_ai.provider.name': 'small' },
      ...{ 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 1 },
    });
    const meta = await traced({ name: 'outer' }, traceMeta);
    expect(propagation.extract(ROOT_CONTEXT, meta)).not.toBe(ROOT_CONTEXT);
    expect(meta.traceparent).toContain(named('outer').spanContext().traceId);
  });
});
