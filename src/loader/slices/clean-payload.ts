import { isRecord } from '../../json.ts';
import type { SanitiseAction } from '../../safety/sanitise.ts';
import { excerptOf } from '../bundle/line-ranges.ts';
import type { AdapterConfig } from '../policy/adapter-definitions.ts';
import {
  type AdapterItem,
  type AdapterPayload,
  compareItems,
  ITEM_FIELDS,
  parseTimeText,
  toItem,
} from './adapter-items.ts';

/** Makes a value of others safe. A null value: nothing of it is. Actions name class and field, never the value. */
export type Clean = (value: unknown, path: string) => Promise<{ value: unknown; actions: SanitiseAction[] }>;

interface Ranked {
  raw: unknown;
  index: number;
  item: AdapterItem;
}

const MAX_ITEMS = 10_000;
// Looking at every word takes its time, and no bundle shows more than the best few and the beginning of each.
const MAX_CLEANED = 100;
const MAX_CHARS = 400_000;
const MAX_ITEM_CHARS = 200_000;
// More than any field shows, so that a secret at the end of what is shown is still seen whole.
const MAX_TEXT_CHARS = 28_000;

// A source's payload as safe items in our words, best first. Null when it holds no list.
export async function cleanPayload(
  payload: unknown,
  config: AdapterConfig,
  clean: Clean,
): Promise<AdapterPayload | null> {
  const raw = rawPayload(payload, config);
  if (raw === null) return null;
  const { ranked, skipped } = rankItems(raw.list, config);
  const warnings: string[] = [];
  if (skipped > 0)
    warnings.push(`${skipped} of ${raw.list.length} items are skipped: no id, an id twice, or too many.`);
  const items = new Map<string, AdapterItem>();
  const actions: SanitiseAction[] = [];
  const unsafe: string[] = [];
  const best = bestOf(ranked);
  if (best.length < ranked.length)
    warnings.push(`only the best ${best.length} of ${ranked.length} items are looked at.`);
  for (const { raw: element, index, chars } of best) {
    if (chars > MAX_ITEM_CHARS) {
      warnings.push(`items[${index}] is too large and is dropped.`);
      unsafe.push(`items[${index}]`);
      continue;
    }
    const cleaned = await cleanValue(element, `items[${index}]`, clean);
    warnings.push(...cleaned.warnings);
    actions.push(...cleaned.actions);
    const item = cleaned.value === null ? null : toItem(mapItem(cleaned.value, config));
    if (item && !items.has(item.id)) items.set(item.id, item);
    else if (!item) unsafe.push(`items[${index}]`);
  }
  return {
    fetched_at: parseTimeText(raw.fetched_at),
    total: ranked.length,
    items: [...items.values()].sort(compareItems),
    unsafe,
    warnings: [...warnings, ...warningsOf(actions)],
  };
}

function rankItems(list: unknown[], config: AdapterConfig): { ranked: Ranked[]; skipped: number } {
  const ranked = new Map<string, Ranked>();
  let skipped = Math.max(0, list.length - MAX_ITEMS);
  for (const [index, raw] of list.slice(0, MAX_ITEMS).entries()) {
    const mapped = mapItem(raw, config);
    if (mapped === null && raw !== null) continue;
    const item = toItem(mapped);
    if (item && !ranked.has(item.id)) ranked.set(item.id, { raw, index, item });
    else skipped += 1;
  }
  return { ranked: [...ranked.values()].sort((a, b) => compareItems(a.item, b.item)), skipped };
}

// As many as there is time for, always by count and never by the clock: the same payload gives the same items.
function bestOf(ranked: Ranked[]): { raw: unknown; index: number; chars: number }[] {
  const best: { raw: unknown; index: number; chars: number }[] = [];
  let total = 0;
  for (const { raw, index } of ranked.slice(0, MAX_CLEANED)) {
    const short = shortened(raw);
    const chars = JSON.stringify(short)?.length ?? 0;
    if (chars <= MAX_ITEM_CHARS) total += chars;
    if (total > MAX_CHARS) break;
    best.push({ raw: short, index, chars });
  }
  return best;
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return excerptOf(value, MAX_TEXT_CHARS).text;
  if (Array.isArray(value)) return value.map(shortened);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shortened(field)]));
}

