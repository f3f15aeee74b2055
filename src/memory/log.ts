import type { JsonRecord } from '../json-record.ts';

export interface LogItem {
  timestamp: string;
  op: string;
  details: JsonRecord;
}

/** What the end of a session writes for each proposal that nobody decided on. */
export const DISCARD_OP = 'proposal_discarded';
const DISCARD_KEYS = ['proposal_id', 'target', 'content_sha256'];

export function toLogItem(record: JsonRecord): LogItem {
  const { timestamp, op, ...details } = record;
  return { timestamp: asText(timestamp), op: asText(op), details: op === DISCARD_OP ? withoutText(details) : details };
}

// Earlier versions wrote the whole text here: a text that the person did not accept is never served.
function withoutText(details: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(details).filter(([key]) => DISCARD_KEYS.includes(key)));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
