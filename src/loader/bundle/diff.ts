import { sortedByCodePoint } from '../../code-points.ts';
import { canonicalJson, isRecord } from '../../json.ts';
import type { Sha256 } from '../slices/adapter-slice.ts';
import type { Bundle } from './bundle.ts';
import type { Slice } from './partitions.ts';
import { isReadme, isSkimmed } from './skim.ts';

export interface BundleChange {
  /** The part of the bundle: `files`, `control_plane`, `arguments`, `policy`, … */
  part: string;
  change: 'added' | 'removed' | 'changed';
  /** A path, an argument's name, an adapter's id. */
  name: string;
  detail: string;
}

export interface BundleDiff {
  same: boolean;
  changes: BundleChange[];
}

type Fields = Record<string, unknown>;

// What moved between two bundles, in the order a reader asks: what was asked for, what is in, what is out.
export function diffBundles(before: Bundle, after: Bundle, sha256: Sha256): BundleDiff {
  const [a, b] = [before as unknown as Fields, after as unknown as Fields];
  const changes: BundleChange[] = [];
  const ofBundle = (name: string, detail: string) => changes.push({ part: 'bundle', change: 'changed', name, detail });
  for (const [name, { bundle_sha256, ...content }] of Object.entries({ first: a, second: b }))
    if (bundle_sha256 !== sha256(canonicalJson(content))) ofBundle(name, 'was edited: its own hash does not match');
  const [was, is] = [partsOf(a), partsOf(b)];
  for (const [at, { part, isList, entries }] of was.entries())
    changes.push(...partChanges(part, isList, [entries, is[at]?.entries ?? new Map()]));
  const same = isSame(a, b);
  if (!same && changes.length === 0) ofBundle('order', 'the same entries are in another order');
  return { same, changes };
}

interface Part {
  part: string;
  /** Entries that come and go; of the others each has a value, even if it is none. */
  isList: boolean;
  entries: Map<string, unknown>;
}

function partsOf(bundle: Fields): Part[] {
  const { files, ...control } = fieldsOf(bundle.control_plane);
  const record = (part: string, value: unknown): Part => ({
    ...{ part, isList: false },
    entries: new Map(Object.entries(fieldsOf(value))),
  });
  const list = (part: string, value: unknown, key?: string): Part => ({
    ...{ part, isList: true },
    entries: byName(value, key),
  });
  return [
    ...['arguments', 'policy', 'budget', 'fallback'].map((part) => record(part, bundle[part])),
    ...['version', 'task', 'task_key', 'dropped_beyond'].map((part) => record(part, { [part]: bundle[part] })),
    ...[record('history', bundle.history), record('control_plane', control), list('control_plane', files, 'path')],
    ...[list('files', bundle.files, 'path'), list('dropped', bundle.dropped, 'path')],
    ...[list('adapters', bundle.adapters, 'id'), list('warnings', bundle.warnings)],
  ];
}

function partChanges(part: string, isList: boolean, [a, b]: [Part['entries'], Part['entries']]): BundleChange[] {
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.flatMap((name): BundleChange[] => {
    const [from, to] = [a.get(name), b.get(name)];
    if (isSame(from, to)) return [];
    if (!isList) {
      const why =
        part === 'history' ? ': past commits rank; a shallow clone ranks differently, fetch the same depth' : '';
      return [{ part, change: 'changed', name, detail: fromTo(from, to) + why }];
    }
    if (!b.has(name)) return [{ part, change: 'removed', name, detail: 'is no longer there' }];
    if (!a.has(name)) return [{ part, change: 'added', name, detail: 'is new' }];
    const detail = part === 'files' ? fileDetail : fieldDetail;
    return [{ part, change: 'changed', name, detail: detail(fieldsOf(from), fieldsOf(to)) }];
  });
}

// What moved of one slice: what follows the task may move, what must be stable is held.
export function sliceDiff(
  { before, after, slice }: { before: Bundle; after: Bundle; slice: Slice },
  { changes }: BundleDiff,
): BundleDiff {
  const paths = new Set(
    [...before.files, ...after.files, ...before.dropped, ...after.dropped]
      .filter(({ source_class }) => source_class === slice)
      .map(({ path }) => path),
  );
  // Nobody works by a README, and of a manifest only what was given counts: a version number moves nothing.
  const excerpt = ({ files }: Bundle, name: string) =>
    files.find(({ path }) => path === name)?.excerpt.replace(/\d+(?:\.\d+){2,}[\w.+-]*/g, '0');
  const isFree = (name: string): boolean =>
    slice === 'control_plane' &&
    (isReadme(name) || (isSkimmed(name) && excerpt(before, name) === excerpt(after, name)));
  const own = changes.filter(
    ({ part, name }) =>
      !isFree(name) &&
      (part === 'bundle' ||
        part === 'policy' ||
        (part === slice && slice === 'control_plane') ||
        (slice === 'adapter' && part === 'adapters') ||
        ((part === 'files' || part === 'dropped') && paths.has(name))),
  );
  return { same: own.length === 0, changes: own };
}

function fileDetail(a: Fields, b: Fields): string {
  const said: string[] = [];
  if (a.sha256 !== b.sha256 || a.total_bytes !== b.total_bytes) said.push('its content changed');
  else if (a.excerpt !== b.excerpt) said.push(`another part is shown: ${fromTo(a.chars, b.chars)} characters`);
  if (a.rank !== b.rank) said.push(`place ${fromTo(a.rank, b.rank)}`);
  for (const key of ['source_class', 'selected_by', 'provenance', 'score'])
    if (!isSame(a[key], b[key])) said.push(`${key} ${fromTo(a[key], b[key])}`);
  return said.join('; ') || 'other fields changed';
}

function fieldDetail(a: Fields, b: Fields): string {
  return sortedByCodePoint(new Set([...Object.keys(a), ...Object.keys(b)]))
    .filter((key) => !isSame(a[key], b[key]))
    .map((key) => `${key} ${fromTo(a[key], b[key])}`)
    .join('; ');
}

// Somebody may have written anything there, also a thing that can't be turned into a text.
function byName(list: unknown, key?: string): Map<string, unknown> {
  const nameOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
  const items = Array.isArray(list) ? list : [];
  return new Map(items.map((item) => [nameOf(key === undefined ? item : fieldsOf(item)[key]), item]));
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
}

function fromTo(a: unknown, b: unknown): string {
  return `${short(a)} → ${short(b)}`;
}

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
