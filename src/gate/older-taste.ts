import { lstatOf } from '../files/path-scope.ts';
import { readExact } from '../files/read-text.ts';
import { sha256 } from '../files/sha256.ts';
import { OLDER_TASTE, tasteFolder } from '../memory/io/taste-folder.ts';
import type { AppContext, Settings } from '../settings/app-context.ts';
import { changedSince, type HandEdit, ownEdits } from './accounting/own-edits.ts';
import { accountedTaste } from './domains/accounted-files.ts';
import type { Domains } from './domains/domains.ts';
import { writeMove } from './io/target-writer.ts';
import { signerFor } from './keys/signer.ts';

/** The default taste of an older home, as it would be moved into the folder of the tastes. */
export interface OlderTaste {
  text: string;
  sha256: string;
}

export function olderTasteUseCases(app: AppContext, domains: Domains) {
  const { locked, entryFor } = ownEdits(app, domains);
  const found = (settings: Settings): OlderTaste | null => {
    const { path, scope } = tasteFolder(settings).locate('_default');
    // A link stays where it is: in another folder it would lead elsewhere.
    if (scope !== null || !lstatOf(path)?.isFile()) return null;
    const read = readExact(path, scope);
    return read.status === 'ok' && read.value.valid ? { text: read.value.text, sha256: sha256(read.value.text) } : null;
  };
  return {
    /** None: there is nothing to move. */
    async olderTaste(): Promise<OlderTaste[]> {
      const older = found(await app.settings());
      return older === null ? [] : [older];
    },

    // The same file in its new place: no line of it changes, and no decision on one.
    async moveOlderTaste(shown: Pick<OlderTaste, 'sha256'>, edit: HandEdit): Promise<void> {
      const settings = await app.settings();
      const signer = signerFor(settings, edit);
      const place = accountedTaste(settings, '_default');
      await locked(settings, place, signer, (target) => {
        if (found(settings)?.sha256 !== shown.sha256) throw changedSince(place);
        const record = { decision: 'edit', reason: `moved from ${OLDER_TASTE}` } as const;
        const entry = entryFor(target, place, { record, edit, signer });
        writeMove(target, { ...entry, proposal_id: '', pending: null });
      });
    },
  };
}
