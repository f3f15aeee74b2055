import { BearingsError, invalidInput } from '../../errors.ts';
import { readExact } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import type { AppContext, TargetLike } from '../../settings/app-context.ts';
import { assertStaysInside } from '../../settings/io/workspace-folders.ts';
import { accountedFileNamed } from './blame.ts';
import type { handEditUseCases } from './hand-edits.ts';
import type { HandEdit } from './own-edits.ts';

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

type HandEdits = Pick<ReturnType<typeof handEditUseCases>, 'saveEdit'>;

// The person edits a text in front of her, on the page or in a private copy. Accounted at once, those blocks alone.
export function handSaveUseCases(app: AppContext, edits: HandEdits) {
  const textOf = async (file: string, target: TargetLike): Promise<EditableText & { named: string }> => {
    const place = accountedFileNamed(await app.settings(), file, target);
    const read = readExact(place.path, place.scope);
    if (read.status === 'missing') return { text: '', sha256: null, named: place.target };
    if (read.status === 'unreadable')
      throw new BearingsError('conflict', `${place.target} can't be read: ${read.reason}.`, {
        hint: 'Fix the file, then try again.',
      });
    if (!read.value.valid) throw invalidInput(`${place.target} is not valid UTF-8.`, 'Save it as UTF-8 first.');
    return { text: read.value.text, sha256: sha256(read.value.text), named: place.target };
  };

  return {
    async editableText(file: string, target: TargetLike): Promise<EditableText> {
      const { text, sha256: hash } = await textOf(file, target);
      return { text, sha256: hash };
    },

    async saveText(
      file: string,
      target: TargetLike,
      save: HandSave,
    ): Promise<{ adopted: number; removed: number; sha256: string }> {
      const now = await textOf(file, target);
      if (now.sha256 !== save.before_sha256)
        throw new BearingsError('conflict', `${now.named} was changed since it was shown.`, {
          hint: 'Copy your text, open it again, and put your change in once more.',
        });
      if (file === 'brief.md' || file === 'notes.md') assertStaysInside((await app.settings()).workspace(target), file);
      const { via, passphrase, passkey, text: after } = save;
      const before = now.sha256 === null ? null : now.text;
      return {
        ...(await edits.saveEdit(file, target, { via, passphrase, passkey, before, after })),
        sha256: sha256(after),
      };
    },
  };
}
