import { BearingsError, invalidInput } from '../errors.ts';
import { sha256 } from '../files/sha256.ts';
import { ioError } from '../files/system-error.ts';
import type { gateUseCases } from '../gate/gate.ts';
import { draftProposal, IMPORT_CLIENT } from '../gate/proposal.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import { workspaceUseCases } from '../gate/workspaces.ts';
import { findCertainSecret } from '../safety/secrets.ts';
import type { AppContext } from '../settings/app-context.ts';
import { gitRoot } from '../settings/io/workspace-folders.ts';
import { type MissingPart, missingParts } from './chemigram-image.ts';
import { type ImportItem, type ImportSource, planImport } from './import-plan.ts';
import { presentIn, readImages, writeParts } from './io/chemigram-images.ts';
import { CHEMIGRAM_IMAGES, IMPORT_NAMES, readImportSources } from './io/import-sources.ts';

export interface PlannedImport extends ImportItem {
  /** Why it can't become a proposal; null where it can. */
  skipped: string | null;
}

export interface ImportPlan {
  items: PlannedImport[];
  unread: { name: string; reason: string }[];
}

export interface ImportOptions {
  /** For files: `notes` or `tastes/NAME`. */
  to?: string | undefined;
  id?: string | undefined;
  category?: string | undefined;
  /** Where Chemigram keeps its images. */
  images?: string | undefined;
}

export interface PlannedImage {
  id: string;
  /** There is no such workspace yet. */
  isNew: boolean;
  /** It has another brief already, which stays. */
  keepsBrief: boolean;
  parts: MissingPart[];
}

type Gate = ReturnType<typeof gateUseCases>;

const LONGEST_REASON = 500;

// What people have already becomes proposals, block by block. Nothing is written before the person decides on each.
export function importUseCases(app: AppContext, openGate: () => Promise<Gate>) {
  const whyNot = (item: ImportItem, category: string): string | null => {
    if (item.kind === 'brief') return 'looks like a brief: write it yourself (bearings edit brief)';
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
    async planImport(words: readonly string[], options: ImportOptions = {}): Promise<ImportPlan> {
      if (words.length === 0)
        throw invalidInput('What should be imported?', `Name ${IMPORT_NAMES.join(', ')} or a Markdown file.`);
      const { sources, unread } = readImportSources(words, {
        home: app.inFull('~'),
        root: gitRoot(app.cwd) ?? app.cwd,
        forPerson: app.forPerson,
        inFull: app.inFull,
        to: destination(options.to),
        images: options.images,
      });
      const items: PlannedImport[] = [];
      for (const item of sources.flatMap(planImport))
        items.push({ ...item, skipped: await whyNot(item, options.category ?? 'process') });
      return { items, unread };
    },

    // All or nothing: where one can't be made, those before it are taken back. A second run finds the first one's.
    async proposeImport(
      items: readonly PlannedImport[],
      options: ImportOptions = {},
    ): Promise<{ proposed: number; present: number }> {
      const gate = await openGate();
      const usable = items.filter(({ skipped, kind }) => skipped === null && kind !== 'brief');
      const sessions = await sessionsFor(gate, usable, options);
      const waiting = new Set((await gate.listProposals('all')).map(waitingKey));
      const made: { session: Session; id: string }[] = [];
      let present = 0;
      try {
        for (const item of usable) {
          const session = sessions.get(placeOf(item, options)) as Session;
          const { content, from } = item;
          const kind = item.kind as 'notes' | 'taste';
          const file = kind === 'taste' ? item.file : undefined;
          if (waiting.has(waitingKey({ kind, file: item.file, image_id: session.image_id, content }))) {
            present += 1;
            continue;
          }
          const reason = `imported from ${from}`.slice(0, LONGEST_REASON);
          const category = kind === 'taste' ? (options.category ?? 'process') : undefined;
          const answer = await gate.propose(session, { kind, content, category, file, reason });
          if (answer.status === 'pending') made.push({ session, id: answer.proposal_id });
          else present += 1;
        }
      } catch (error) {
        for (const { session, id } of made.reverse()) await gate.withdrawProposal(session, id);
        throw error;
      }
      return { proposed: made.length, present };
    },

    /** Images of Chemigram that hold what their workspaces here do not have yet. */
    async planImages(folder: string | undefined): Promise<PlannedImage[]> {
      const settings = await app.settings();
      const known = new Map(settings.workspaces().map((workspace) => [workspace.id, workspace]));
      return readImages(app.inFull(folder ?? CHEMIGRAM_IMAGES)).map((image) => {
        const workspace = known.get(image.id);
        const present = presentIn(workspace?.folder ?? '');
        const other = image.brief !== null && present.brief !== null && present.brief !== image.brief;
        return { id: image.id, isNew: !workspace, keepsBrief: other, parts: missingParts(image, present, sha256) };
      });
    },

    // After the one question that showed them. A workspace that a fault leaves empty goes again.
    async importImages(images: readonly PlannedImage[]): Promise<void> {
      const workspaces = workspaceUseCases(app);
      const made: string[] = [];
      try {
        for (const { id, isNew } of images) {
          if (!isNew) continue;
          await workspaces.createWorkspace({ id });
          made.push(id);
        }
        const settings = await app.settings();
        const places = images.flatMap(({ id, parts }) => {
          const { folder, scope } = settings.workspace({ id });
          return parts.map((part) => ({ folder, scope, part }));
        });
        writeParts(places);
      } catch (error) {
        for (const id of made) await workspaces.removeWorkspace(id).catch(() => undefined);
        throw ioError("The images can't be imported; nothing was changed", error);
      }
    },
  };

  // Before the first proposal is made: a workspace that is not there must not show up half way.
  async function sessionsFor(
    gate: Gate,
    items: readonly PlannedImport[],
    options: ImportOptions,
  ): Promise<Map<string, Session>> {
    const sessions = new Map<string, Session>();
    for (const item of items) {
      const place = placeOf(item, options);
      if (sessions.has(place)) continue;
      const target = place === HOME ? null : { id: place === HERE ? undefined : place };
      sessions.set(place, await gate.standingSession(target, IMPORT_CLIENT));
    }
    return sessions;
  }
}

const [HOME, HERE] = ['/home', '/here'];

function placeOf({ kind, workspace }: PlannedImport, { id }: ImportOptions): string {
  return workspace ?? id ?? (kind === 'notes' ? HERE : HOME);
}

function waitingKey(of: { kind: string; file: string; image_id: string | null; content: string }): string {
  return JSON.stringify([of.kind, of.file, of.kind === 'taste' ? null : of.image_id, of.content]);
}

function destination(to: string | undefined): ImportSource['to'] {
  if (to === undefined || to === 'notes' || to === 'notes.md') return { kind: 'notes' };
  if (to.startsWith('tastes/')) return { kind: 'taste', file: `${to.slice('tastes/'.length).replace(/\.md$/, '')}.md` };
  throw invalidInput('--to takes notes or tastes/NAME.', 'For example: --to tastes/_default');
}
