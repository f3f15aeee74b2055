import type { AppContext, Settings } from '../../settings/app-context.ts';
import type { Workspace } from '../../settings/io/workspace-folders.ts';
import { sessionsFolder } from '../domains/sessions-folder.ts';
import { isAlive } from '../io/process-alive.ts';
import { openTranscript } from '../io/transcript-file.ts';
import { edgesOf, type TranscriptEdges, type TranscriptFile, transcriptPaths } from '../io/transcript-reader.ts';
import { STANDING_SESSION } from '../proposals/transcript.ts';

export type SessionState = 'open' | 'ended' | 'interrupted';

// A start looks at the newest alone: `sessions` tells the state of every one without a footer too.
const LOOKED_AT = 20;
const CUT_OFF = new Set(['interrupted', 'expired', 'stopped']);

export function stateOf(place: TranscriptFile, { first, end }: TranscriptEdges): SessionState {
  if (end !== null) return CUT_OFF.has(String(end.reason)) ? 'interrupted' : 'ended';
  if (place.session_id === STANDING_SESSION) return 'open';
  return isAlive(first?.pid, first?.host) === false ? 'interrupted' : 'open';
}

// A process that was killed could write no footer: whoever starts next writes it.
export function closeInterrupted(app: AppContext, settings: Settings, workspace: Workspace | null): void {
  const places = transcriptPaths(sessionsFolder(settings, workspace?.folder ?? null), workspace?.scope ?? null);
  for (const place of places.slice(-LOOKED_AT)) {
    const edges = edgesOf(place);
    if (edges.end !== null || edges.first === null || stateOf(place, edges) !== 'interrupted') continue;
    try {
      const footer = { type: 'session_end', reason: 'interrupted' } as const;
      openTranscript(place.path, app.now, { scope: place.scope, header: null }).append(footer);
    } catch {
      // A transcript that can't be written is shown as interrupted all the same.
    }
  }
}
