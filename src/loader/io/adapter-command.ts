import { isUtf8 } from 'node:buffer';
import { programVariables, startProgram, type Variables } from '../../files/run-program.ts';
import { codeOf } from '../../files/system-error.ts';
import type { CommandAdapter } from '../policy/adapter-definitions.ts';

export interface AdapterFolder {
  /** The project's folder: programs run there. */
  root: string;
  variables: Variables;
  /** Of Bearings, for servers that ask who calls. */
  version: string;
}

// A program that prints JSON and ends. Nothing of what it does can stop a bundle.
export function commandPayload(config: CommandAdapter, { root, variables }: AdapterFolder): Promise<Payload> {
  return new Promise((resolve) => {
    const { child, endAll, stop } = startProgram({
      command: config.command,
      cwd: root,
      variables: programVariables(config.env ?? [], variables, root),
      input: 'closed',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let code: number | null | undefined;
    const end = (payload: Payload): void => {
      clearTimeout(timer);
      stop();
      resolve(payload);
    };
    const timer = setTimeout(() => end({ status: 'bad', reason: tooSlow(config.timeout_ms) }), config.timeout_ms);
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > config.max_bytes) end({ status: 'bad', reason: tooLarge(config.max_bytes) });
      else chunks.push(chunk);
    });
    child.on('error', (error) => end({ status: 'bad', reason: cantStart(error) }));
    child.on('exit', (status) => {
      code = status;
      // What it left running may hold its output open for ever.
      endAll();
    });
    child.on('close', () => {
      if (code !== 0) end({ status: 'bad', reason: endedBadly(code ?? null) });
      else end(parsePayloadBytes(Buffer.concat(chunks)));
    });
  });
}

export function tooSlow(limit: number): string {
  return `it did not answer within ${limit} ms`;
}

export function tooLarge(limit: number): string {
  return `it returned more than ${limit} bytes`;
}

export function cantStart(error: unknown): string {
  return codeOf(error) === 'ENOENT' ? 'its program is not there' : "its program can't be started";
}

function endedBadly(code: number | null): string {
  return code === null ? 'its program was ended by a signal' : `its program ended with code ${code}`;
}

export type Payload = { status: 'ok'; value: unknown } | { status: 'bad'; reason: string };

// More levels than any list of items has; what comes after walks them one by one.
const MAX_DEPTH = 64;

// JSON that others wrote: every way it can be broken is a reason in our words.
export function parsePayloadBytes(bytes: Buffer): Payload {
  if (!isUtf8(bytes)) return bad('its text is not UTF-8');
  return parsePayloadText(bytes.toString('utf8'));
}

export function parsePayloadText(text: string): Payload {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    return bad(text.trim() === '' ? 'it returned nothing' : 'it returned no JSON');
  }
  return plainPayload(value);
}

export function plainPayload(value: unknown): Payload {
  const reason = whyNotPlain(value);
  return reason === null ? { status: 'ok', value } : bad(reason);
}

// With a list of its own instead of recursion: nesting may not exhaust the stack.
function whyNotPlain(value: unknown): string | null {
  const left: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next.value === 'number' && !Number.isFinite(next.value)) return 'it holds a number that is too large';
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
    for (const child of Object.values(next.value)) left.push({ value: child, depth: next.depth + 1 });
  }
  return null;
}

function bad(reason: string): Payload {
  return { status: 'bad', reason };
}
