// The stores of the table: ours, and peers at exact versions that are installed into a cache folder when they are asked for.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `node: 24` where a peer does not start on Node 20; `how`: more for npm. The first package is the peer, others are what it needs. */
export const STORES = {
  bearings: { packages: [] },
  'server-memory': { packages: ['@modelcontextprotocol/server-memory@2026.8.31'] },
  'memory-bank': { packages: ['@allpepper/memory-bank-mcp@0.2.2'] },
  mem0: { packages: ['mem0ai@3.3.1', 'better-sqlite3@npm:libsql@0.5.29'], how: ['--legacy-peer-deps'] },
  'claude-mem': {
    packages: ['claude-mem@13.25.3', 'better-auth@1.6.16', '@better-auth/api-key@1.6.16', 'bun@1.4.4'],
    how: ['--legacy-peer-deps'],
  },
  mastra: { packages: ['@mastra/memory@1.31.0', '@mastra/libsql@1.23.1'], node: 24 },
  langgraph: { packages: ['@langchain/langgraph@1.4.18'] },
};

/** What a store's file needs to reach its packages. */
export function toolsIn(folder) {
  const manifest = (name) => join(folder, 'node_modules', name, 'package.json');
  return {
    folder,
    bin(name) {
      const { bin } = JSON.parse(readFileSync(manifest(name), 'utf8'));
      return join(dirname(manifest(name)), typeof bin === 'string' ? bin : Object.values(bin)[0]);
    },
    load: (name) => import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href),
  };
}
