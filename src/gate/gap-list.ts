import { notFound } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { join } from '../files/paths.ts';
import { readLastRecords } from '../files/read-file.ts';
import { appendLine, takeFileAside } from '../files/write-file.ts';
import { parseRecord } from '../json.ts';
import { type RankedGap, rankGaps } from '../memory/gap-ranking.ts';
import { toGap } from '../memory/read-context.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import { STANDING_SESSION } from './io/transcript-reader.ts';
import type { proposalUseCases } from './propose.ts';
import { sessionIn } from './sessions/sessions.ts';

const FILE = 'vocabulary_gaps.jsonl';
const CLEARED = 'vocabulary_gaps_cleared.jsonl';
const MOST = 100_000;
const KEY_CHARS = 8;

const keyOf = (words: string): string => sha256(words).slice(0, KEY_CHARS);

/** A gap, and the workspace whose agents missed it. */
export interface WorkspaceGap extends RankedGap {
  image_id: string;
}

export function gapUseCases(app: AppContext, { propose }: Pick<ReturnType<typeof proposalUseCases>, 'propose'>) {
  /** What agents missed, the worst first; of every workspace in one ranking. */
  const rankedGaps = (settings: Settings, target: TargetLike | 'all' = {}): WorkspaceGap[] => {
    const workspaces = target === 'all' ? settings.workspaces() : [settings.workspace(target)];
    const all = workspaces.flatMap(({ id, folder, scope }) => {
      const tail = readLastRecords(join(folder, FILE), scope, MOST);
      const records = tail.status === 'ok' ? tail.value.records : [];
      return rankGaps(records.map(toGap), app.now().getTime(), keyOf).map((gap) => ({ image_id: id, ...gap }));
    });
    return all.sort((a, b) => b.weight - a.weight);
  };

  /** By its key or its place in the ranking, from 1. */
  const rankedGap = (settings: Settings, which: string, target: TargetLike = {}): WorkspaceGap => {
    const found = rankedGaps(settings, target).find(({ key }, at) => key === which || String(at + 1) === which);
    if (!found) throw notFound(`There is no gap "${which}".`, 'See all: bearings sessions gaps');
    return found;
  };

  return {
    rankedGaps,
    rankedGap,

    /** Makes a note of a gap, which waits for the person like any proposal. */
    proposeGap(
      settings: Settings,
      which: string,
      { id, client, content }: { id: string | undefined; client: string; content?: string | undefined },
    ) {
      const gap = rankedGap(settings, which, { id });
      const session = sessionIn(app, settings, settings.workspace({ id }), { session_id: STANDING_SESSION, client });
      return propose(settings, session, {
        kind: 'notes',
        content: content ?? `Missing: ${gap.missing_capability ?? gap.description}`,
        reason: `recorded ${gap.count === 1 ? '1 time' : `${gap.count} times`} as a gap (${gap.key})`,
      });
    },

    /** Sets the records of these gaps aside, so that no agent gets them any more; returns how many. */
    clearGaps(settings: Settings, keys: readonly string[], target: TargetLike = {}): number {
      const workspace = settings.workspace(target);
      const gone = new Set(keys);
      let cleared = 0;
      // Whole lines, one by one: what an agent adds meanwhile goes into the new file and stays.
      for (const line of takeFileAside(join(workspace.folder, FILE), workspace.scope)) {
        const record = parseRecord(line);
        const [gap] = record ? rankGaps([toGap(record)], 0, keyOf) : [];
        const isCleared = gap !== undefined && gone.has(gap.key);
        if (isCleared) cleared += 1;
        appendLine(join(workspace.folder, isCleared ? CLEARED : FILE), line, { mode: 0o644, scope: workspace.scope });
      }
      return cleared;
    },
  };
}
