import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'libsql';
import type { History } from '../matching/history.ts';
import type { IndexView } from '../matching/index-view.ts';
import { byCodePoint } from '../matching/query.ts';
import type { Segment } from '../matching/segment.ts';
import { liveIn, segmentedIndex } from '../matching/segmented-index.ts';
import type { Tokenizer } from '../matching/terms.ts';
import { gitHead, gitHistory } from './git-history.ts';
import { type Progress, segmentsOf } from './index-builder.ts';
import { IndexStore, indexFolder } from './index-store.ts';
import { lockAt } from './lock.ts';
import { difference, digestOf, identitiesIn, type ProjectScan, scanProject, settled } from './project-scan.ts';
import { sha256 } from './sha256.ts';

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
  sleep(ms: number): Promise<void>;
}

const MOST_LATER = 12;

function indexFolderOf(cacheFolder: string, root: string): string {
  return join(cacheFolder, 'index', sha256(root).slice(0, 32));
}

/** Keeps the index of one project in step with its files. Lost, broken or old, it is made again. */
export class ProjectIndexer {
  private readonly place: IndexPlace;
  private readonly folder: ReturnType<typeof indexFolder>;
  private readonly openDatabase: (path: string) => Database;
  private store: IndexStore | null = null;
  private head: Promise<string | null> | undefined;
  private scanStarted = 0;
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
    if (rescan || this.store === null) {
      // Asked beside the scan, not after it.
      this.head = gitHead(this.place.root);
      await this.freshen(onProgress);
    }
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
      files: identitiesIn(this.store.scan()).size,
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
    const scanning = this.scanned();
    // While git looks at the files, the index is opened.
    const known = this.warmed();
    const scan = await scanning;
    const digest = digestOf(scan);
    if (known === digest) return;
    await this.locked(async () => {
      // Another process may have done the work while this one waited.
      this.reopen();
      if (this.warmed() === digest) return;
      const kept = this.keptScan();
      if (kept) await this.update(kept, scan, onProgress);
      else await this.build(scan, onProgress);
    });
  }

  private warmed(): string | null {
    try {
      if (this.store === null) return null;
      this.currentView();
      return this.store.digest();
    } catch {
      this.close();
      return null;
    }
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
    this.scanStarted = this.place.now();
    return scanProject(this.place.root);
  }

  private async build(scan: ProjectScan, onProgress?: Progress): Promise<void> {
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
    draft.setScan(settled(scan, this.scanStarted), 1);
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
    // Small parts are read again together before they become many.
    const later = segments.filter((segment) => segment.later);
    const folded = later.length >= MOST_LATER ? later : [];
    const again = new Set(changed);
    const foldedView = segmentedIndex(folded);
    for (let id = 0; id < foldedView.size; id += 1) if (foldedView.isLive(id)) again.add(foldedView.path(id));
    for (const path of gone) again.delete(path);
    if (again.size > Math.max(64, this.currentView().documents / 2)) {
      await this.build(scan, onProgress);
      return;
    }
    const made: Segment[] = [];
    for await (const segment of segmentsOf(this.place, [...again].sort(byCodePoint), onProgress)) made.push(segment);
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
        if (touched) store.setDead(segment.id, dead, liveIn(segment, dead));
      }
      for (const segment of made) store.addSegment(segment, true);
      store.setScan(settled(scan, this.scanStarted), generation);
    });
    this.view = null;
  }

  private async addSegments(store: IndexStore, names: readonly string[], onProgress?: Progress): Promise<void> {
    for await (const segment of segmentsOf(this.place, names, onProgress))
      store.change(() => store.addSegment(segment, false));
  }

  private async history(depth: number): Promise<History | null> {
    if (depth <= 0) return null;
    this.head ??= gitHead(this.place.root);
    const head = await this.head;
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
      draft.setScan(settled(scan, this.scanStarted), 1);
      draft.finish();
      this.store = draft;
    }
  }
}

function sortedNames(scan: ProjectScan): string[] {
  return [...identitiesIn(scan).keys()].sort(byCodePoint);
}
