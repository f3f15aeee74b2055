import { compareCodePoints } from '../../code-point-order.ts';
import { codePointLength } from '../../code-points.ts';
import { excerptOf } from '../bundle/excerpt.ts';
import type { Candidate, Dropped, Shortened } from '../bundle/fill.ts';
import type { AdapterProvenance, ItemProvenance } from '../bundle/provenance.ts';
import { formatTime, parseTime } from '../bundle/time.ts';
import type { AdapterConfig } from '../policy/adapter-definitions.ts';
import { type AdapterItem, type AdapterPayload, compareItems } from './adapter-items.ts';
import { entryText, outsideCandidate, type Sha256 } from './outside-entry.ts';
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
  /** True where every item is stale, or the payload is older than the policy allows (known only with `--now` and its time). */
  stale: boolean | null;
}

export interface AdapterSelection {
  reports: AdapterReport[];
  /** One for each adapter that gave anything. */
  candidates: Candidate[];
  /** Items beyond what one entry holds. */
  dropped: Dropped[];
  warnings: string[];
}

/** An item that may be shown, in its words. */
interface Shown {
  item: AdapterItem;
  about: ItemProvenance;
  text: string;
}

const DEFAULT_ITEMS = 4;
// Less of an item than this says nothing: its room goes to the better ones.
const LEAST_CHARS = 200;

// One entry for each adapter, with its best items; the adapter with the best of all comes first.
export function selectAdapterItems(
  readings: readonly CleanReading[],
  now: number | null,
  tools: { sanitise: Sanitise; sha256: Sha256 },
): AdapterSelection {
  const selection: AdapterSelection = { reports: [], candidates: [], dropped: [], warnings: [] };
  const entries: { best: AdapterItem; name: string; candidate: Candidate }[] = [];
  for (const reading of readings) {
    const { config } = reading;
    const payload = reading.status === 'loaded' ? reading.payload : null;
    const reason = reading.status === 'loaded' ? null : reading.reason;
    const report = reportOf(reading, payload, { reason, now });
    selection.reports.push(report);
    if (reason !== null) selection.warnings.push(`adapter ${config.name} is left out: ${reason}.`);
    if (payload === null) continue;
    selection.warnings.push(...payload.warnings.map((warning) => `adapter ${config.name}: ${warning}`));
    const drop = (name: string, reason: Dropped['reason'], state = 'unknown'): void => {
      const path = `${entryPath(config)}/${name}`;
      selection.dropped.push({ path, reason, selected_by: `adapter:${config.name}:${state}`, source_class: 'adapter' });
    };
    // Not by its id: that may be what is unsafe.
    for (const place of payload.unsafe ?? []) drop(place, 'unsafe');
    const safe = payload.items.flatMap((item, at): Shown[] => {
      const { entry, warnings } = sanitised(entryOf(item), tools.sanitise);
      selection.warnings.push(...warnings);
      if (!entry) drop(`best[${at}]`, 'unsafe', item.state);
      return entry
        ? [{ item, about: itemProvenance(entry.id, item, { config, payload, now }), text: entryText(entry) }]
        : [];
    });
    if (safe.length > 0 && safe.every(({ about }) => about.stale === true)) report.stale = true;
    const most = config.max_items ?? DEFAULT_ITEMS;
    const shown = safe.slice(0, most);
    const [best] = shown;
    if (best)
      entries.push({
        best: best.item,
        name: config.name,
        candidate: candidateOf(shown, { config, payload, sha256: tools.sha256 }),
      });
    for (const { item, about } of safe.slice(most)) drop(about.id, 'budget_files', item.state);
  }
  entries.sort((a, b) => compareItems(a.best, b.best) || compareCodePoints(a.name, b.name));
  selection.candidates.push(...entries.map(({ candidate }) => candidate));
  return selection;
}

function entryPath({ name }: AdapterConfig): string {
  return `adapter/${name}`;
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

function entryOf(item: AdapterItem): OutsideEntry {
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

function itemProvenance(
  id: string,
  { state, source_updated_at }: AdapterItem,
  { config, payload, now }: { config: AdapterConfig; payload: AdapterPayload; now: number | null },
): ItemProvenance {
  const reference = now ?? (payload.fetched_at === null ? null : parseTime(payload.fetched_at));
  const updated = source_updated_at === null ? null : parseTime(source_updated_at);
  const age = reference === null || updated === null ? null : reference - updated;
  return {
    id,
    state,
    updated_at: updated === null ? null : formatTime(updated),
    age_seconds: age === null ? null : Math.floor(age / 1000),
    stale: state === 'stale' ? true : age === null ? null : isStale(age, config),
  };
}

function candidateOf(
  shown: readonly Shown[],
  { config, payload, sha256 }: { config: AdapterConfig; payload: AdapterPayload; sha256: Sha256 },
): Candidate {
  const about = (some: readonly Shown[]): AdapterProvenance => {
    const items = some.map((each) => each.about);
    const updated = items.flatMap(({ updated_at }) => updated_at ?? []).sort(compareCodePoints);
    return {
      origin: 'adapter',
      authoritative: false,
      adapter: config.name,
      fetched_at: payload.fetched_at,
      updated_at: updated.at(-1) ?? null,
      stale: items.some(({ stale }) => stale === true)
        ? true
        : items.some(({ stale }) => stale === null)
          ? null
          : false,
      items,
    };
  };
  const whole = outsideCandidate(
    {
      source_class: 'adapter',
      id: config.name,
      fields: [{ name: 'items', value: joined(shown), kind: 'text' }],
    },
    {
      path: entryPath(config),
      selected_by: `adapter:${config.name}:${shown[0]?.item.state ?? 'unknown'}`,
      provenance: about(shown),
      sha256,
    },
  );
  const shorten = (max: number): Shortened => {
    const kept = fitted(shown, max);
    return { text: joined(kept), provenance: about(kept) };
  };
  return { ...whole, shorten };
}

// As many items as can say something, each with its share of the room; what one leaves goes to the next.
function fitted(shown: readonly Shown[], max: number): Shown[] {
  const some = shown.slice(0, Math.max(1, Math.floor(max / LEAST_CHARS)));
  let room = max;
  return some.map((each, at) => {
    const text = excerptOf(each.text, Math.floor(room / (some.length - at))).text.trimEnd();
    room -= codePointLength(text) + 2;
    return { ...each, text };
  });
}

function joined(shown: readonly Shown[]): string {
  return shown.map(({ text }) => text).join('\n\n');
}

function isStale(age: number, config: AdapterConfig): boolean {
  return age > Math.round(config.stale_after_hours * 3_600_000);
}
