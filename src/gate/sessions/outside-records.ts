import type { AppContext, Settings } from '../../settings/app-context.ts';
import { sessionsFolder } from '../domains/sessions-folder.ts';
import { readTranscript, transcriptPaths } from '../io/transcript-reader.ts';
import type { Proposal } from '../proposals/proposal.ts';
import type { TranscriptEntry } from '../proposals/transcript.ts';
import { sessionIn } from './sessions.ts';

// What happens to a proposal is in the transcript of the session that made it, whichever face it happened on.
export function recordFor(app: AppContext, settings: Settings, proposal: Proposal, entry: TranscriptEntry): void {
  const { session_id, client, image_id } = proposal;
  const workspace = image_id === null ? null : settings.workspace({ id: image_id });
  sessionIn(app, settings, workspace, { session_id, client }).record(entry);
}

/** Proposals of a session that the person had whole before her on a screen that could decide them. */
export function shownIn(settings: Settings, sessionId: string, imageId: string | null): Set<unknown> {
  const workspace = imageId === null ? null : settings.workspace({ id: imageId });
  const entries = transcriptPaths(sessionsFolder(settings, workspace?.folder ?? null), workspace?.scope ?? null)
    .filter(({ session_id }) => session_id === sessionId)
    .flatMap((each) => readTranscript(each).entries);
  return new Set(entries.filter(({ type }) => type === 'shown').map(({ proposal_id }) => proposal_id));
}
