// bearings/memory-tool: the file-based memory tool of agents' SDKs, behind the gate.
export type { MemoryCommand } from '../memory-tool/commands.ts';
export { openMemoryTool } from '../memory-tool/memory-tool.ts';
