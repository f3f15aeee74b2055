import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { effort } from '../support/effort.ts';
import { filesBelow } from '../support/mcp/asking-client.ts';
import { httpClient, httpServer, type RunningServer } from '../support/mcp/http-server.ts';
import { openIdle, rawText, sendRaw } from '../support/mcp/raw-http.ts';
import { person } from '../support/person.ts';
import { LEGACY, MODERN } from '../support/process/binary.ts';

// `npm run test:http -- --minutes 60` goes on for so long in place of a number of calls.
const CLIENTS = effort(64, 8);
const CALLS = effort(10_000, 240);
const MINUTES = Number(process.env.HTTP_MINUTES ?? 0);
const WORKSPACES = 8;
// Below this many calls a start-up still weighs more than anything that could leak.
const ENOUGH_TO_MEASURE = 5_000;
const AMOUNT = MINUTES > 0 ? `${MINUTES} minutes of` : CALLS;
const FLAT = MINUTES > 0 || CALLS >= ENOUGH_TO_MEASURE ? 'flat memory, ' : '';
const WARM_UP = 0.4;
const FAULT_EVERY = 12;
// An answer that is lost never comes; one on a crowded machine does.
const PATIENCE_MS = 240_000;

const notes = `# Notes\n\n${'A line of what was learnt.\n'.repeat(150)}`;
const { place, at } = person(
  Object.fromEntries(
    Array.from({ length: WORKSPACES }, (_, i) => [`.bearings/workspaces/w${i}/notes.md`, notes] as const),
  ),
);

interface Worker {
  name: string;
  workspace: string;
  client: Client;
  isModern: boolean;
  /** Answered calls by tool, and what was logged. */
  answered: number;
  logged: string[];
  faults: number;
}

describe('many clients over HTTP', () => {
  it(
    `M29 ${CLIENTS} clients, ${AMOUNT} calls with faults: no crash, ${FLAT}every transcript intact`,
    async () => {
      const server = await httpServer(place);
      const workers = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => newWorker(server, i)));
      const memory: { done: number; kib: number }[] = [];
      const seen: Record<string, number> = {};
      let begun = 0;
      const end = Date.now() + MINUTES * 60_000;
      const work = async (worker: Worker): Promise<void> => {
        while (MINUTES ? Date.now() < end : begun < CALLS) {
          begun += 1;
          if (begun % 50 === 0) memory.push({ done: begun, kib: residentKib(server.pid) });
          const turn = begun;
          if (turn % FAULT_EVERY === 0) await fault(server, worker, turn, seen);
          else await usualCall(worker, turn);
        }
      };
      await Promise.all(workers.map(work));

      expect(process.kill(server.pid, 0)).toBe(true);
      const late = await newWorker(server, CLIENTS);
      await usualCall(late, 0);
      const median = (part: typeof memory) =>
        part.map(({ kib }) => kib).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
      const warm = memory.filter(({ done }) => done >= begun * WARM_UP && done < begun * (WARM_UP + 0.2));
      const last = memory.filter(({ done }) => done >= begun * 0.8);
      const growth = median(last) / median(warm) - 1;
      const mib = (kib: number) => `${Math.round(kib / 1024)} MiB`;
      console.log(
        `${CLIENTS} clients, ${begun} calls, faults ${JSON.stringify(seen)}; memory ${mib(median(warm))} → ${mib(median(last))} (${(growth * 100).toFixed(1)} %)`,
      );
      if (begun >= ENOUGH_TO_MEASURE) expect(growth).toBeLessThan(0.2);
      checkRecords([...workers, late]);
      expect(await server.stop()).toBe(0);
    },
    3_600_000 + MINUTES * 120_000,
  );
});

async function newWorker(server: RunningServer, i: number): Promise<Worker> {
  const isModern = i % 2 === 1;
  const name = `load-${i}`;
  const { client } = await httpClient(server, { name, client: isModern ? MODERN : LEGACY });
  return { name, workspace: `w${i % WORKSPACES}`, client, isModern, answered: 0, logged: [], faults: 0 };
}

async function usualCall(worker: Worker, turn: number): Promise<void> {
  const image_id = worker.workspace;
  const op = `${worker.name}-${turn}`;
  const [name, args] = [
    ['log_operation', { image_id, op }],
    ['read_context', { image_id }],
    ['read_full_notes', { image_id, limit: 50 }],
    ['list_proposals', { image_id }],
  ][turn % 4] as [string, Record<string, unknown>];
  const result = await worker.client.callTool({ name, arguments: args }, { timeout: PATIENCE_MS });
  expect(result.isError).not.toBe(true);
  worker.answered += 1;
  if (name === 'log_operation') worker.logged.push(op);
}

