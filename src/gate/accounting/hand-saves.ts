import { BearingsError, invalidInput } from '../../errors.ts';
import { atomicWrite } from '../../files/atomic-write.ts';
import { join } from '../../files/paths.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { ioError } from '../../files/system-error.ts';
import type { AppContext, Settings, TargetLike } from '../../settings/app-context.ts';
import { assertStaysInside } from '../../settings/io/workspace-folders.ts';
import { signerFor } from '../decide.ts';
import type { Domains } from '../domains.ts';
import { recover } from '../io/target-recovery.ts';
import { swapText, targetIn } from '../io/target-text.ts';
import { accountedFileNamed } from './blame.ts';
import type { HandEdit, handEditUseCases } from './hand-edits.ts';

/** A file of memory as the person may edit it; null: it is not there yet. */
export interface EditableText {
  text: string;
  sha256: string | null;
}

export interface HandSave extends HandEdit {
  text: string;
  /** Of the text that was shown; null: there was none. */
  before_sha256: string | null;
}

type HandEdits = Pick<ReturnType<typeof handEditUseCases>, 'blocksBefore' | 'accountEdit'>;

const BRIEF = 'brief.md';

// The person edits a text in front of her, not a file in her editor. Accounted at once, like `bearings edit`.
export function handSaveUseCases(app: AppContext, domains: Domains, edits: HandEdits) {
  const placeOf = async (settings: Settings, file: string, target: TargetLike) => {
    if (file !== BRIEF) return accountedFileNamed(settings, file, target);
    const workspace = settings.workspace(target);
    return { path: join(workspace.folder, BRIEF), scope: workspace.scope, target: `brief.md of ${workspace.id}` };
  };
  const textAt = ({ path, scope, target }: { path: string; scope: string | null; target: string }): EditableText => {
    const read = readExact(path, scope);
    if (read.status === 'missing') return { text: '', sha256: null };
    if (read.status === 'unreadable')
      throw new BearingsError('io_error', `${target} can't be read: ${read.reason}.`, {
        hint: 'Mend the file, then try again.',
      });
    if (!read.value.valid) throw invalidInput(`${target} is not valid UTF-8.`, 'Save it as UTF-8 first.');
    return { text: read.value.text, sha256: sha256(read.value.text) };
  };

  return {
    async editableText(file: string, target: TargetLike): Promise<EditableText> {
      const settings = await app.settings();
      return textAt(await placeOf(settings, file, target));
    },

    async saveText(
      file: string,
      target: TargetLike,
      save: HandSave,
    ): Promise<{ adopted: number; removed: number; sha256: string }> {
      const settings = await app.settings();
      const place = await placeOf(settings, file, target);
      const { text } = save;
      const assertSame = (): EditableText => {
        const now = textAt(place);
        if (now.sha256 === save.before_sha256) return now;
        throw new BearingsError('conflict', `${place.target} was changed since it was shown.`, {
          hint: 'Copy your text, open it again, and put your change in once more.',
        });
      };
      if (!('kind' in place)) {
        assertStaysInside(settings.workspace(target), BRIEF);
        assertSame();
        try {
          atomicWrite(place.path, text, 0o644, place.scope);
        } catch (error) {
          throw ioError("brief.md can't be written", error);
        }
        return { adopted: 0, removed: 0, sha256: sha256(text) };
      }
      // Before anything is written: a wrong passphrase changes nothing.
      signerFor(settings, save.passphrase);
      const before = await edits.blocksBefore(file, target);
      const { decisions, lock } = await domains.of(settings, place);
      await lock.run(() => {
        try {
          recover(decisions);
          const now = assertSame();
          if (place.kind === 'notes') assertStaysInside(settings.workspace(target), place.file);
          if (now.sha256 === null) atomicWrite(place.path, text, 0o644, place.kind === 'notes' ? place.scope : null);
          else swapText(targetIn(decisions, place.file), now.text, text);
        } catch (error) {
          throw ioError(`${place.target} can't be written`, error);
        }
      });
      const { via, passphrase } = save;
      return { ...(await edits.accountEdit(file, target, { via, passphrase, before })), sha256: sha256(text) };
    },
  };
}
