import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'libsql';
import { indexDocument } from '../matching/document.ts';
import type { History } from '../matching/history.ts';
import type { IndexView } from '../matching/index-view.ts';
import { isSecretName } from '../matching/paths.ts';
import { byCodePoint } from '../matching/query.ts';
import { SegmentWriter } from '../matching/segment.ts';
import { segmentedIndex } from '../matching/segmented-index.ts';
import type { Tokenizer } from '../matching/terms.ts';
import { gitHead, gitHistory } from './git-history.ts';
import { IndexStore, indexFolder } from './index-store.ts';
import { lockAt } from './lock.ts';
import { withFile } from './open-file.ts';
import { NUMBERS, namesIn, type ProjectScan, scanProject } from './project-scan.ts';
import { decode, readRange } from './read-text.ts';
import { sha256 } from './sha256.ts';

export type Progress = (done: number, total: number) => void;

export interface ProjectIndex {
  view: IndexView;
  history(depth: number): Promise<History | null>;
}

export interface IndexPlace {
  /** The project's real path. */
  root: string;
  cacheFolder: string;
  tokenizer: Tokenizer;
  now(): number;
  onProgress?: Progress;
  sleep(ms: number): Promise<void>;
}

const MAX_BYTES = 1024 * 1024;
const BINARY_LOOK = 8000;
// One segment is written out before it takes more memory than this.
const SEGMENT_WEIGHT = 48 * 1024 * 1024;
const MOST_SEGMENTS = 12;
// A file changed this shortly before the scan may change again within the same tick of its clock.
const RACY_MS = 20;
const FILES_BETWEEN_PAUSES = 100;

export function indexFolderOf(cacheFolder: string, root: string): string {
  return join(cacheFolder, 'index', sha256(root).slice(0, 32));
}

/** Keeps the index of one project in step with its files. Lost, broken or old, it is made again. */
export class ProjectIndexer {
  private readonly place: IndexPlace;
  private readonly folder: ReturnType<typeof indexFolder>;
  private readonly openDatabase: (path: string) => Database;
  private store: IndexStore | null = null;
  private view: { value: IndexView; generation: number } | null = null;

  constructor(place: IndexPlace, openDatabase: (path: string) => Database) {
    this.place = place;
    this.openDatabase = openDatabase;
    this.folder = indexFolder(indexFolderOf(place.cacheFolder, place.root), openDatabase);
  }

  /** The index as the files are now; with `rescan: false` as it was when last looked at. */
  async index({
    rescan = true,
    onProgress,
  }: {
    rescan?: boolean;
    onProgress?: Progress | undefined;
  } = {}): Promise<ProjectIndex> {
    this.reopen();
    if (rescan || this.store === null) await this.freshen(onProgress);
    return { view: this.currentView(), history: (depth) => this.history(depth) };
  }

  async rebuild(onProgress?: Progress): Promise<void> {
    await this.locked(async () => {
      await this.build(await this.scanned(), onProgress);
    });
  }

  status(): { files: number; documents: number; segments: number } | null {
    this.reopen();
    if (this.store === null) return null;
    const view = this.currentView();
    return {
      files: this.store.scan().stats.length / NUMBERS,
      documents: view.documents,
      segments: this.store.segments().length,
    };
  }

  close(): void {
    this.store?.close();
    this.store = null;
    this.view = null;
  }

  private async freshen(onProgress: Progress | undefined): Promise<void> {
    const scan = await this.scanned();
    const known = this.keptScan();
    if (known && sameScan(known, scan)) return;
    await this.locked(async () => {
      // Another process may have done the work while this one waited.
      this.reopen();
      const kept = this.keptScan();
      if (kept && sameScan(kept, scan)) return;
      if (kept) await this.update(kept, scan, onProgress);
      else await this.build(scan, onProgress);
    });
  }

  private keptScan(): ProjectScan | null {
    try {
      return this.store?.scan() ?? null;
    } catch {
      // Broken: as good as none.
      this.close();
      return null;
    }
  }

  private async scanned(): Promise<ProjectScan> {
    return scanProject(this.place.root);
  }

  private async build(scan: ProjectScan, onProgress?: Progress): Promise<void> {
    const started = this.place.now();
    let draft: IndexStore;
    let published = true;
    try {
      draft = this.folder.draft();
    } catch {
      // No place to keep it: this run works from memory.
      draft = IndexStore.create(this.openDatabase, ':memory:');
      published = false;
    }
    await this.addSegments(draft, sortedNames(scan), onProgress);
    draft.setScan(settled(scan, started), 1);
    draft.finish();
    this.close();
    if (published) {
      this.folder.publish(draft);
      this.reopen();
    } else this.store = draft;
  }

