import { isRecord } from '../memory/records.ts';
import { compareCodePoints } from './code-points.ts';
import { excerptOf } from './excerpt.ts';
import { formatTime, parseTime } from './time.ts';

export const ITEM_STATES = ['blocked', 'ready', 'priority', 'stale', 'unknown'] as const;
type ItemState = (typeof ITEM_STATES)[number];

export interface AdapterItem {
  id: string;
  title: string;
  summary: string;
  state: ItemState;
  /** 0 is the most urgent. */
  priority: number | null;
  tags: string[];
  source_updated_at: string | null;
}

export interface AdapterPayload {
  fetched_at: string | null;
  items: AdapterItem[];
  warnings: string[];
}

const MAX_ITEMS = 10_000;
const MAX_ID_CHARS = 200;
const MAX_TITLE_CHARS = 500;
const MAX_SUMMARY_CHARS = 20_000;
const MAX_TAGS = 50;
const PRIORITY_WORDS: Record<string, number> = { critical: 0, urgent: 0, high: 1, medium: 2, normal: 2, low: 3 };

// `{"fetched_at": …, "items": […]}` or the bare list. Null when it is neither; single bad items are only skipped.
export function parsePayload(payload: unknown): AdapterPayload | null {
  const list = Array.isArray(payload) ? payload : isRecord(payload) ? payload.items : undefined;
  if (!Array.isArray(list)) return null;
  const items = new Map<string, AdapterItem>();
  let skipped = 0;
  for (const raw of list.slice(0, MAX_ITEMS)) {
    const item = toItem(raw);
    if (item && !items.has(item.id)) items.set(item.id, item);
    else skipped += 1;
  }
  skipped += Math.max(0, list.length - MAX_ITEMS);
  return {
    fetched_at: isRecord(payload) ? time(payload.fetched_at) : null,
    items: [...items.values()].sort(compareItems),
    warnings: skipped === 0 ? [] : [`${skipped} of ${list.length} items are skipped: no id, an id twice, or too many.`],
  };
}

// State, then priority, then the newest update (unknown last), then id.
export function compareItems(a: AdapterItem, b: AdapterItem): number {
  return (
    ITEM_STATES.indexOf(a.state) - ITEM_STATES.indexOf(b.state) ||
    compareKnown(a.priority, b.priority) ||
    compareKnown(newness(a), newness(b)) ||
    compareCodePoints(a.id, b.id)
  );
}

function newness({ source_updated_at }: AdapterItem): number | null {
  const updated = source_updated_at === null ? null : parseTime(source_updated_at);
  return updated === null ? null : -updated;
}

// Smaller first, unknown last.
function compareKnown(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

function toItem(raw: unknown): AdapterItem | null {
  if (!isRecord(raw)) return null;
  const id = typeof raw.id === 'number' && Number.isFinite(raw.id) ? String(raw.id) : raw.id;
  if (typeof id !== 'string' || id.trim() === '') return null;
  const state = typeof raw.state === 'string' ? raw.state.trim().toLowerCase() : '';
  return {
    id: cut(id.trim(), MAX_ID_CHARS),
    title: cut(text(raw.title), MAX_TITLE_CHARS),
    summary: cut(text(raw.summary), MAX_SUMMARY_CHARS),
    state: ITEM_STATES.find((known) => known === state) ?? 'unknown',
    priority: priority(raw.priority),
    tags: (Array.isArray(raw.tags) ? raw.tags : [])
      .filter((tag) => typeof tag === 'string' && tag !== '')
      .slice(0, MAX_TAGS)
      .map((tag) => cut(tag, MAX_ID_CHARS)),
    source_updated_at: time(raw.source_updated_at),
  };
}

function priority(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  const number = /^p?(\d{1,6})$/.exec(word)?.[1];
  if (number !== undefined) return Number(number);
  return Object.hasOwn(PRIORITY_WORDS, word) ? (PRIORITY_WORDS[word] ?? null) : null;
}

function time(value: unknown): string | null {
  const parsed = typeof value === 'string' ? parseTime(value) : null;
  return parsed === null ? null : formatTime(parsed);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function cut(value: string, max: number): string {
  return excerptOf(value, max).text;
}
