import { compareCodePoints } from '../../code-points.ts';
import { isRecord } from '../../json.ts';
import { excerptOf } from '../bundle/line-ranges.ts';
import { formatTime, parseTime } from '../bundle/time.ts';

export const ITEM_STATES = ['blocked', 'ready', 'priority', 'stale', 'unknown'] as const;
export type ItemState = (typeof ITEM_STATES)[number];
export const ITEM_FIELDS = ['id', 'title', 'summary', 'state', 'priority', 'tags', 'source_updated_at'] as const;
export type ItemField = (typeof ITEM_FIELDS)[number];

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
  /** How many items the source has; `items` are the best of them. */
  total: number;
  items: AdapterItem[];
  /** Where items were that nothing safe is left of. */
  unsafe?: readonly string[];
  warnings: string[];
}

const MAX_ID_CHARS = 200;
const MAX_TITLE_CHARS = 500;
const MAX_SUMMARY_CHARS = 20_000;
const MAX_TAGS = 50;
const PRIORITY_WORDS: Record<string, number> = { critical: 0, urgent: 0, high: 1, medium: 2, normal: 2, low: 3 };

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

export function toItem(raw: unknown): AdapterItem | null {
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
    source_updated_at: parseTimeText(raw.source_updated_at),
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

export function parseTimeText(value: unknown): string | null {
  const parsed = typeof value === 'string' ? parseTime(value) : null;
  return parsed === null ? null : formatTime(parsed);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function cut(value: string, max: number): string {
  return excerptOf(value, max).text;
}
