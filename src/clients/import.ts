import { BearingsError, invalidInput, ioError } from '../errors.ts';
import { join } from '../files/paths.ts';
import { memoryTexts } from '../gate/domains/accounted-files.ts';
import type { gateUseCases } from '../gate/gate.ts';
import { sessionsFolder } from '../gate/io/transcript-reader.ts';
import { blocksOf } from '../gate/ledger/text-blocks.ts';
import { draftProposal, IMPORT_CLIENT } from '../gate/proposals/proposal.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import { workspaceUseCases } from '../gate/workspaces.ts';
import { findCertainSecret } from '../safety/secrets.ts';
import type { AppContext } from '../settings/app-context.ts';
import { gitRoot } from '../settings/io/workspace-folders.ts';
import { meantOrNone } from '../settings/meant-workspace.ts';
import { type ImportItem, type ImportSource, planImport } from './import-plan.ts';
import { missingParts, readImages } from './io/chemigram-images.ts';
import { allOrNothing, rollBackImport, sizeOf, writePart } from './io/import-journal.ts';
import { IMPORT_NAMES, imageFolders, readImportSources } from './io/import-sources.ts';

export interface PlannedImport extends ImportItem {
  /** Why it can't become a proposal; null where it can. */
  skipped: string | null;
  /** What it cites and is gone, said with its proposal. */
  gone?: string | undefined;
}

export interface ImportOptions {
  /** For files: `notes` or `tastes/NAME`. */
  to?: string | undefined;
  id?: string | undefined;
  category?: string | undefined;
  /** A folder or file to read in place of where the program keeps it. */
  from?: string | undefined;
  /** Take what a repository's file calls a taste as one. */
  withTastes?: boolean | undefined;
}

/** `isNew`: there is no such workspace yet. */
export type PlannedImage = { id: string; isNew: boolean } & ReturnType<typeof missingParts>;

type Gate = ReturnType<typeof gateUseCases>;

const LONGEST_REASON = 500;
/** More than that nobody decides on one by one. */
const MAX_ITEMS = 2_000;

