import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

// Help only: the launcher hands `bearings mcp` to the MCP face before any of the command line is loaded.
export const command: Command = {
  summary: 'serve an agent over MCP (stdio)',
  usage: ['bearings mcp [--workspace ID]'],
  details: ['Add it to a client as the command `bearings` with the argument `mcp`.'],
  options: { workspace: { type: 'string', value: 'ID', about: 'the workspace meant where a call names none' } },
  maxWords: 0,
  examples: [{ line: 'bearings mcp --workspace manta_001', about: 'one workspace for this client' }],
  run: async () => EXIT.done,
};
