import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { AccountedFile } from '../domains/accounted-files.ts';
import type { CodeChange } from '../ledger/cited-definition.ts';
import type { StandingBlock } from '../standing/standing.ts';
import type { Accounted } from './unaccounted.ts';

/** A block to review again: the code it cites is no longer what it was, or its date has come. */
export interface Due {
  place: AccountedFile;
  block: StandingBlock;
  code: CodeChange[];
  /** Its date, where that has come. */
  until: string | null;
}

export async function dueAmong(app: AppContext, settings: Settings, watched: Accounted['watched']): Promise<Due[]> {
  // Only where a note cites code: a read loads no more than it needs.
  if (watched.length === 0) return [];
  const [{ changesOf }, { citedProject }, { codeMemo, openCode }] = await Promise.all([
    import('../anchors/cited-code.ts'),
    import('../anchors/cited-project.ts'),
    import('../anchors/io/project-code.ts'),
  ]);
  const today = app.now().toISOString().slice(0, 10);
  const found: Due[] = [];
  for (const { place, blocks } of watched) {
    const root =
      place.image_id === null ? null : citedProject(app, settings, { id: place.image_id, scope: place.scope });
    const project = root && openCode(root, codeMemo(app));
    for (const block of blocks) {
      const { until: date = null, anchors = [] } = block.watch ?? {};
      const until = date !== null && date <= today ? date : null;
      const code = project && anchors.length > 0 ? await changesOf(project, anchors) : [];
      if (until !== null || code.length > 0) found.push({ place, block, code, until });
    }
  }
  return found;
}
