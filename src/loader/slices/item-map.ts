import { isRecord } from '../../json-record.ts';
import type { AdapterConfig } from '../policy/adapter-definitions.ts';
import { ITEM_FIELDS } from './adapter-items.ts';

type Shape = Pick<AdapterConfig, 'items' | 'map' | 'states' | 'fetched_at'>;

/** A source's own payload: its list, still in its own words. */
export interface RawPayload {
  fetched_at: unknown;
  list: unknown[];
}

const TIMES = ['fetched_at', 'adapter_fetched_at'];

// The list where the definition says, else the whole or its `items`. Null when there is none.
export function rawPayload(payload: unknown, { items, fetched_at }: Shape): RawPayload | null {
  const list = items === undefined ? (isRecord(payload) ? payload.items : payload) : pick(payload, items);
  if (!Array.isArray(list)) return null;
  const times = (fetched_at === undefined ? TIMES : [fetched_at]).map((path) => pick(payload, path));
  return { fetched_at: isRecord(payload) ? times.find((time) => time !== undefined) : null, list };
}

// One element in our words. Null: the definition leaves it out.
export function mapItem(raw: unknown, { map, states }: Shape): unknown {
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
