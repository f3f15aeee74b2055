// bearings/mcp: our MCP server for a transport of one's own.
export {
  type McpServer,
  type McpTransport,
  mcpServerFactory,
  serveMcp,
  TOOL_NAMES,
} from '../mcp/embed.ts';
