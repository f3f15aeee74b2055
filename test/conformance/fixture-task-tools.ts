import { setTimeout as after } from 'node:timers/promises';
import { type CallToolResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defineTool, type Tool, type ToolCall } from '../../src/mcp/tool.ts';

type Call = ToolCall<Record<string, unknown>>;

function taskTool(name: string, run: (call: Call) => Promise<CallToolResult>, input: z.ZodObject = z.object({})): Tool {
  const description = `Fixture of the conformance suite: ${name}.`;
  const output = z.object({});
  return defineTool({
    name,
    title: name,
    description,
    input,
    output,
    readOnly: true,
    mayBeTask: true,
    run: (call) => run(call as Call),
  });
}

const says = (text: string, isError = false): CallToolResult => ({ content: [{ type: 'text', text }], isError });

// Tools whose work goes on after the answer, by the way that run_task goes.
export const FIXTURE_TASK_TOOLS: readonly Tool[] = [
  taskTool('greet', async ({ input }) => says(`Hello, ${input.name}!`), z.object({ name: z.string() })),
  taskTool(
    'slow_compute',
    async ({ input, continueAsTask }) => {
      const signal = continueAsTask();
      await after(Number(input.seconds) * 1_000, null, { signal });
      return says(`computed ${input.label}`);
    },
    z.object({ seconds: z.number(), label: z.string().optional() }),
  ),
  taskTool('failing_job', async ({ continueAsTask }) => {
    await after(200, null, { signal: continueAsTask() });
    return says('The job failed.', true);
  }),
  taskTool('protocol_error_job', async ({ continueAsTask }) => {
    await after(100, null, { signal: continueAsTask() });
    throw new Error('of the fixture');
  }),
  taskTool('confirm_delete', async () => says('Nothing is deleted.'), z.object({ filename: z.string() })),
  taskTool('test_tool_with_task', async ({ context, continueAsTask }) => {
    const response = inputResponse(context.mcpReq.inputResponses, 'user_name');
    if (response.kind !== 'elicit') {
      const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
      const user_name = inputRequired.elicit({ message: 'What is your name?', requestedSchema });
      return inputRequired({ inputRequests: { user_name } }) as unknown as CallToolResult;
    }
    await after(100, null, { signal: continueAsTask() });
    return says(`Hello, ${response.content?.name}!`);
  }),
];
