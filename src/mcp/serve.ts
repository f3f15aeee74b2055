import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { openBearings } from '../bearings.ts';
import { openQuestions } from './open-questions.ts';
import { createMcpServer } from './server.ts';

// Serves until the client closes the pipe. Only the protocol goes to stdout.
export async function serveStdioFromArgs(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if (typeof options === 'string') {
    process.stderr.write(`bearings: ${options}\n          See: bearings mcp --help\n`);
    return 2;
  }
  const bearings = openBearings(options);
  const questions = openQuestions();
  const runsTasks = await bearings.offersRunTask();
  const hasStandingWorkspace = options.workspace !== undefined;
  serveStdio(() => createMcpServer({ bearings, questions, hasStandingWorkspace, runsTasks }));
  return 0;
}

function parseOptions(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ args, options: { workspace: text, home: text, workspaces: text, tastes: text } });
    return { ...values };
  } catch (error) {
    return `${((error as Error).message.split(/[.\n]/)[0] ?? '').trim()}.`;
  }
}
