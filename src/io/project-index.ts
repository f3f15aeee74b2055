import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodePoints } from '../code-point-order.ts';
import type { DocumentCounter } from '../matching/document-counter.ts';
import type { History } from '../matching/history.ts';
import type { IndexView } from '../matching/index-view.ts';
import type { Tokenizer } from '../matching/terms.ts';
import type { Progress } from './index-builder.ts';
import { livePaths, viewOf, withoutPaths } from './index-parts.ts';
import { type IndexPart, type IndexState, IndexStore } from './index-store.ts';
import { lockAt } from './lock.ts';
import { ProjectPast } from './project-past.ts';
import { digestOf, type KnownListings, type Listed, type ProjectScan, scanProject, settled } from './project-scan.ts';
import { difference, filesIn, trackedIn } from './scan-difference.ts';
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
  /** From how many files on a project is large: an answer is guessed while git looks, and `find` looks where git does not. */
  guessFrom?: number;
}

const MOST_LATER = 12;
// So few changed files are read anew by each process: that takes less than a lock, a new part and a new manifest.
const FEW_CHANGED = 4;
// From so many files on git takes longer to look at them than a question takes to answer.
const MANY_FILES = 20_000;

/** What this process holds of the index: the state, where its manifest stood, and what queries see. */
interface Held {
  /** As it is kept. */
  state: IndexState;
  /** Null when it is in memory alone. */
  mark: string | null;
  /** Of the scan that `view` shows, which may hold a few files more than are kept. */
  digest: string;
  view: IndexView;
}

/** Keeps the index of one project in step with its files. Lost, broken or old, it is made again. */
export class ProjectIndexer {
  private readonly place: IndexPlace;
  private readonly folder: string;
  private readonly largeFrom: number;
  private readonly store: IndexStore;
  private readonly past: ProjectPast;
  private readonly counters: { build?: DocumentCounter; later?: DocumentCounter } = {};
  private held: Held | null = null;
  private scanStarted = 0;

  constructor(place: IndexPlace) {
    this.place = place;
    this.largeFrom = place.guessFrom ?? MANY_FILES;
    this.folder = join(place.cacheFolder, 'index', sha256(place.root).slice(0, 32));
    this.store = new IndexStore(this.folder);
    this.past = new ProjectPast(place.root, this.store);
  }

  /** What `use` makes of the index as the files are now; with `rescan: false` as it was when last looked at. */
  async ask<T>(
    { rescan = true, onProgress }: { rescan?: boolean; onProgress?: Progress | undefined },
    use: (index: ProjectIndex) => T | Promise<T>,
  ): Promise<T> {
    if (!rescan) this.reopen();
    if (!rescan && this.held !== null) return use(this.shown(this.held));
    this.past.lookAgain();
    if (this.held === null && this.store.mark() === null) {
      let built: Held | null = null;
      await this.locked(async (held) => {
        this.reopen();
        if (this.held !== null) return;
        await this.buildAnew({ held, onProgress });
        built = this.held;
      });
      // What another process built meanwhile may be older than this question.
      if (built !== null) return use(this.shown(built));
    }
    // Git is started first: it works while the index is opened, and a small process starts another one faster.
    const scanning = this.scanned(() => {
      this.reopen();
      return this.held?.state.scan ?? null;
    });
    const [guess, scan] = await Promise.all([this.guess(use), scanning]);
    await this.freshen(scan, onProgress);
    const held = this.held as unknown as Held;
    return guess?.digest === held.digest ? guess.answer : use(this.shown(held));
  }

  // Most often nothing has changed: the answer is worked out from what is kept while git still looks at many files.
  private async guess<T>(use: (index: ProjectIndex) => T | Promise<T>): Promise<{ digest: string; answer: T } | null> {
    if (this.held === null || this.held.view.documents < this.largeFrom) return null;
    const { digest } = this.held;
    try {
      return { digest, answer: await use(this.shown(this.held)) };
    } catch {
      return null;
    }
  }