// What people have already becomes proposals, block by block. Nothing is written before the person decides on each.
export function importUseCases(app: AppContext, openGate: () => Promise<Gate>) {
  const whyNot = (item: ImportItem, { category = 'process', withTastes }: ImportOptions): string | null => {
    if (item.kind === 'brief') return 'looks like a brief: write it yourself (bearings edit brief)';
    if (item.claimed && !withTastes) return 'the repository calls it a taste of yours: add --with-tastes';
    try {
      draftProposal({ kind: item.kind, content: item.content, category, file: item.file });
    } catch (error) {
      if (!(error instanceof BearingsError)) throw error;
      return error.data.code_point ? `hidden character ${error.data.code_point}` : error.message;
    }
    const secret = findCertainSecret(item.content);
    return secret ? `looks like a secret (${secret.kind})` : null;
  };

  return {
    async planImport(words: readonly string[], options: ImportOptions = {}) {
      if (words.length === 0)
        throw invalidInput('What should be imported?', `Name ${IMPORT_NAMES.join(', ')} or a Markdown file.`);
      const settings = await app.settings();
      const { folders, tastesFolder } = settings;
      const held = new Set(
        memoryTexts(settings, meantOrNone(settings, { id: options.id })).flatMap(({ file, text }) =>
          file === 'notes.md' ? [...blocksOf(text), ...text.split('\n')].map(plain) : [],
        ),
      );
      const { sources, unread } = readImportSources(words, {
        own: [app.home, app.cacheFolder, folders.workspaces, tastesFolder],
        home: app.inFull('~'),
        root: gitRoot(app.cwd) ?? app.cwd,
        forPerson: app.forPerson,
        inFull: app.inFull,
        ...options,
        to: options.to === undefined ? undefined : destination(options.to),
      });
      const items: PlannedImport[] = [];
      for (const item of sources.flatMap(planImport)) {
        const isThere = item.workspace === undefined && item.kind === 'notes' && held.has(plain(item.content));
        items.push({ ...item, skipped: isThere ? 'it is in notes.md already' : whyNot(item, options) });
      }
      if (items.length > MAX_ITEMS)
        throw invalidInput(
          `These files hold ${items.length} blocks; at most ${MAX_ITEMS} come in at once.`,
          'Name fewer files.',
        );
      return { items, unread };
    },

    // All or nothing: where one can't be made, those before it are taken back. A second run finds the first one's.
    async proposeImport(
      items: readonly PlannedImport[],
      { id, category = 'process' }: ImportOptions = {},
    ): Promise<{ proposed: number; present: number }> {
      const gate = await openGate();
      const settings = await app.settings();
      const usable = items.filter(({ skipped, kind }) => skipped === null && kind !== 'brief');
      // Notes of the workspace here and tastes are one group; null is that of the home.
      const isHere = usable.some(({ kind, workspace }) => kind === 'notes' && workspace === undefined);
      const placeOf = ({ workspace }: PlannedImport) => workspace ?? id ?? (isHere ? undefined : null);
      const sessions = new Map<string | null | undefined, Session>();
      let [proposed, present] = [0, 0];
      await allOrNothing(
        settings.home,
        async () => {
          // Before the first proposal is made: a workspace that is not there must not show up half way.
          for (const place of new Set(usable.map(placeOf)))
            sessions.set(place, await gate.openSession(place === null ? null : { id: place }, IMPORT_CLIENT));
          const made = [...sessions.values()];
          return {
            sessions: made.map(({ folder, session_id }) => ({ folder: sessionsFolder(settings, folder), session_id })),
          };
        },
        async () => {
          const waiting = new Set((await gate.listProposals('all')).map(waitingKey));
          for (const item of usable) {
            const session = sessions.get(placeOf(item)) as Session;
            const { content, from, gone } = item;
            const kind = item.kind as 'notes' | 'taste';
            const reason = `imported from ${from}${gone === undefined ? '' : `; it ${gone}`}`.slice(0, LONGEST_REASON);
            const key = waitingKey({ kind, file: item.file, image_id: session.image_id, content });
            const taste = kind === 'taste' ? { category, file: item.file } : {};
            const answer = waiting.has(key) ? null : await gate.propose(session, { kind, content, ...taste, reason });
            waiting.add(key);
            if (answer?.status === 'pending') proposed += 1;
            else present += 1;
          }
        },
      );
      for (const session of sessions.values()) session.end('imported');
      return { proposed, present };
    },

    rollBackImport: async (): Promise<void> => rollBackImport((await app.settings()).home),

    /** Images of Chemigram that hold what their workspaces here do not have yet. */
    async planImages(words: readonly string[], { from }: ImportOptions): Promise<PlannedImage[]> {
      const settings = await app.settings();
      const known = new Map(settings.workspaces().map((workspace) => [workspace.id, workspace]));
      const images = imageFolders(words, { from, inFull: app.inFull }).flatMap(readImages);
      return images.map((image) => {
        const workspace = known.get(image.id);
        return { id: image.id, isNew: !workspace, ...missingParts(image, workspace?.folder ?? null) };
      });
    },

    // After the one question that showed them. A workspace that a fault leaves empty goes again.
    async importImages(images: readonly PlannedImage[]): Promise<void> {
      const workspaces = workspaceUseCases(app);
      const settings = await app.settings();
      const folderOf = (id: string) => join(settings.folders.workspaces, id);
      const fresh = images.filter(({ isNew }) => isNew).map(({ id }) => id);
      const parts = images.flatMap(({ id, isNew, parts }) => {
        const { folder, scope } = isNew ? { folder: folderOf(id), scope: null } : settings.workspace({ id });
        return parts.map(({ file, text }) => ({ path: join(folder, file), scope, text }));
      });
      await allOrNothing(
        settings.home,
        async () => ({
          files: parts.map(({ path }) => ({ path, before: sizeOf(path) })),
          workspaces: fresh.map(folderOf),
        }),
        async () => {
          for (const id of fresh) await workspaces.createWorkspace({ id });
          for (const part of parts) writePart(part);
        },
      ).catch((error: unknown) => {
        throw ioError("The images can't be imported; nothing was changed", error);
      });
    },
  };
}

const plain = (said: string): string => said.trim().replace(/^[-*+]\s+/, '');

function waitingKey(of: { kind: string; file: string; image_id: string | null; content: string }): string {
  return JSON.stringify([of.kind, of.file, of.kind === 'taste' ? null : of.image_id, of.content]);
}

function destination(to: string | undefined): ImportSource['to'] {
  if (to === undefined || to === 'notes' || to === 'notes.md') return { kind: 'notes' };
  if (to.startsWith('tastes/')) return { kind: 'taste', file: `${to.slice('tastes/'.length).replace(/\.md$/, '')}.md` };
  throw invalidInput('--to takes notes or tastes/NAME.', 'For example: --to tastes/_default');
}
