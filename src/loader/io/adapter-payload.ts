import { isUtf8 } from 'node:buffer';

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
