#!/usr/bin/env node
// The binary. The command line is at hand; every other face, and every command, is loaded when it is called:
// start-up time is a feature.
import { runCli } from './cli/run.ts';
import { isDevice, writeStandard } from './io/standard-output.ts';

const args = process.argv.slice(2);
const serves = args[0] === 'mcp' && !args.includes('--help') && !args.includes('-h');

const running = serves
  ? import('./mcp/serve.ts').then(({ serveStdioFromArgs }) => serveStdioFromArgs(args.slice(1)))
  : runCli(args, { variables: process.env, write: writeStandard, isDevice });
running.then((code) => {
  process.exitCode = code;
});
