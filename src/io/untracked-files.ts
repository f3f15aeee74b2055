import { statfsSync } from 'node:fs';
import { mayChangeUnseen } from './clock-tick.ts';
import type { GitFolder } from './git-folder.ts';
import { ignoreSources, ownersFolders } from './ignore-sources.ts';
import { areAsMarked, changesIn, devicesIn, marksOf, type Place, type PlaceMarks, unchangedIn } from './place-marks.ts';
import { type SeenFolders, seenFolders } from './seen-folders.ts';

/**
 * What git does not track, with all that this depends on: a name can only come or go where a folder's times change, and
 * another is only ignored when a file that decides on it does. Derived: lost, git is asked again.
 */
export interface KnownUntracked extends SeenFolders {
  names: string[];
  /** Git's index, its folders, and whose settings count. */
  state: string;
  /** Files outside that decide what is ignored; what a link leads to counts. */
  outside: string[];
  /** Of `outside`, `ignoring` and `folders`, in base64. */
  marks: string;
}

/** It could not be found out: for a while that is not tried again. */
export interface NotKnown {
  triedAt: number;
}

const TRY_AGAIN_MS = 60 * 60 * 1_000;

// Where folders are dated by the system itself whenever a name in them comes or goes: ext, tmpfs, xfs, btrfs, f2fs, zfs,
// bcachefs, overlay.
const DATED = new Set([0xef53, 0x01021994, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630]);

/** What the known names are good for; null where git must be asked every time. */
export function untrackedState({ own, shared }: GitFolder, index: string): string | null {
  const owners = ownersFolders(process.env);
  return owners && index !== '' ? JSON.stringify([index, own, shared, owners.home, owners.settings]) : null;
}

/** The names that git would give again, or null: then git must be asked. */
export function stillUntracked(
  root: string,
  known: KnownUntracked | NotKnown | null,
  state: string | null,
): string[] | null {
  if (known === null || 'triedAt' in known || known.state !== state) return null;
  return areAsMarked(placesOf(root, known), marksIn(known)) ? known.names : null;
}

interface Answer {
  /** What git named. */
  names: string[];
  state: string;
  /** Before git was asked. */
  started: number;
  before: KnownUntracked | NotKnown | null;
  /** Git may read an ignore file from its index alone. */
  readsIndex: boolean;
}

/** Finds out what git's answer depends on; null where that may change unseen just now, or was tried in vain of late. */
export async function learnUntracked(
  root: string,
  folder: GitFolder,
  answer: Answer,
): Promise<KnownUntracked | NotKnown | null> {
  const { started, before } = answer;
  const isNotKnown = before !== null && 'triedAt' in before;
  if (isNotKnown && Math.abs(started - before.triedAt) < TRY_AGAIN_MS) return null;
  const known = await dependsOn(root, folder, { ...answer, before: isNotKnown ? null : before });
  if (known === null) return { triedAt: started };
  return changesIn(marksIn(known)).some((changed) => mayChangeUnseen(changed, started)) ? null : known;
}

async function dependsOn(
  root: string,
  folder: GitFolder,
  { names, state, before, readsIndex }: Answer & { before: KnownUntracked | null },
): Promise<KnownUntracked | null> {
  const owners = ownersFolders(process.env);
  if (owners === null || !DATED.has(statfsSync(root).type)) return null;
  const rules = before && !readsIndex && sameRules(root, before, state) ? before : null;
  const outside = rules?.outside ?? (await ignoreSources(root, folder, owners));
  const seen = outside && ((rules && (await seenAgain(root, rules))) ?? (await seenFolders(root, null)));
  if (!seen) return null;
  const known = { names, state, outside, ...seen };
  const marks = marksOf(placesOf(root, known));
  if (!marks) return null;
  // Folders of another file system may be dated in another way.
  const devices = devicesIn(marks).slice(outside.length + seen.ignoring.length);
  if (new Set(devices).size !== 1) return null;
  return { ...known, marks: Buffer.from(marks.buffer).toString('base64') };
}

type Depends = Pick<KnownUntracked, 'outside' | 'ignoring' | 'folders'>;

function placesOf(root: string, { outside, ignoring, folders }: Depends): Place[] {
  return [
    ...outside.map((path) => ({ path, followed: true })),
    ...[...ignoring, ...folders].map((name) => ({ path: name === '' ? root : `${root}/${name}`, followed: false })),
  ];
}

function marksIn({ marks }: KnownUntracked): PlaceMarks {
  return new Float64Array(Uint8Array.from(Buffer.from(marks, 'base64')).buffer);
}

// The same settings and ignore files: what was ignored still is. Git's index may be another.
function sameRules(root: string, before: KnownUntracked, state: string): boolean {
  const withoutIndex = (text: string): string => JSON.stringify(JSON.parse(text).slice(1));
  return (
    withoutIndex(before.state) === withoutIndex(state) &&
    areAsMarked(placesOf(root, { ...before, folders: [] }), marksIn(before))
  );
}

function seenAgain(root: string, known: KnownUntracked): Promise<SeenFolders | null> {
  const places = placesOf(root, known);
  const first = places.length - known.folders.length;
  const unchanged = new Set(unchangedIn(places, marksIn(known)).flatMap((n) => known.folders[n - first] ?? []));
  return seenFolders(root, { ...known, unchanged });
}