// One that fails drops the value: nothing unseen gets in, and the warning says so.
export async function cleanValue(
  value: unknown,
  path: string,
  clean: Clean,
): Promise<{ value: unknown; actions: SanitiseAction[]; warnings: string[] }> {
  try {
    return { ...(await clean(value, path)), warnings: [] };
  } catch {
    return { value: null, actions: [], warnings: [`${path} could not be checked and is dropped.`] };
  }
}

type Shape = Pick<AdapterConfig, 'items' | 'map' | 'states' | 'fetched_at'>;

const TIMES = ['fetched_at', 'adapter_fetched_at'];

// A source's own payload, still in its own words: the list where the definition says, else the whole or its `items`. Null when there is none.
export function rawPayload(payload: unknown, { items, fetched_at }: Shape) {
  const list = items === undefined ? (isRecord(payload) ? payload.items : payload) : pick(payload, items);
  if (!Array.isArray(list)) return null;
  const times = (fetched_at === undefined ? TIMES : [fetched_at]).map((path) => pick(payload, path));
  return { fetched_at: isRecord(payload) ? times.find((time) => time !== undefined) : null, list };
}

// One element in our words. Null: the definition leaves it out.
function mapItem(raw: unknown, { map, states }: Shape): unknown {
  if (!isRecord(raw)) return raw;
  const item: Record<string, unknown> = {};
  for (const field of ITEM_FIELDS) {
    const path = map?.[field] ?? field;
    const value = pick(raw, path);
    if (value !== undefined) item[field] = field === 'tags' && typeof value === 'string' ? [value] : value;
  }
  if (states === undefined) return item;
  const known = [item.state].flat().flatMap((word) => {
    const key = typeof word === 'string' ? word.trim().toLowerCase() : '';
    return Object.hasOwn(states, key) ? [states[key]] : [];
  });
  if (known[0] === 'omit') return null;
  return known[0] === undefined ? item : { ...item, state: known[0] };
}

// Own keys only; a step into a list takes that step in each element.
function pick(value: unknown, path: string): unknown {
  let current: unknown = value;
  for (const step of path.split('.')) {
    if (Array.isArray(current)) {
      const index = /^\d{1,6}$/.test(step) ? Number(step) : null;
      current = index === null ? current.flatMap((item) => [own(item, step)].flat()) : current[index];
    } else current = own(current, step);
    if (current === undefined) return undefined;
  }
  return current;
}

function own(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

// More names than that help nobody; the count still tells how many there are.
const MAX_NAMED = 50;

// One line for a class and a field, however many entries have it there: `mail_address in items[0].author, items[4].author …`.
export function warningsOf(actions: readonly SanitiseAction[]): string[] {
  const groups = new Map<string, SanitiseAction[]>();
  for (const action of actions) {
    const key = JSON.stringify([action.kind, action.action, action.field.replace(/\[[0-9]+\]/g, '[]')]);
    const group = groups.get(key);
    if (group) group.push(action);
    else groups.set(key, [action]);
  }
  return [...groups.values()].map(lineOf);
}

function lineOf(group: SanitiseAction[]): string {
  const { kind = '', action = '' } = group[0] ?? {};
  const fields = [...new Set(group.map(({ field }) => field))];
  const named = fields.slice(0, MAX_NAMED).join(', ');
  const more = fields.length > MAX_NAMED ? ` and ${fields.length - MAX_NAMED} more` : '';
  const times = group.length > 1 ? ` (${group.length} times)` : '';
  return `${kind} in ${named}${more} is ${action}${times}.`;
}
