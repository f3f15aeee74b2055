// A tiny MCP server over stdio with one tool and one resource, both a list of work. Enough to see the adapter at work.
import { createInterface } from 'node:readline';

const WORK = {
  fetched_at: '2026-11-15T09:00:00Z',
  work: [
    { key: 'B-2', name: 'Answer the review', state: 'ready', priority: 1 },
    { key: 'B-1', name: 'Wait for the certificate', state: 'blocked', priority: 0 },
  ],
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'board', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'list_work', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify(WORK) }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(WORK) }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = Object.hasOwn(answers, method)
    ? { result: answers[method](params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