  private shown({ view }: Held): ProjectIndex {
    return { view, history: (depth) => this.past.history(depth) };
  }

  async rebuild(onProgress?: Progress): Promise<void> {
    await this.locked((held) => this.buildAnew({ held, onProgress }));
  }

  status(): { files: number; documents: number; segments: number } | null {
    this.reopen();
    if (this.held === null) return null;
    const { state, view } = this.held;
    return { files: filesIn(state.scan).length, documents: view.documents, segments: state.parts.length };
  }

  close(): void {
    for (const { segment } of this.held?.state.parts ?? []) segment.close();
    this.held = null;
  }

  private async freshen(scan: ProjectScan, onProgress: Progress | undefined): Promise<void> {
    this.reopen();
    const digest = digestOf(scan);
    if (this.held?.digest === digest || (await this.showFew(scan))) return;
    await this.locked(async (held) => {
      // Another process may have done the work while this one waited.
      this.reopen();
      if (this.held?.digest === digest) return;
      if (this.held) await this.update(this.held, scan, { held, onProgress });
      else await this.build(scan, { held, onProgress });
    });
  }

  // True when only a few files differ from what is kept: the view has them, and nothing is written.
  private async showFew(scan: ProjectScan): Promise<boolean> {
    if (this.held === null) return false;
    const { state } = this.held;
    const { changed, gone } = difference(state.scan, scan);
    if (changed.length + gone.length > FEW_CHANGED) return false;
    // Only what is kept is told quickly to be as it was.
    if (scan.kind === 'walked' && this.held.view.documents >= this.largeFrom) return false;
    const added = await this.partsOf(changed.sort(compareCodePoints), {
      held: true,
      onProgress: undefined,
      later: true,
    });
    const kept = state.parts.map((part) => withoutPaths(part, [...changed, ...gone]));
    this.held = {
      ...this.held,
      digest: digestOf(settled(scan, this.scanStarted)),
      view: viewOf([...kept, ...added]),
    };
    return true;
  }

  private async scanned(kept: () => ProjectScan | null, onListed?: Listed): Promise<ProjectScan> {
    this.scanStarted = this.place.now();
    const listings: KnownListings = {
      known: () => this.store.found(),
      learn: (listing) => this.store.keepFound(listing),
      untracked: () => this.store.untracked(),
      learnUntracked: (known) => this.store.keepUntracked(known),
      from: this.largeFrom,
      now: this.place.now,
      isLarge: () => (this.held?.view.documents ?? 0) >= this.largeFrom,
    };
    return scanProject(this.place.root, kept, listings, onListed);
  }

  // Files are read while git still looks which of them have changed. One that changes meanwhile is younger than the scan,
  // and what is younger is read again next time.
  private async buildAnew(work: Work): Promise<void> {
    const early: { signature: string; names: readonly string[]; parts: Promise<IndexPart[]> }[] = [];
    const scan = await this.scanned(
      () => null,
      (records, signature) => {
        const names = [...trackedIn(records).keys()].sort(compareCodePoints);
        const parts = this.partsOf(names, { ...work, later: false });
        // Whatever goes wrong is told where they are waited for.
        parts.catch(() => undefined);
        early.push({ signature, names, parts });
      },
      // Whatever comes next counts with the same tables: never beside it.
    ).finally(() => early[0]?.parts.catch(() => undefined));
    const [read] = early;
    const parts = (await read?.parts) ?? [];
    // Another index of git's meanwhile: what was read may be of the one before.
    if (read?.signature === scan.signature && scan.signature !== '') return this.build(scan, work, { ...read, parts });
    for (const { segment } of parts) segment.close();
    return this.build(scan, work);
  }

