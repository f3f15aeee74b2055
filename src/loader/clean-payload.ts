import { type AdapterItem, type AdapterPayload, compareItems, parseTimeText, toItem } from './adapter-items.ts';
import { mapItem, rawPayload } from './item-map.ts';
import type { AdapterConfig } from './policy.ts';

/** Makes a value of others safe. A null value: nothing of it is. Actions name class and field, never the value. */
export type Clean = (
  value: unknown,
  path: string,
) => Promise<{ value: unknown; actions: { field: string; kind: string; action: string }[] }>;

interface Ranked {
  raw: unknown;
  index: number;
  item: AdapterItem;
}

const MAX_ITEMS = 10_000;
// Looking at every word of an item takes its time, and no bundle shows more than the best few.
const MAX_CLEANED = 200;

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
  if (ranked.length > MAX_CLEANED)
    warnings.push(`only the best ${MAX_CLEANED} of ${ranked.length} items are looked at.`);
  const items = new Map<string, AdapterItem>();
  for (const { raw: element, index } of ranked.slice(0, MAX_CLEANED)) {
    const cleaned = await cleanValue(element, `items[${index}]`, clean);
    warnings.push(...cleaned.warnings);
    const item = cleaned.value === null ? null : toItem(mapItem(cleaned.value, config));
    if (item && !items.has(item.id)) items.set(item.id, item);
  }
  return {
    fetched_at: parseTimeText(raw.fetched_at),
    total: ranked.length,
    items: [...items.values()].sort(compareItems),
    warnings,
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

// One that fails drops the value: nothing unseen gets in.
export async function cleanValue(
  value: unknown,
  path: string,
  clean: Clean,
): Promise<{ value: unknown; warnings: string[] }> {
  try {
    const { value: safe, actions } = await clean(value, path);
    return { value: safe, warnings: actions.map(({ field, kind, action }) => `${kind} in ${field} is ${action}.`) };
  } catch {
    return { value: null, warnings: [`${path} could not be checked and is dropped.`] };
  }
}
