#!/usr/bin/env node
import { isDevice, writeStandard } from './cli/io/standard-output.ts';
// The binary. It loads one face; the command line loads each command when it is called.
import { runCli, type Surroundings } from './cli/run.ts';

const args = process.argv.slice(2);
// These are over before faster code would pay: to make that took a seventh of all they do. A prompt may search a large index.
const isShort = args[0] === 'hook' && args[1] !== 'prompt';
const isHelp = args.includes('--help') || args.includes('-h');

face().then((code) => {
  process.exitCode = code;
});

async function face(): Promise<number> {
  // Not imported: that starts the loader of modules, which nothing else of these asks for.
  if (isShort) process.getBuiltinModule('node:v8').setFlagsFromString('--no-opt');
  if (args[0] === 'mcp' && !isHelp) return (await import('./mcp/serve.ts')).serveFromArgs(args.slice(1));
  return runCli(args, { variables: process.env, write: writeStandard, isDevice, servePage });
}

async function servePage(...given: Parameters<Surroundings['servePage']>): Promise<boolean> {
  return (await import('./web/serve.ts')).servePage(...given);
}