  private async build(
    scan: ProjectScan,
    { held, onProgress }: Work,
    read: { names: readonly string[]; parts: IndexPart[] } = { names: [], parts: [] },
  ): Promise<void> {
    const files = filesIn(scan);
    const [known, wanted] = [new Set(read.names), new Set(files)];
    const missing = files.filter((name) => !known.has(name));
    const gone = read.names.filter((name) => !wanted.has(name));
    const added = missing.length > 0 ? await this.partsOf(missing, { held, onProgress, later: false }) : [];
    const parts = [...read.parts.map((part) => withoutPaths(part, gone)), ...added];
    this.close();
    this.putInForce({ generation: 1, parts, scan }, { held, tidy: true });
  }

  private async update({ state }: Held, scan: ProjectScan, { held, onProgress }: Work): Promise<void> {
    const { changed, gone } = difference(state.scan, scan);
    // Small parts are read again together before they become many.
    const later = state.parts.filter((part) => part.later);
    const folded = changed.length > 0 && later.length >= MOST_LATER ? later : [];
    const again = new Set(changed);
    for (const part of folded) for (const path of livePaths(part)) again.add(path);
    for (const path of gone) again.delete(path);
    const documents = state.parts.reduce((sum, { segment, dead }) => sum + segment.count - dead.length, 0);
    if (again.size > Math.max(64, documents / 2)) return this.build(scan, { held, onProgress });
    const added = await this.partsOf([...again].sort(compareCodePoints), { held, onProgress, later: true });
    const replaced = [...again, ...gone];
    const kept = state.parts.filter((part) => !folded.includes(part)).map((part) => withoutPaths(part, replaced));
    for (const { segment } of folded) segment.close();
    // What was left behind is removed when there is something to remove.
    const tidy = folded.length > 0 || scan.file !== state.scan.file;
    this.putInForce({ generation: state.generation + 1, parts: [...kept, ...added], scan }, { held, tidy });
  }

  private async partsOf(
    names: readonly string[],
    { held, onProgress, later }: Work & { later: boolean },
  ): Promise<IndexPart[]> {
    const parts: IndexPart[] = [];
    // What they bring along takes its time to load, and most questions need none of it.
    const [{ segmentsOf }, counter] = await Promise.all([
      import('./index-builder.ts'),
      this.counterFor(later ? 'later' : 'build'),
    ]);
    const from = { root: this.place.root, counter };
    for await (const segment of segmentsOf(from, names, onProgress))
      parts.push(this.store.addPart(segment, { later, held }));
    return parts;
  }

  // What changes since has its own: so small that the processor has it at hand.
  private async counterFor(use: 'build' | 'later'): Promise<DocumentCounter> {
    const { newCounter } = await import('./new-counter.ts');
    this.counters[use] ??= newCounter(this.place.tokenizer);
    return this.counters[use];
  }

  private putInForce({ generation, parts, scan }: IndexState, { held, tidy }: { held: boolean; tidy: boolean }): void {
    const state = { generation, parts, scan: settled(scan, this.scanStarted) };
    if (!held) state.scan = this.store.publish(state, { tidy });
    this.hold(state, held ? null : this.store.mark());
  }

  private hold(state: IndexState, mark: string | null): void {
    this.held = { state, mark, digest: digestOf(state.scan), view: viewOf(state.parts) };
  }

  // Takes over what another process has put in force since.
  private reopen(): void {
    const mark = this.store.mark();
    if (this.held !== null && (this.held.mark === null || this.held.mark === mark)) return;
    this.close();
    if (mark === null) return;
    const state = this.store.open();
    if (state) this.hold(state, mark);
  }

  private async locked(work: (held: boolean) => Promise<void>): Promise<void> {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      await lockAt(join(this.folder, 'build.lock'), this.place.sleep).run(() => work(false));
    } catch {
      // The cache can't be locked or written, or the index is broken: this run builds its own in memory.
      this.close();
      await this.build(await this.scanned(() => null), { held: true, onProgress: undefined });
    }
  }
}

interface Work {
  /** Nothing is written: the parts live in memory. */
  held: boolean;
  onProgress: Progress | undefined;
}
