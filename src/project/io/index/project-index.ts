import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sortedByCodePoint } from '../../../code-points.ts';
import { type Fingerprints, fingerprintsOf, isPlainFile, isSameFile, sha256 } from '../../../files/file-fingerprint.ts';
import { lockAt } from '../../../files/lock.ts';
import type { IndexView } from '../../../matching/index/index-view.ts';
import { SortedTexts } from '../../../matching/index/segment.ts';
import { segmentedIndex } from '../../../matching/index/segmented-index.ts';
import type { History } from '../../../matching/signals/history.ts';
import type { Tokenizer } from '../../../matching/text/terms.ts';
import { ProjectHistory } from '../git.ts';
import { type IndexPart, IndexStore, type StoredPart } from './index-store.ts';
import { readInThread, readParts, sharesOf } from './read-parts.ts';

export type Progress = (done: number, total: number) => void;

/** Files of a project, each once, and what tells their contents from others. */
export interface ProjectFiles {
  names: readonly string[];
  prints: Fingerprints;
}

export interface IndexSource {
  /** The project's real path. */
  root: string;
  cacheFolder: string;
  tokenizer: Tokenizer;
}

// Parts of so few documents are read again together before they become many.
const SMALL_PART = 1_000;
const MOST_SMALL_PARTS = 12;

/** What the parts of an index know of some files. */
interface Known {
  /** For each part which of its documents count: one byte each. */
  live: Uint8Array[];
  /** Files that no part knows as they are now. */
  missing: string[];
}

export function indexFolder(cacheFolder: string, root: string): string {
  return join(cacheFolder, 'index', sha256(root).slice(0, 32));
}

/** The index of one project. Whoever asks says which files count; lost, broken or old, it is made again. */
export class ProjectIndex {
  private readonly place: IndexSource;
  private readonly folder: string;
  private readonly store: IndexStore;
  private readonly past: ProjectHistory;
  private parts: StoredPart[] | null = null;
  /** Where the manifest of `parts` was; null when they are in memory alone. */
  private mark: string | null = null;

  constructor(place: IndexSource) {
    this.place = place;
    this.folder = indexFolder(place.cacheFolder, place.root);
    this.store = new IndexStore(this.folder);
    this.past = new ProjectHistory(place.root, this.store);
  }

  /** These files as one index; what is new or has changed is read first. */
  async view(files: ProjectFiles, onProgress?: Progress, mostRead = Number.POSITIVE_INFINITY): Promise<IndexView> {
    this.open();
    let known = knownIn(this.parts ?? [], files);
    if (this.parts === null || (known.missing.length > 0 && known.missing.length <= mostRead))
      await this.locked(async (writable) => {
        // Another process may have done the work while this one waited.
        if (writable) this.open();
        known = knownIn(this.parts ?? [], files);
        if (this.parts !== null && known.missing.length === 0) return;
        known = await this.update(files, known, { writable, onProgress });
      });
    return segmentedIndex((this.parts ?? []).map(({ segment }, i) => ({ segment, live: known.live[i] as Uint8Array })));
  }

  history(depth: number): Promise<History | null> {
    return this.past.newest(depth);
  }

  async rebuild(files: ProjectFiles, onProgress?: Progress): Promise<void> {
    await this.locked(async (writable) => {
      if (writable) this.store.clear();
      this.parts = null;
      await this.update(files, knownIn([], files), { writable, onProgress });
    });
  }

  isBuilt(): boolean {
    return this.store.mark() !== null;
  }

  /** What the index holds of these files; null where there is none. */
  status(files: ProjectFiles): { documents: number; parts: number } | null {
    this.open();
    if (this.parts === null) return null;
    const { live } = knownIn(this.parts, files);
    const documents = live.reduce((sum, marks) => marks.reduce((count, mark) => count + mark, sum), 0);
    return { documents, parts: this.parts.length };
  }

  // Takes over what another process has put in force since.
  private open(): void {
    const mark = this.store.mark();
    if (this.parts !== null && (this.mark === null || this.mark === mark)) return;
    this.parts = mark === null ? null : this.store.open();
    this.mark = mark;
  }

