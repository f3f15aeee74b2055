import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';

// Help only: the launcher hands `bearings mcp` to the MCP face before any of the command line is loaded.
export const command: Command = {
  summary: 'serve an agent over MCP (stdio, or HTTP on this machine)',
  usage: ['bearings mcp [--workspace ID]', 'bearings mcp --http [--port N] [--workspace ID]'],
  details: [
    'Without --http: add it to a client as the command `bearings` with the argument `mcp`.',
    'With --http: it serves several clients at once, on this machine only, until Ctrl-C. A client',
    'sends the token from the file mcp-token of the home: Authorization: Bearer TOKEN',
  ],
  options: {
    workspace: { type: 'string', value: 'ID', about: 'serve this workspace alone: no other is known to the client' },
    http: { type: 'boolean', about: 'serve over HTTP at http://127.0.0.1:7391/mcp' },
    port: { type: 'string', value: 'N', about: 'another port; 0 takes any that is free' },
  },
  noJson: true,
  maxWords: 0,
  examples: [
    { line: 'bearings mcp --workspace manta_001', about: 'one workspace for this client' },
    { line: 'bearings mcp --http', about: 'for clients that connect by address' },
  ],
  run: async () => EXIT.done,
};
