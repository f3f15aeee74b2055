import { atomicWrite } from '../files/atomic-write.ts';
import { join } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { isRecord } from '../json-record.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import type { Domains } from './domains.ts';
import { changedAt } from './io/pending-folder.ts';
import type { Proposal } from './proposal.ts';

// When the person last looked at what was set aside: she is offered each of it once, and can list all of it any time.
export function lastReviewUseCases(app: AppContext, domains: Domains) {
  const pathOf = (settings: Settings) => join(settings.home, 'last_look.json');
  const lastLook = (settings: Settings): number => {
    const file = readText(pathOf(settings), null);
    if (file.status !== 'ok') return 0;
    try {
      const value: unknown = JSON.parse(file.value.text);
      return isRecord(value) ? Date.parse(String(value.at)) || 0 : 0;
    } catch {
      return 0;
    }
  };
  return {
    async discardedSinceLook(): Promise<Proposal[]> {
      const settings = await app.settings();
      const since = lastLook(settings);
      return [null, ...settings.workspaces()].flatMap((workspace) =>
        domains
          .pendingOf(settings, workspace)
          .discarded()
          .filter(({ path }) => changedAt(path) > since)
          .map(({ proposal }) => proposal),
      );
    },

    /** Sessions that can't be read: what waits there is not listed, and that must not look like nothing. */
    async sessionWarnings(target: TargetLike | 'all'): Promise<string[]> {
      const settings = await app.settings();
      const known = target === 'all' ? settings.workspaces() : [settings.workspace(target)];
      return [null, ...known].flatMap((workspace) => {
        const reason = domains.pendingOf(settings, workspace).unreadable();
        const whose = workspace === null ? 'the home' : `"${workspace.id}"`;
        return reason === null
          ? []
          : [`The sessions of ${whose} can't be read: ${reason}. What waits there is not listed.`];
      });
    },

    async rememberLook(): Promise<void> {
      const settings = await app.settings();
      atomicWrite(pathOf(settings), `${JSON.stringify({ at: app.now().toISOString() })}\n`, 0o600);
    },
  };
}
