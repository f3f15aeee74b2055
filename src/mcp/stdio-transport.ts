import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

interface Answer {
  content: readonly { type: string; text?: unknown }[];
  structuredContent: Record<string, unknown>;
}

/** The SDK's transport, which writes an answer that is the same as the one before without making its JSON again. */
export class StdioTransport extends StdioServerTransport {
  readonly #out: Writable;
  readonly #written = writtenAnswer();
  #isClosed = false;

  constructor(out: Writable = process.stdout) {
    super(process.stdin, out);
    this.#out = out;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    const line = this.#isClosed ? null : this.#written(message);
    if (line === null) return super.send(message);
    if (!this.#out.write(line)) await once(this.#out, 'drain');
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    return super.close();
  }
}

// Null: to be written as ever. The same parts and the same text were seen to be one JSON: then they still are, since
// what is served is shared between calls and changed by nobody.
export function writtenAnswer(): (message: JSONRPCMessage) => string | null {
  let last: { value: object; text: string; escaped: string | null } | null = null;
  return (message) => {
    if (!('result' in message) || !isAnswer(message.result)) return null;
    const { content, structuredContent } = message.result;
    const first = content[0];
    if (first?.type !== 'text' || typeof first.text !== 'string' || Object.keys(first).length !== 2) return null;
    const { text } = first;
    if (last === null || last.text !== text || !isSame(last.value, structuredContent)) {
      last = { value: structuredContent, text, escaped: null };
      return null;
    }
    // Looked at only when it comes again: most answers come once.
    last.escaped ??= JSON.stringify(structuredContent) === text ? JSON.stringify(text) : '';
    if (last.escaped === '') return null;
    const blocks = content.length > 1 ? `,${JSON.stringify(content.slice(1)).slice(1, -1)}` : '';
    const answer = `"content":[{"type":"text","text":${last.escaped}}${blocks}],"structuredContent":${text}`;
    return `{"result":{${answer}${restOf(message.result)}},"jsonrpc":"2.0","id":${JSON.stringify(message.id)}}\n`;
  };
}

function restOf(result: object): string {
  let rest = '';
  for (const [key, value] of Object.entries(result))
    if (key !== 'content' && key !== 'structuredContent' && value !== undefined)
      rest += `,${JSON.stringify(key)}:${JSON.stringify(value)}`;
  return rest;
}

function isAnswer(result: object): result is Answer {
  return (
    'content' in result &&
    Array.isArray(result.content) &&
    'structuredContent' in result &&
    typeof result.structuredContent === 'object' &&
    result.structuredContent !== null
  );
}

function isSame(before: object, now: object): boolean {
  const parts = Object.entries(now);
  const known = Object.entries(before);
  return (
    known.length === parts.length && known.every(([key, part], at) => key === parts[at]?.[0] && part === parts[at]?.[1])
  );
}
