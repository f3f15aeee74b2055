import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { AccountedFile } from '../accounting/accounted-files.ts';
import type { Accounted } from '../accounting/unaccounted.ts';
import type { WatchedBlock } from '../io/ledger-accounts.ts';
import type { CodeChange } from './code.ts';

/** A block to review again: the code it cites is no longer what it was, or its date has come. */
export interface Due {
  place: AccountedFile;
  block: WatchedBlock;
  code: CodeChange[];
  /** Its date, where that has come. */
  until: string | null;
}

export async function dueAmong(app: AppContext, settings: Settings, watched: Accounted['watched']): Promise<Due[]> {
  // Only where a note cites code: a read loads no more than it needs.
  if (watched.length === 0) return [];
  const [{ changesOf }, { citedProject }, { codeMemo, openCode }] = await Promise.all([
    import('./cited-code.ts'),
    import('./cited-project.ts'),
    import('./io/project-code.ts'),
  ]);
  const today = app.now().toISOString().slice(0, 10);
  const found: Due[] = [];
  for (const { place, blocks } of watched) {
    const root =
      place.image_id === null ? null : citedProject(app, settings, { id: place.image_id, scope: place.scope });
    const project = root && openCode(root, codeMemo(app));
    for (const block of blocks) {
      const until = block.until !== null && block.until <= today ? block.until : null;
      const code = project && block.anchors.length > 0 ? await changesOf(project, block.anchors) : [];
      if (until !== null || code.length > 0) found.push({ place, block, code, until });
    }
  }
  return found;
}
