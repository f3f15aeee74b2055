// The binary. The command line is at hand; every other face, and every command, is loaded when it is called:
// start-up time is a feature.
import { runCli } from './cli/run.ts';
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
  return runCli(args, { variables: process.env, write: writeStandard, isDevice, waitingLine });
}

async function waitingLine(words: string): Promise<() => void> {
  return (await import('./io/waiting-line.ts')).startWaitingLine(words);
}
