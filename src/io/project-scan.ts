import { join } from 'node:path';
import { bytesOf, type FileStats, NUMBERS, settledStats, statsOf } from './file-stats.ts';
import { listFolder } from './folder-listing.ts';
import { git } from './git.ts';
import { type GitFolder, gitFolderOf, hasPlainSettings, indexMark } from './git-folder.ts';
import { namesFromWalk } from './project-walk.ts';
import { sha256Of } from './sha256.ts';
import { lookAtTracked } from './tracked-look.ts';
import {
  type KnownUntracked,
  learnUntracked,
  type NotKnown,
  stillUntracked,
  untrackedState,
} from './untracked-files.ts';

/** A file that only its stat can tell: changed or marked since it was tracked, or (`other`) not tracked at all. */
interface Loose {
  name: string;
  other: boolean;
}

/**
 * All files of a project at one instant. `tracked`: what git's index lists, told by `signature` without being read, and
 * beside it the loose files. `walked`: plain names; then `loose` is empty and all have a stat.
 */
export interface ProjectScan {
  kind: 'tracked' | 'walked';
  signature: string;
  /** Records as git prints them, or plain names; every record is ended by NUL. */
  records(): Buffer;
  /** Tracked files that git was told not to look at, or that are in conflict: their stat is always asked. */
  special: string[];
  loose: Loose[];
  /** Of each loose or walked file. */
  stats: FileStats;
  /** Where the listing is kept, once it is. */
  file?: string;
}

/** What `find` says of a state of the files. Derived: lost, it is found out again. */
export interface KnownListing {
  /** Of the scan. */
  digest: string;
  sha256: string;
  /** The folders that were left out. */
  out: string[];
}

/** What git's index lists, as soon as it is known: git looks at the files for some time after that. */
export type Listed = (records: Buffer, signature: string) => void;

/** What was found out about the files at earlier calls: what tells sooner that nothing has changed since. */
export interface KnownListings {
  known(): KnownListing | null;
  learn(listing: KnownListing): void;
  untracked(): KnownUntracked | NotKnown | null;
  learnUntracked(known: KnownUntracked | NotKnown): void;
  /** From how many files on `find` is asked. */
  from: number;
  /** Whether there are so many in the scan that was opened. */
  isLarge(): boolean;
  now(): number;
}

const TRIES = 3;
const UNCHANGED = 'H'.charCodeAt(0);
export const PLAIN_FILE = /^100\d{3} ([0-9a-f]+) 0\t/;

// Git looks at a hundred thousand files faster than we can. But comparing contents may run a filter that the
// repository's own settings name: with such settings git only lists names, and every file is looked at here.
export async function scanProject(
  root: string,
  opened: () => ProjectScan | null,
  listings: KnownListings,
  onListed?: Listed,
): Promise<ProjectScan> {
  const folder = gitFolderOf(root);
  const tracked =
    folder && hasPlainSettings(folder) ? await scanTracked(root, { folder, opened, listings, onListed }) : null;
  if (tracked) return tracked;
  if (folder === null) return scanUntracked(root, opened, listings);
  const listed = await git(root, ['ls-files', '-z', '-c', '-o', '--exclude-standard', '--', '.']);
  return walked(root, listed ?? namesFromWalk(root).records);
}

function walked(root: string, records: Buffer): ProjectScan {
  const stats = statsOf(root, namesIn(records));
  return { kind: 'walked', signature: '', records: () => records, special: [], loose: [], stats };
}

// Without git JavaScript walks. Of very many files the system's own `find` tells sooner that nothing has changed. It works
// while the index is opened.
async function scanUntracked(
  root: string,
  opened: () => ProjectScan | null,
  { known, learn, from }: KnownListings,
): Promise<ProjectScan> {
  const before = known();
  const looking = before && listFolder(root, { out: before.out });
  const kept = opened();
  const isLarge = kept?.kind === 'walked' && kept.stats.length / NUMBERS >= from;
  const listing = await (looking ?? (isLarge ? listFolder(root, { out: [] }) : null));
  if (kept && before && listing?.sha256 === before.sha256 && digestOf(kept) === before.digest) return kept;
  const { records, out } = namesFromWalk(root);
  const scan = walked(root, records);
  // What stands in folders that are left out is in a listing that did not know of them: the next call makes one without.
  const isWhole = out.join('\0') === (before?.out ?? []).join('\0');
  if (listing?.isSettled()) learn({ digest: digestOf(scan), sha256: isWhole ? listing.sha256 : '', out });
  return scan;
}

