import { isUtf8 } from 'node:buffer';
import { codeOf } from '../../errors.ts';
import { programVariables, runToEnd, type Variables } from '../../files/run-program.ts';
import type { CommandAdapter } from '../policy/adapter-definitions.ts';

export interface AdapterFolder {
  /** The project's folder: programs run there. */
  root: string;
  variables: Variables;
  /** Of Bearings, for servers that ask who calls. */
  version: string;
}

// A program that prints JSON and ends. Nothing of what it does can stop a bundle.
export async function commandPayload(config: CommandAdapter, { root, variables }: AdapterFolder): Promise<Payload> {
  const { cut, startFault, code, output } = await runToEnd(
    { command: config.command, cwd: root, variables: programVariables(config.env ?? [], variables, root) },
    { timeoutMs: config.timeout_ms, maxBytes: config.max_bytes },
  );
  if (cut === 'too_slow') return bad(tooSlow(config.timeout_ms));
  if (cut === 'too_long') return bad(tooLarge(config.max_bytes));
  if (startFault !== null) return bad(cantStart(startFault));
  return code === 0 ? parsePayloadBytes(output) : bad(endedBadly(code));
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
