import type { JsonRecord } from '../json-record.ts';

export interface Gap {
  timestamp: string;
  image_id: string;
  description: string;
  session_id: string | null;
  snapshot_hash: string | null;
  intent: string | null;
  intent_category: string;
  missing_capability: string | null;
  operations_involved: readonly string[];
  vocabulary_used: readonly string[];
  satisfaction: -1 | 0 | 1 | null;
  notes: string;
  workaround?: string | null;
}

// Old records hold four fields and hand-written ones hold anything: a wrong type is the field's default.
export function toGap(record: JsonRecord): Gap {
  return {
    timestamp: text(record.timestamp, ''),
    image_id: text(record.image_id, ''),
    description: text(record.description, ''),
    session_id: text(record.session_id, null),
    snapshot_hash: text(record.snapshot_hash, null),
    intent: text(record.intent, null),
    intent_category: categoryOf(record.intent_category),
    missing_capability: text(record.missing_capability, null),
    operations_involved: texts(record.operations_involved),
    vocabulary_used: texts(record.vocabulary_used),
    satisfaction: satisfaction(record.satisfaction),
    notes: text(record.notes, ''),
    ...(Object.hasOwn(record, 'workaround') ? { workaround: text(record.workaround, null) } : {}),
  };
}

/** An empty one says no more than none. */
function categoryOf(value: unknown): string {
  return typeof value === 'string' && value.trim() !== '' ? value : 'uncategorized';
}

function text<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function satisfaction(value: unknown): Gap['satisfaction'] {
  return value === -1 || value === 0 || value === 1 ? value : null;
}
