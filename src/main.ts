#!/usr/bin/env node
// The binary. One face is loaded, and only when it is called: start-up time is a feature.
const args = process.argv.slice(2);
const serves = args[0] === 'mcp' && !args.includes('--help') && !args.includes('-h');

process.exitCode = serves
  ? await (await import('./mcp/serve.ts')).serveStdioFromArgs(args.slice(1))
  : await (await import('./cli/run.ts')).runCli(args);
