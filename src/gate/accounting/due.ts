import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { AccountedFile } from '../domains/accounted-files.ts';
import { type CodeChange, changeWords } from '../ledger/code-change.ts';
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
    import('../anchors/make-anchors.ts'),
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

const MOST_NAMED = 5;

/** A line for each reason, however many blocks it is about. */
export function dueWarnings(found: readonly Due[]): string[] {
  const stale = found.filter(({ code }) => code.length > 0);
  const late = found.filter(({ until }) => until !== null);
  const told = [
    ...(stale.length === 0
      ? []
      : [
          `${stale.length === 1 ? '1 note cites' : `${stale.length} notes cite`} code that has changed: ${listed(stale, ({ code }) => code.map(changeWords).join(', '))}`,
        ]),
    ...(late.length === 0
      ? []
      : [
          `${late.length === 1 ? '1 block is' : `${late.length} blocks are`} due for review: ${listed(late, ({ until }) => `since ${until}`)}`,
        ]),
  ];
  return told.map((words) => `${words}. The person decides: bearings review`);
}

function listed(found: readonly Due[], words: (due: Due) => string): string {
  const parts = found.slice(0, MOST_NAMED).map((due) => `${placeWords(due)} (${words(due)})`);
  return `${parts.join('; ')}${found.length > MOST_NAMED ? `; and ${found.length - MOST_NAMED} more` : ''}`;
}

function placeWords({ place, block }: Due): string {
  return `${place.kind === 'taste' ? `tastes/${place.file}` : place.file} line ${block.first_line}`;
}
