import { sha256 } from '../files/file-fingerprint.ts';
import { join, lstatOf } from '../files/paths.ts';
import { readExact, textOf } from '../files/read-file.ts';
import { atomicWrite } from '../files/write-file.ts';
import { parseRecord } from '../json.ts';
import { OLDER_TASTE, tasteFolder } from '../memory/io/memory-files.ts';
import { TWO_DEFAULTS } from '../memory/read-context.ts';
import type { AppContext, Settings, TargetLike } from '../settings/app-context.ts';
import { meantOrNone } from '../settings/meant-workspace.ts';
import { changedSince, type HandEdit, ownEdits } from './accounting/hand-edits.ts';
import { accountedFile, ledgersOf } from './domains/accounted-files.ts';
import type { Domains } from './domains/domains.ts';
import { changedAt } from './io/pending-folder.ts';
import { standings } from './io/read-standing.ts';
import { fileOf } from './ledger/ledger.ts';
import type { Proposal } from './proposals/proposal.ts';

// When the person last looked at what was set aside: they are offered each of it once, and can list all of it any time.
export function lastReviewUseCases(app: AppContext, domains: Domains) {
  const pathOf = (settings: Settings) => join(settings.home, 'last_look.json');
  const timesIn = (settings: Settings) => parseRecord(textOf(pathOf(settings)) ?? '') ?? {};
  const lastReview = (settings: Settings, of: 'at' | 'decisions_at'): number =>
    Date.parse(String(timesIn(settings)[of])) || 0;
  const remember = (settings: Settings, of: 'at' | 'decisions_at'): void => {
    const times = { ...timesIn(settings), [of]: app.now().toISOString() };
    atomicWrite(pathOf(settings), `${JSON.stringify(times)}\n`, 0o600);
  };
  const byHand = ownEdits(app, domains);
  /** The default taste of an older home, as it would be moved into the folder of the tastes. */
  const olderTaste = (settings: Settings) => {
    const { path, scope } = tasteFolder(settings).locate('_default');
    // A link stays where it is: in another folder it would lead elsewhere.
    const read = scope === null && lstatOf(path)?.isFile() ? readExact(path, scope) : null;
    if (read?.status !== 'ok' || !read.value.valid) return [];
    return [{ text: read.value.text, sha256: sha256(read.value.text) }];
  };
  return {
    /** What clients decided by their own questions since the person last looked: any program can be such a client. */
    async decidedByClients(settings: Settings) {
      const since = lastReview(settings, 'decisions_at');
      const { of } = standings(app);
      return ledgersOf(settings, 'all').flatMap((location) =>
        of(location)
          .decisions.flat()
          .filter(({ entry: { via, at } }) => via === 'elicitation' && Date.parse(at) > since)
          .map(({ entry }) => {
            const { decision, at, client, image_id } = entry;
            const whose = image_id === null || !location.isWorkspace ? '' : ` of ${location.label}`;
            return { decision, at, client, target: `${fileOf(entry) ?? ''}${whose}` };
          }),
      );
    },

    rememberClientDecisions: (settings: Settings): void => remember(settings, 'decisions_at'),

    async discardedSinceReview(settings: Settings): Promise<Proposal[]> {
      const since = lastReview(settings, 'at');
      return domains
        .stores(settings)
        .flatMap((store) => store.discarded())
        .filter(({ path }) => changedAt(path) > since)
        .map(({ proposal }) => proposal);
    },

    /** What must not look like nothing: a second default taste, sessions that can't be read and whose proposals are not listed. */
    async sessionWarnings(settings: Settings, target: TargetLike | 'all'): Promise<string[]> {
      const known = target === 'all' ? settings.workspaces() : [meantOrNone(settings, target) ?? []].flat();
      const double = tasteFolder(settings).readDefault().isDouble ? [TWO_DEFAULTS] : [];
      const unlisted = [null, ...known].flatMap((workspace) => {
        const folder = domains.pendingOf(settings, workspace);
        const reason = folder.unreadable();
        const whose = workspace === null ? 'the home' : `"${workspace.id}"`;
        if (reason !== null)
          return [`The sessions of ${whose} can't be read: ${reason}. What waits there is not listed.`];
        const { foreign, spoilt } = folder.unlisted();
        const told: [number, string][] = [
          [foreign, 'came with the repository: not made here, so not shown.'],
          [spoilt, 'changed on disk after it was made, so not shown: its file is in the folder of sessions.'],
        ];
        return told.flatMap(([count, what]) =>
          count === 0 ? [] : `${count} proposal${count === 1 ? '' : 's'} of ${whose} ${what}`,
        );
      });
      return [...double, ...unlisted];
    },

    rememberReview: (settings: Settings): void => remember(settings, 'at'),

    olderTaste,

    // The same file in its new place: no line of it changes, and no decision on one.
    async moveOlderTaste(settings: Settings, shown: { sha256: string }, edit: HandEdit): Promise<void> {
      const file = accountedFile(settings, null, '_default.md');
      await byHand(settings, file, edit, null, ({ place, move }) => {
        if (olderTaste(settings)[0]?.sha256 !== shown.sha256) throw changedSince(place);
        move({ decision: 'edit', reason: `moved from ${OLDER_TASTE}` });
      });
    },
  };
}
