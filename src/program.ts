// The binary. The command line is at hand; every other face, and every command, is loaded when it is called:
// start-up time is a feature.
import { join } from 'node:path';
import { runCli } from './cli/run.ts';
import type { Seen } from './io/seen-paths.ts';
import { isDevice, writeStandard } from './io/standard-output.ts';

const args = process.argv.slice(2);
const isHelp = args.includes('--help') || args.includes('-h');

face().then((code) => {
  process.exitCode = code;
  // Where nothing is under way any more, leaving at once spares taking apart what ends anyway.
  setImmediate(() => {
    if (process.getActiveResourcesInfo().length === 0) process.exit();
  });
});

async function face(): Promise<number> {
  if (args[0] === 'mcp' && !isHelp) return (await import('./mcp/serve.ts')).serveFromArgs(args.slice(1));
  if (args[0] === 'ui' && !isHelp)
    return (await import('./web/serve.ts')).servePageFromArgs(args.slice(1), writeStandard);
  return runCli(args, { variables: process.env, write: writeStandard, isDevice, waitingLine, keepOutput });
}

async function waitingLine(words: string): Promise<() => void> {
  return (await import('./io/waiting-line.ts')).startWaitingLine(words);
}

async function keepOutput(seen: Seen, text: string): Promise<void> {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const kept = await import('./io/kept-output.ts');
  const place = kept.outputPlace(join(__dirname, 'main.cjs'), args, process.env);
  if (place) kept.keepOutput(place, seen, text);
}
