import { BearingsError, invalidInput } from '../errors.ts';
import type { gateUseCases } from '../gate/gate.ts';
import { draftProposal } from '../gate/proposal.ts';
import type { Session } from '../gate/sessions/sessions.ts';
import { findCertainSecret } from '../safety/secrets.ts';
import type { AppContext } from '../settings/app-context.ts';
import { gitRoot } from '../settings/io/workspace-folders.ts';
import { type ImportItem, type ImportSource, planImport } from './import-plan.ts';
import { IMPORT_NAMES, readImportSources } from './io/import-sources.ts';

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
}

const LONGEST_REASON = 500;

// What people have already becomes proposals, block by block. Nothing is written before the person decides on each.
export function importUseCases(
  app: AppContext,
  gate: Pick<ReturnType<typeof gateUseCases>, 'propose' | 'standingSession'>,
) {
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
      });
      const items: PlannedImport[] = [];
      for (const item of sources.flatMap(planImport))
        items.push({ ...item, skipped: await whyNot(item, options.category ?? 'process') });
      return { items, unread };
    },

    async proposeImport(
      items: readonly PlannedImport[],
      options: ImportOptions = {},
    ): Promise<{ proposed: number; present: number }> {
      let proposed = 0;
      let present = 0;
      let session: Session | null = null;
      for (const { kind, content, file, from, skipped } of items) {
        if (skipped !== null || kind === 'brief') continue;
        const inWorkspace = kind === 'notes' || options.id !== undefined;
        if (!session || (inWorkspace && session.image_id === null))
          session = await gate.standingSession(inWorkspace ? { id: options.id } : null, 'import');
        const reason = `imported from ${from}`.slice(0, LONGEST_REASON);
        const category = kind === 'taste' ? (options.category ?? 'process') : undefined;
        const target = kind === 'taste' ? file : undefined;
        const { status } = await gate.propose(session, { kind, content, category, file: target, reason });
        if (status === 'pending') proposed += 1;
        else present += 1;
      }
      return { proposed, present };
    },
  };
}

function destination(to: string | undefined): ImportSource['to'] {
  if (to === undefined || to === 'notes' || to === 'notes.md') return { kind: 'notes' };
  if (to.startsWith('tastes/')) return { kind: 'taste', file: `${to.slice('tastes/'.length).replace(/\.md$/, '')}.md` };
  throw invalidInput('--to takes notes or tastes/NAME.', 'For example: --to tastes/_default');
}
