import { defineCommand, EXIT } from '../command.ts';

// Help only: the launcher hands `bearings mcp` to the MCP face before any of the command line is loaded.
export const command = defineCommand({
  help: `
    bearings mcp [--workspace ID]
    bearings mcp --http [--port N] [--workspace ID]

    Without --http: add it to a client as the command \`bearings\` with the argument \`mcp\`. With --http it serves
    several, until Ctrl-C; each sends the token from the file mcp-token of the home: Authorization: Bearer TOKEN

    --workspace ID  serve this workspace alone: no other is known to the client
    --http  serve over HTTP at http://127.0.0.1:7391/mcp
    --port N  another port; 0 takes any that is free

    bearings mcp --workspace billing-client  one workspace for this client
  `,
  noJson: true,
  maxWords: 0,
  run: async () => EXIT.done,
});
