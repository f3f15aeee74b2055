import { join } from 'node:path';
import { atomicWrite } from '../io/atomic-write.ts';
import { changedAt } from '../io/pending-folder.ts';
import { readText } from '../io/read-text.ts';
import { isRecord } from '../memory/records.ts';
import type { Proposal } from '../proposals/proposal.ts';
import type { Domains } from './domains.ts';
import type { Doors, House } from './house.ts';

// When the person last looked at what was set aside: she is offered each of it once, and can list all of it any time.
export function lookUseCases(doors: Doors, domains: Domains) {
  const pathOf = (house: House) => join(house.home, 'last_look.json');
  const lastLook = (house: House): number => {
    const file = readText(pathOf(house), null);
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
      const house = await doors.house();
      const since = lastLook(house);
      return [null, ...house.workspaces()].flatMap((workspace) =>
        domains
          .pendingOf(house, workspace)
          .discarded()
          .filter(({ path }) => changedAt(path) > since)
          .map(({ proposal }) => proposal),
      );
    },

    async rememberLook(): Promise<void> {
      const house = await doors.house();
      atomicWrite(pathOf(house), `${JSON.stringify({ at: doors.now().toISOString() })}\n`, 0o600);
    },
  };
}
