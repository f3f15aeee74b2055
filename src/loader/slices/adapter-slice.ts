import { compareCodePoints } from '../../code-point-order.ts';
import type { Candidate } from '../bundle/fill.ts';
import { formatTime, parseTime } from '../bundle/time.ts';
import type { AdapterConfig } from '../policy/policy.ts';
import { type AdapterItem, type AdapterPayload, compareItems } from './adapter-items.ts';
import { outsideCandidate, type Sha256 } from './outside-entry.ts';
import type { OutsideEntry, Sanitise } from './sanitise.ts';
import { sanitised } from './tactical.ts';

/** What came of asking one adapter. */
export type AdapterReading = { config: AdapterConfig; status: 'loaded'; payload: unknown } | NotRead;

/** The same with its items looked at, field by field. */
export type CleanReading = { config: AdapterConfig; status: 'loaded'; payload: AdapterPayload } | NotRead;

type NotRead =
  | { config: AdapterConfig; status: 'degraded'; reason: string }
  /** A reason only where the caller asked for it. */
  | { config: AdapterConfig; status: 'disabled'; reason: string | null };

export interface AdapterReport {
  id: string;
  kind: string;
  status: 'loaded' | 'degraded' | 'disabled';
  reason: string | null;
  fetched_at: string | null;
  items: number;
  selected: number;
  /** Is the payload older than the policy allows? Known only where `--now` is given and the payload says its time. */
  stale: boolean | null;
}

export interface AdapterSelection {
  reports: AdapterReport[];
  candidates: Candidate[];
  warnings: string[];
}

interface Ranked {
  config: AdapterConfig;
  payload: AdapterPayload;
  item: AdapterItem;
}

// The best item of every adapter first, so that none is crowded out; then all others by the same order.
export function selectAdapterItems(
  readings: readonly CleanReading[],
  now: number | null,
  tools: { sanitise: Sanitise; sha256: Sha256 },
): AdapterSelection {
  const selection: AdapterSelection = { reports: [], candidates: [], warnings: [] };
  const best: Ranked[] = [];
  const others: Ranked[] = [];
  for (const reading of readings) {
    const payload = reading.status === 'loaded' ? reading.payload : null;
    const reason = reading.status === 'loaded' ? null : reading.reason;
    selection.reports.push(reportOf(reading, payload, { reason, now }));
    if (reason !== null) selection.warnings.push(`adapter ${reading.config.name} is left out: ${reason}.`);
    if (payload === null) continue;
    selection.warnings.push(...payload.warnings.map((warning) => `adapter ${reading.config.name}: ${warning}`));
    const [first, ...rest] = payload.items.map((item) => ({ config: reading.config, payload, item }));
    if (first) best.push(first);
    others.push(...rest);
  }
  for (const ranked of [...best.sort(compareRanked), ...others.sort(compareRanked)]) {
    const safe = sanitised(entryOf(ranked), tools.sanitise);
    selection.warnings.push(...safe.warnings);
    if (safe.entry) selection.candidates.push(candidateOf(ranked, safe.entry, { now, sha256: tools.sha256 }));
  }
  return selection;
}

function compareRanked(a: Ranked, b: Ranked): number {
  return compareItems(a.item, b.item) || compareCodePoints(a.config.name, b.config.name);
}

function reportOf(
  { config, status }: CleanReading,
  payload: AdapterPayload | null,
  { reason, now }: { reason: string | null; now: number | null },
): AdapterReport {
  const fetched = payload?.fetched_at ? parseTime(payload.fetched_at) : null;
  return {
    id: config.name,
    kind: config.kind,
    status,
    reason,
    fetched_at: payload?.fetched_at ?? null,
    items: payload?.total ?? 0,
    selected: 0,
    stale: now === null || fetched === null ? null : isStale(now - fetched, config),
  };
}

function entryOf({ item }: Ranked): OutsideEntry {
  return {
    source_class: 'adapter',
    id: item.id,
    fields: [
      { name: 'id', value: item.id, kind: 'line' },
      { name: 'title', value: item.title, kind: 'line' },
      { name: 'state', value: item.state, kind: 'line' },
      { name: 'priority', value: item.priority === null ? '' : String(item.priority), kind: 'line' },
      ...item.tags.map((tag) => ({ name: 'tag', value: tag, kind: 'line' as const })),
      { name: 'updated', value: item.source_updated_at ?? '', kind: 'line' },
      { name: 'summary', value: item.summary, kind: 'text' },
    ],
  };
}

function candidateOf(
  { config, payload, item }: Ranked,
  entry: OutsideEntry,
  { now, sha256 }: { now: number | null; sha256: Sha256 },
): Candidate {
  const reference = now ?? (payload.fetched_at === null ? null : parseTime(payload.fetched_at));
  const updated = item.source_updated_at === null ? null : parseTime(item.source_updated_at);
  const age = reference === null || updated === null ? null : reference - updated;
  return outsideCandidate(entry, {
    path: `${config.name}/${entry.id}`,
    selected_by: `adapter:${config.name}:${item.state}`,
    provenance: {
      origin: 'adapter',
      authoritative: false,
      adapter: config.name,
      item: entry.id,
      state: item.state,
      fetched_at: payload.fetched_at,
      updated_at: updated === null ? null : formatTime(updated),
      age_seconds: age === null ? null : Math.floor(age / 1000),
      stale: item.state === 'stale' ? true : age === null ? null : isStale(age, config),
    },
    sha256,
  });
}

function isStale(age: number, config: AdapterConfig): boolean {
  return age > config.stale_after_hours * 3_600_000;
}