async function scanTracked(
  root: string,
  {
    folder,
    opened,
    listings,
    onListed,
  }: {
    folder: GitFolder;
    opened: () => ProjectScan | null;
    listings: KnownListings;
    onListed: Listed | undefined;
  },
): Promise<ProjectScan | null> {
  for (let tries = 1; ; tries += 1) {
    const look = lookAtTracked(root, folder);
    const { index: before } = look;
    const started = listings.now();
    const state = untrackedState(folder, before);
    const known = listings.untracked();
    const asBefore = stillUntracked(root, known, state);
    const lookingBeside = asBefore ? null : git(root, ['ls-files', '-z', '-o', '--exclude-standard', '--', '.']);
    const kept = opened();
    const same = kept?.kind === 'tracked' && kept.signature === before && before !== '';
    const listing = same ? null : git(root, ['ls-files', '-z', '-v', '-s', '-c', '--', '.']);
    if (tries === 1) void listing?.then((records) => records && onListed?.(records, before));
    const [changed, found, listed] = await Promise.all([look.changed, lookingBeside, listing]);
    if (!changed || !(asBefore || found) || !(same || listed)) return null;
    const others = asBefore ?? namesIn(found as Buffer);
    const steady = (indexMark(folder) ?? '') === before;
    if (!steady && tries < TRIES) continue;
    const special = same ? kept.special : specialIn(listed as Buffer);
    const ours = new Set([...namesIn(changed), ...special]);
    const loose = [...ours].map((name) => ({ name, other: false }));
    for (const name of others) loose.push({ name, other: true });
    const stats = statsOf(
      root,
      loose.map(({ name }) => name),
    );
    if (!asBefore && steady && state !== null && listings.isLarge()) {
      const readsIndex = folder.own !== join(root, '.git') || special.some((name) => name.endsWith('.gitignore'));
      const answer = { names: others, state, started, before: known, readsIndex };
      const learnt = await learnUntracked(root, folder, answer);
      if (learnt) listings.learnUntracked(learnt);
    }
    return {
      kind: 'tracked',
      // Git's index changed all the while: this listing is good for now, and is asked for again next time.
      signature: steady ? before : '',
      records: same ? kept.records : () => listed as Buffer,
      special,
      loose,
      stats,
      ...(same && kept.file ? { file: kept.file } : {}),
    };
  }
}

// Of a hundred thousand files it is megabytes that stand in one: each scan is read through once.
const digests = new WeakMap<ProjectScan, string>();

/** Stands for the whole scan. */
export function digestOf(scan: ProjectScan): string {
  let digest = digests.get(scan);
  if (digest === undefined) {
    const { kind, signature, records, loose, stats } = scan;
    const names = loose.map(({ name, other }) => `${other ? '?' : 'C'}${name}\0`).join('');
    const listing = kind === 'walked' ? records() : '';
    digest = sha256Of([kind, signature, listing, names, bytesOf(stats)]);
    digests.set(scan, digest);
  }
  return digest;
}

export function settled(scan: ProjectScan, started: number): ProjectScan {
  return { ...scan, stats: settledStats(scan.stats, started) };
}

function specialIn(records: Buffer): string[] {
  const special: string[] = [];
  for (let at = 0; at < records.length; ) {
    const end = records.indexOf(0, at);
    if (records[at] !== UNCHANGED)
      special.push(records.toString('utf8', at + 2, end).replace(/^\d{6} [0-9a-f]+ \d\t/, ''));
    at = end + 1;
  }
  return [...new Set(special)];
}

export function namesIn(records: Buffer): string[] {
  const names = records.toString('utf8').split('\0');
  names.pop();
  return names;
}
