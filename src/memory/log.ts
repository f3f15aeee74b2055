import type { JsonRecord } from './records.ts';

export interface LogItem {
  timestamp: string;
  op: string;
  details: JsonRecord;
}

export function toLogItem(record: JsonRecord): LogItem {
  const { timestamp, op, ...details } = record;
  return { timestamp: asText(timestamp), op: asText(op), details };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