  private async update(kept: ProjectScan, scan: ProjectScan, onProgress?: Progress): Promise<void> {
    const store = this.store as IndexStore;
    const { changed, gone } = difference(kept, scan);
    let segments = store.segments();
    const all = scan.stats.length / NUMBERS;
    // Small parts are read again together before they become many.
    const folded = segments.length >= MOST_SEGMENTS ? segments.slice(1) : [];
    const again = new Set(changed);
    const foldedView = segmentedIndex(folded);
    for (let id = 0; id < foldedView.size; id += 1) if (foldedView.isLive(id)) again.add(foldedView.path(id));
    for (const path of gone) again.delete(path);
    if (again.size > Math.max(64, all / 2)) {
      await this.build(scan, onProgress);
      return;
    }
    const started = this.place.now();
    const made = await this.makeSegments([...again].sort(byCodePoint), onProgress);
    const generation = (store.generation() ?? 0) + 1;
    store.change(() => {
      for (const { id } of folded) store.dropSegment(id);
      segments = segments.filter((segment) => !folded.includes(segment));
      for (const segment of segments) {
        const { idOf } = segmentedIndex([segment]);
        const dead = Uint8Array.from(segment.dead);
        let touched = false;
        for (const path of [...again, ...gone]) {
          const id = idOf(path);
          if (id === undefined) continue;
          dead[id] = 1;
          touched = true;
        }
        if (touched) store.setDead(segment.id, dead);
      }
      for (const segment of made) store.addSegment(segment);
      store.setScan(settled(scan, started), generation);
    });
    this.view = null;
  }

  private async addSegments(store: IndexStore, names: readonly string[], onProgress?: Progress): Promise<void> {
    for await (const segment of this.segmentsOf(names, onProgress)) store.change(() => store.addSegment(segment));
  }

  private async makeSegments(names: readonly string[], onProgress?: Progress) {
    const made = [];
    for await (const segment of this.segmentsOf(names, onProgress)) made.push(segment);
    return made;
  }

  private async *segmentsOf(names: readonly string[], onProgress?: Progress) {
    let writer = new SegmentWriter();
    for (const [done, name] of names.entries()) {
      const text = this.readIndexable(name);
      if (text !== null) writer.add(indexDocument(name, text, this.place.tokenizer));
      if (writer.weight > SEGMENT_WEIGHT) {
        yield writer.end();
        writer = new SegmentWriter();
      }
      if (done % FILES_BETWEEN_PAUSES === FILES_BETWEEN_PAUSES - 1) {
        onProgress?.(done + 1, names.length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    onProgress?.(names.length, names.length);
    if (writer.count > 0) yield writer.end();
  }

  private readIndexable(name: string): string | null {
    if (isSecretName(name)) return null;
    const read = withFile(join(this.place.root, name), this.place.root, ({ fd, size }) => {
      if (size > MAX_BYTES) return null;
      const bytes = readRange(fd, 0, size);
      return bytes.subarray(0, BINARY_LOOK).includes(0) ? null : decode(bytes).text;
    });
    return read.status === 'ok' ? read.value : null;
  }

  private async history(depth: number): Promise<History | null> {
    if (depth <= 0) return null;
    const head = await gitHead(this.place.root);
    if (head === null) return null;
    const kept = this.store?.history(head, depth);
    if (kept) return kept;
    const history = await gitHistory(this.place.root, head, depth);
    if (history) {
      try {
        this.store?.change(() => this.store?.keepHistory(history, depth));
      } catch {
        // Busy or read-only: the next call asks git again.
      }
    }
    return history;
  }

  private currentView(): IndexView {
    const store = this.store as IndexStore;
    const generation = store.generation() ?? 0;
    if (this.view?.generation !== generation) this.view = { value: segmentedIndex(store.segments()), generation };
    return this.view.value;
  }

  private reopen(): void {
    if (this.store !== null && (this.store.path === ':memory:' || this.store.path === this.folder.current())) return;
    this.close();
    this.store = this.folder.open();
  }

  private async locked(work: () => Promise<void>): Promise<void> {
    const folder = indexFolderOf(this.place.cacheFolder, this.place.root);
    const path = join(folder, 'build.lock');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await lockAt(path, this.place.sleep).run(work);
    } catch {
      // The cache can't be locked or written, or the index is broken: this run builds its own in memory.
      this.close();
      const draft = IndexStore.create(this.openDatabase, ':memory:');
      const scan = await this.scanned();
      await this.addSegments(draft, sortedNames(scan));
      draft.setScan(scan, 1);
      draft.finish();
      this.store = draft;
    }
  }
}

function sameScan(a: ProjectScan, b: ProjectScan): boolean {
  return a.names.equals(b.names) && Buffer.from(a.stats.buffer).equals(Buffer.from(b.stats.buffer));
}

// What may still change within its clock's tick is kept with a time that never comes again.
function settled({ names, stats }: ProjectScan, started: number): ProjectScan {
  const kept = stats.slice();
  for (let i = 2; i < kept.length; i += NUMBERS) if ((kept[i] as number) > started - RACY_MS) kept[i] = -1;
  return { names, stats: kept };
}

function sortedNames({ names, stats }: ProjectScan): string[] {
  const list = namesIn(names).filter((_, i) => stats[i * NUMBERS + 3] !== 0);
  return [...new Set(list)].sort(byCodePoint);
}

function difference(kept: ProjectScan, scan: ProjectScan): { changed: string[]; gone: string[] } {
  const before = new Map(namesIn(kept.names).map((name, i) => [name, i]));
  const changed: string[] = [];
  for (const [i, name] of namesIn(scan.names).entries()) {
    const old = before.get(name);
    before.delete(name);
    if (old === undefined) changed.push(name);
    else {
      for (let n = 0; n < NUMBERS; n += 1) {
        if (kept.stats[old * NUMBERS + n] === scan.stats[i * NUMBERS + n]) continue;
        changed.push(name);
        break;
      }
    }
  }
  return { changed, gone: [...before.keys()] };
}
