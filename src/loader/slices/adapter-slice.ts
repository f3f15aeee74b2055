import { codePointLength, compareCodePoints } from '../../code-points.ts';
import { utf8Length } from '../../safety/hidden-characters.ts';
import type { Candidate, Dropped, Shortened } from '../bundle/fill.ts';
import { excerptOf } from '../bundle/line-ranges.ts';
import type { AdapterProvenance, ItemProvenance } from '../bundle/provenance.ts';
import { formatTime, parseTime } from '../bundle/time.ts';
import type { AdapterConfig } from '../policy/adapter-definitions.ts';
import { type AdapterItem, type AdapterPayload, compareItems } from './adapter-items.ts';

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
  /** True where every item is stale, or the payload is older than the policy allows (known only with `--now` and its time); null where neither is known. */
  stale: boolean | null;
}

interface AdapterSelection {
  reports: AdapterReport[];
  /** One for each adapter that gave anything. */
  candidates: Candidate[];
  /** Items beyond what one entry holds. */
  dropped: Dropped[];
  warnings: string[];
}

/** An item in its words, and what is said of it. */
interface Shown {
  item: AdapterItem;
  about: ItemProvenance;
  text: string;
}

/** A payload, and what its items are measured by. */
interface Source {
  config: AdapterConfig;
  payload: AdapterPayload;
  now: number | null;
}

const DEFAULT_ITEMS = 4;
// Less of an item than this says nothing: its room goes to the better ones.
const LEAST_CHARS = 200;

// One entry for each adapter, with its best items; the adapter with the best of all comes first.
export function selectAdapterItems(
  readings: readonly CleanReading[],
  now: number | null,
  sha256: Sha256,
): AdapterSelection {
  const selection: AdapterSelection = { reports: [], candidates: [], dropped: [], warnings: [] };
  const entries: { best: AdapterItem; candidate: Candidate }[] = [];
  for (const reading of readings) {
    const { config } = reading;
    if (reading.status !== 'loaded') {
      const { status, reason } = reading;
      selection.reports.push(reportOf(config, status, { reason }));
      if (reason !== null) selection.warnings.push(`adapter ${config.name} is left out: ${reason}.`);
      continue;
    }
    const { payload } = reading;
    const drop = (name: string, reason: Dropped['reason'], state = 'unknown'): void => {
      const path = `${entryPath(config)}/${name}`;
      selection.dropped.push({ path, reason, selected_by: `adapter:${config.name}:${state}`, source_class: 'adapter' });
    };
    selection.warnings.push(...payload.warnings.map((warning) => `adapter ${config.name}: ${warning}`));
    // Not by its id: that may be what is unsafe.
    for (const name of payload.unsafe ?? []) drop(name, 'unsafe');
    const source = { config, payload, now };
    const all = payload.items.map((item) => shownItem(item, source, selection.warnings));
    const shown = all.slice(0, config.max_items ?? DEFAULT_ITEMS);
    for (const { item, about } of all.slice(shown.length)) drop(about.id, 'budget_files', item.state);
    if (shown[0]) entries.push({ best: shown[0].item, candidate: candidateOf(shown, source, sha256) });
    const { fetched_at, total } = payload;
    const fetched = timeOf(fetched_at);
    const isOld = now === null || fetched === null ? null : isStale(now - fetched, config);
    const isEach = (stale: boolean) => all.length > 0 && all.every(({ about }) => about.stale === stale);
    const stale = isEach(true) ? true : (isOld ?? (isEach(false) ? false : null));
    selection.reports.push(reportOf(config, 'loaded', { fetched_at, items: total, stale }));
  }
  entries.sort((a, b) => compareItems(a.best, b.best) || compareCodePoints(a.candidate.path, b.candidate.path));
  selection.candidates.push(...entries.map(({ candidate }) => candidate));
  return selection;
}

function entryPath({ name }: AdapterConfig): string {
  return `adapter/${name}`;
}

function reportOf(
  { name, kind }: AdapterConfig,
  status: AdapterReport['status'],
  known: Partial<AdapterReport>,
): AdapterReport {
  const nothing = { reason: null, fetched_at: null, items: 0, selected: 0, stale: null };
  return { id: name, kind, status, ...nothing, ...known };
}

function timeOf(text: string | null): number | null {
  return text === null ? null : parseTime(text);
}

function shownItem(item: AdapterItem, { config, payload, now }: Source, warnings: string[]): Shown {
  const { id, state, priority, source_updated_at } = item;
  const line = (name: string, value: string): string[] => {
    const safe = oneLine(value);
    if (safe !== value) warnings.push(`adapter entry: forged_structure in ${name} is made harmless.`);
    return safe === '' ? [] : [`${name}: ${safe}`];
  };
  const lines = [
    line('id', id),
    line('title', item.title),
    line('state', state),
    line('priority', priority === null ? '' : String(priority)),
    ...item.tags.map((tag) => line('tag', tag)),
    line('updated', source_updated_at ?? ''),
    // Set in, so that no line of it can pose as a field or as another item.
    item.summary === ''
      ? []
      : item.summary.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((part) => `  ${part}`.trimEnd()),
  ].flat();
  const reference = now ?? timeOf(payload.fetched_at);
  const updated = timeOf(source_updated_at);
  const age = reference === null || updated === null ? null : reference - updated;
  const about = {
    id: oneLine(id),
    state,
    updated_at: updated === null ? null : formatTime(updated),
    age_seconds: age === null ? null : Math.floor(age / 1000),
    stale: state === 'stale' ? true : age === null ? null : isStale(age, config),
  };
  return { item, about, text: lines.join('\n') };
}

function candidateOf(shown: readonly Shown[], { config, payload }: Source, sha256: Sha256): Candidate {
  const about = (some: readonly Shown[]): AdapterProvenance => {
    const items = some.map((each) => each.about);
    const updated = items.flatMap(({ updated_at }) => updated_at ?? []).sort(compareCodePoints);
    const isAny = (stale: boolean | null) => items.some((item) => item.stale === stale);
    return {
      origin: 'adapter',
      authoritative: false,
      adapter: config.name,
      fetched_at: payload.fetched_at,
      updated_at: updated.at(-1) ?? null,
      stale: isAny(true) || (isAny(null) ? null : false),
      items,
    };
  };
  const described = {
    path: entryPath(config),
    source_class: 'adapter' as const,
    selected_by: `adapter:${config.name}:${shown[0]?.item.state ?? 'unknown'}`,
    provenance: about(shown),
  };
  const shorten = (max: number): Shortened => {
    const kept = fitted(shown, max);
    return { text: joined(kept), provenance: about(kept) };
  };
  return { ...textCandidate(joined(shown), described, sha256), shorten };
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

export type Sha256 = (text: string) => string;

type Described = Pick<Candidate, 'path' | 'source_class' | 'selected_by' | 'provenance'>;

// A text that is already in memory, as a candidate beside the files.
export function textCandidate(text: string, described: Described, sha256: Sha256): Candidate {
  const value = {
    text,
    whole: true,
    total_chars: codePointLength(text),
    total_bytes: utf8Length(text),
    sha256: sha256(text),
    identity: described.path,
    valid: true,
  };
  return { ...described, read: () => ({ status: 'ok', value }) };
}

// All control characters, written out: a Unicode class would take longer to load than the rest of this file.
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

// Keeps forged structure out: a line break in a title could pose as another item.
export function oneLine(text: string): string {
  return text.replace(BREAKS, ' ');
}
