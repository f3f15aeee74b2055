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

const PLAIN_PARTS = ['version', 'task', 'task_key', 'dropped_beyond'] as const;
const RECORD_PARTS = ['arguments', 'policy', 'budget', 'fallback'] as const;

// What moved between two bundles, in the order a reader asks: what was asked for, what is in, what is out.
export function diffBundles(before: Bundle, after: Bundle, sha256: Sha256): BundleDiff {
  const [a, b] = [before as unknown as Fields, after as unknown as Fields];
  const changes: BundleChange[] = [];
  const ofBundle = (name: string, detail: string) => changes.push({ part: 'bundle', change: 'changed', name, detail });
  for (const [name, { bundle_sha256, ...content }] of Object.entries({ first: a, second: b }))
    if (bundle_sha256 !== sha256(canonicalJson(content))) ofBundle(name, 'was edited: its own hash does not match');
  for (const part of RECORD_PARTS) changes.push(...changedFields(part, fieldsOf(a[part]), fieldsOf(b[part])));
  for (const part of PLAIN_PARTS)
    if (!isSame(a[part], b[part]))
      changes.push({ part, change: 'changed', name: part, detail: fromTo(a[part], b[part]) });
  changes.push(...historyChanges(a.history, b.history));
  changes.push(...controlChanges(fieldsOf(a.control_plane), fieldsOf(b.control_plane)));
  changes.push(...listChanges('files', byName(a.files, pathOf), byName(b.files, pathOf), fileDetail));
  changes.push(...listChanges('dropped', byName(a.dropped, pathOf), byName(b.dropped, pathOf), fieldDetail));
  changes.push(...listChanges('adapters', byName(a.adapters, idOf), byName(b.adapters, idOf), fieldDetail));
  changes.push(...listChanges('warnings', byName(a.warnings, nameOf), byName(b.warnings, nameOf), fieldDetail));
  const same = isSame(a, b);
  if (!same && changes.length === 0) ofBundle('order', 'the same entries are in another order');
  return { same, changes };
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
  const excerpt = ({ files }: Bundle, name: string) => files.find(({ path }) => path === name)?.excerpt;
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

// The past is part of the state where it helps to rank: then the same files may be in another order.
function historyChanges(a: unknown, b: unknown): BundleChange[] {
  const change = (name: string, [from, to]: unknown[], why: string): BundleChange[] =>
    isSame(from, to) ? [] : [{ part: 'history', change: 'changed', name, detail: `${fromTo(from, to)}${why}` }];
  if (!isRecord(a) || !isRecord(b))
    return change('history', [a ?? null, b ?? null], ': past commits helped to rank only one');
  return [
    ...change('head', [a.head, b.head], ': a different history ranks differently'),
    ...change('depth', [a.depth, b.depth], ' commits: a shallow clone ranks differently; fetch the same depth'),
  ];
}

function controlChanges(a: Fields, b: Fields): BundleChange[] {
  const { files: filesBefore, ...before } = a;
  const { files: filesAfter, ...after } = b;
  return [
    ...changedFields('control_plane', before, after),
    ...listChanges('control_plane', byName(filesBefore, pathOf), byName(filesAfter, pathOf), fieldDetail),
  ];
}

function changedFields(part: string, a: Fields, b: Fields): BundleChange[] {
  return sortedByCodePoint(new Set([...Object.keys(a), ...Object.keys(b)]))
    .filter((key) => !isSame(a[key], b[key]))
    .map((key) => ({ part, change: 'changed', name: key, detail: fromTo(a[key], b[key]) }));
}

function listChanges(
  part: string,
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
  detail: (before: Fields, after: Fields) => string,
): BundleChange[] {
  const changes: BundleChange[] = [];
  for (const [name, before] of a) {
    if (!b.has(name)) changes.push({ part, change: 'removed', name, detail: 'is no longer there' });
    else if (!isSame(before, b.get(name)))
      changes.push({ part, change: 'changed', name, detail: detail(fieldsOf(before), fieldsOf(b.get(name))) });
  }
  for (const name of b.keys()) if (!a.has(name)) changes.push({ part, change: 'added', name, detail: 'is new' });
  return changes;
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
  return changedFields('', a, b)
    .map(({ name, detail }) => `${name} ${detail}`)
    .join('; ');
}

function byName(list: unknown, name: (item: unknown) => string): Map<string, unknown> {
  return new Map((Array.isArray(list) ? list : []).map((item) => [name(item), item]));
}

const pathOf = (item: unknown): string => nameOf(fieldsOf(item).path);
const idOf = (item: unknown): string => nameOf(fieldsOf(item).id);

// Somebody may have written anything there, also a thing that can't be turned into a text.
function nameOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
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