  private async update(files: ProjectFiles, { live, missing }: Known, work: Work): Promise<Known> {
    const before = this.parts ?? [];
    const { leave, again } = worthReading(before, live, { files, root: this.place.root });
    const names = sortedByCodePoint(new Set([...missing, ...again]));
    const added: StoredPart[] = [];
    for await (const part of this.read(names, work.onProgress))
      added.push(work.writable ? this.store.add(part) : { ...part, file: null });
    const parts = [...before.filter((part) => !leave.has(part)), ...added];
    if (work.writable) this.store.publish(parts);
    this.parts = parts;
    this.mark = work.writable ? this.store.mark() : null;
    return knownIn(parts, files, added);
  }

  // A large first index is read by several threads at once; what a thread could not do is read here.
  private async *read(names: readonly string[], onProgress?: Progress): AsyncGenerator<IndexPart> {
    const { root, tokenizer } = this.place;
    const shares = sharesOf(names);
    const done = shares.map(() => 0);
    const step = (share: number) => (count: number) => {
      done[share] = count;
      onProgress?.(
        done.reduce((sum, one) => sum + one, 0),
        names.length,
      );
    };
    const readHere = (share: number) =>
      readParts({ root, names: shares[share] as string[] }, tokenizer, (count) => {
        step(share)(count);
        return new Promise((resolve) => setImmediate(resolve));
      });
    const others = shares
      .slice(1)
      .map((share, i) => readInThread({ root, names: share }, step(i + 1)).catch(() => null));
    yield* readHere(0);
    for (const [i, other] of others.entries()) yield* (await other) ?? readHere(i + 1);
  }

  private async locked(work: (writable: boolean) => Promise<void>): Promise<void> {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      await lockAt(join(this.folder, 'build.lock')).run(() => work(true));
    } catch {
      // The cache can't be locked or written: what is missing is read into memory.
      await work(false);
    }
  }
}

interface Work {
  /** False: nothing is written, the parts live in memory. */
  writable: boolean;
  onProgress: Progress | undefined;
}

// A file that was just read counts as it was read, however young it is.
function knownIn(
  parts: readonly IndexPart[],
  { names, prints }: ProjectFiles,
  justRead: readonly IndexPart[] = [],
): Known {
  const places = new Map(names.map((name, place) => [name, place]));
  const isKnown = new Uint8Array(names.length);
  const live = parts.map(({ segment }) => new Uint8Array(segment.count));
  // The newest first: a file may be in several parts.
  for (let i = parts.length - 1; i >= 0; i -= 1) {
    const part = parts[i] as IndexPart;
    const [marks, paths, isFresh] = [
      live[i] as Uint8Array,
      new SortedTexts(part.segment.paths),
      justRead.includes(part),
    ];
    for (let id = 0; id < marks.length; id += 1) {
      const place = places.get(paths.at(id));
      if (place === undefined || isKnown[place] === 1) continue;
      if (!isFresh && !isSameFile(part.prints, id, prints, place)) continue;
      isKnown[place] = 1;
      marks[id] = part.counts[id] === 1 ? 1 : 0;
    }
  }
  return { live, missing: names.filter((_, place) => isKnown[place] === 0 && isPlainFile(prints, place)) };
}

// Parts to leave, and what of them is still good and has to be read again: parts of which more than half is out of date,
// and small ones where they have become many.
function worthReading(
  parts: readonly StoredPart[],
  live: readonly Uint8Array[],
  { files, root }: { files: ProjectFiles; root: string },
): { leave: Set<StoredPart>; again: string[] } {
  const asked = new Set(files.names);
  const good = parts.map(({ segment, prints }, i) => {
    const list = new SortedTexts(segment.paths);
    const paths = Array.from({ length: segment.count }, (_, id) => list.at(id));
    // Files that this question is not about may be what another is about.
    const others = paths.flatMap((path, id) => (asked.has(path) ? [] : [{ path, id }]));
    const now = fingerprintsOf(
      root,
      others.map(({ path }) => path),
    );
    const same = others.filter(({ id }, at) => isSameFile(prints, id, now, at)).map(({ path }) => path);
    return [...paths.filter((_, id) => live[i]?.[id] === 1), ...same];
  });
  const small = parts.filter(({ segment }) => segment.count < SMALL_PART);
  const leave = new Set(small.length >= MOST_SMALL_PARTS ? small : []);
  for (const [i, part] of parts.entries()) if ((good[i] as string[]).length * 2 < part.segment.count) leave.add(part);
  return { leave, again: parts.flatMap((part, i) => (leave.has(part) ? (good[i] as string[]) : [])) };
}