const KINDS = ['disconnect', 'slow reader', 'oversized', 'abort', 'no token', 'broken'] as const;

async function fault(server: RunningServer, worker: Worker, turn: number, seen: Record<string, number>): Promise<void> {
  const kind = KINDS[Math.floor(turn / FAULT_EVERY) % KINDS.length] ?? 'abort';
  seen[kind] = (seen[kind] ?? 0) + 1;
  worker.faults += 1;
  if (kind === 'abort') {
    const cancel = new AbortController();
    const args = { image_id: worker.workspace };
    const called = worker.client.callTool({ name: 'read_context', arguments: args }, { signal: cancel.signal });
    setTimeout(() => cancel.abort(), turn % 20);
    await called.catch(() => undefined);
    return;
  }
  const body = rawCall(worker, kind === 'oversized' ? 'x'.repeat(2 * 1024 * 1024) : 'a fault');
  const text = requestText(server, worker, kind === 'broken' ? body.slice(0, -9) : body, kind !== 'no token');
  if (kind === 'disconnect' || kind === 'slow reader') {
    const socket = await openIdle(server.port, text);
    socket.on('error', () => undefined);
    socket.pause();
    if (kind === 'disconnect') socket.destroy();
    else setTimeout(() => socket.destroy(), 2_000);
    return;
  }
  const { status } = await sendRaw(server.port, text, PATIENCE_MS);
  // A client that is still talking when its time is up may find the connection closed instead of the answer.
  const refused = { oversized: [413, 0], 'no token': [401], broken: [400] }[kind];
  expect([kind, status, refused.includes(status)]).toEqual([kind, status, true]);
}

// As the worker's own client would call: in its session, or with the words that a request of 2026 carries.
function rawCall(worker: Worker, task: string): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: worker.name, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'read_full_notes', arguments: { image_id: worker.workspace, task } };
  const id = `raw-${worker.faults}`;
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: worker.isModern ? { ...params, _meta } : params,
  });
}

function requestText(server: RunningServer, worker: Worker, body: string, hasToken: boolean): string {
  const own: [string, string][] = worker.isModern
    ? [
        ['Mcp-Protocol-Version', '2026-07-28'],
        ['Mcp-Method', 'tools/call'],
        ['Mcp-Name', 'read_full_notes'],
      ]
    : [['Mcp-Session-Id', worker.client.transport?.sessionId ?? '']];
  const headers: [string, string][] = [
    ['Host', `127.0.0.1:${server.port}`],
    ...(hasToken ? [['Authorization', `Bearer ${server.token}`] as [string, string]] : []),
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ...own,
  ];
  return rawText({ headers, body });
}

function residentKib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

interface Entry {
  type: string;
  client?: string;
  arguments?: { op?: string };
}

// One session for each client; in it every answered call, whole lines only, and nobody else's.
function checkRecords(workers: Worker[]): void {
  const files = Object.entries(filesBelow(at('.bearings')));
  const transcripts = files
    .filter(([path]) => /sessions\/[^/]+\.jsonl$/.test(path))
    .map(([path, text]) => {
      expect([path, text.endsWith('\n')]).toEqual([path, true]);
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Entry);
    });
  const lines = files
    .filter(([path]) => path.endsWith('log.jsonl'))
    .flatMap(([, text]) => text.trimEnd().split('\n'))
    .map((line) => (JSON.parse(line) as { op: string }).op);
  expect(lines.sort()).toEqual(workers.flatMap(({ logged }) => logged).sort());
  expect(transcripts.length).toBe(workers.filter(({ answered }) => answered > 0).length);
  for (const { name, answered, logged, faults } of workers) {
    const own = transcripts.filter(([start]) => start?.client === name);
    expect([name, own.length]).toEqual([name, answered > 0 ? 1 : 0]);
    const [entries = []] = own;
    const count = (type: string) => entries.filter((entry) => entry.type === type).length;
    expect(entries.slice(1).some(({ type }) => type === 'session_start')).toBe(false);
    expect(count('tool_call')).toBeGreaterThanOrEqual(answered);
    expect(count('tool_call')).toBeLessThanOrEqual(answered + faults);
    expect(count('tool_result')).toBe(count('tool_call'));
    const ops = entries.flatMap((entry) => (entry.type === 'tool_call' ? (entry.arguments?.op ?? []) : []));
    expect(ops).toEqual(logged);
  }
}
