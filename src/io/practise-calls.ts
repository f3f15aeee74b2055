import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelConfig } from '../config/models.ts';
import type { ModelRequest } from '../tasks/model.ts';
import { askProvider, languageModel } from './ask-provider.ts';

const TIMES = 6;
const LOOPBACK = '127.0.0.1';
const REQUEST = {
  key: '1#1',
  prompt: 'Practise.',
  question: 'Practise.',
  frame: { inherited: '', accumulated: '', fresh: '', results: '' },
  outputFormat: { type: 'text' },
  maxOutputTokens: 8,
  turn: 1,
} as Omit<ModelRequest, 'signal'>;
const ANSWER = [{ delta: { role: 'assistant', content: 'yes' } }, { delta: {}, finish_reason: 'stop' }]
  .map((choice) => `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, ...choice }] })}\n\n`)
  .join('');

// The first calls of a process cost some fifty times as much as later ones: the client, its streams and its parser are
// compiled then. A worker makes them to itself, before it says that it is ready. No key and nothing of a run is in them.
export async function practiseCalls(configs: readonly ModelConfig[]): Promise<void> {
  const kinds = new Map(configs.map((config) => [config.provider, config]));
  if (kinds.size === 0) return;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${ANSWER}data: [DONE]\n\n`);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, LOOPBACK, resolve);
    });
    const baseUrl = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/v1`;
    for (const config of kinds.values()) await practise({ ...config, baseUrl });
  } catch {
    // Where nothing may listen, the first real calls take a moment longer.
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function practise(config: ModelConfig): Promise<void> {
  const model = await languageModel(config, null);
  for (let times = 0; times < TIMES; times += 1) {
    const { signal } = new AbortController();
    // What is no answer to this kind of client has still gone all the way through it.
    await askProvider(config, { ...REQUEST, signal }, { model, signal, call: 'practise' }).catch(() => {});
  }
}
