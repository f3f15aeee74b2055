import { mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileMode, folderMode } from '../../files/atomic-write.ts';
import { realPath } from '../../files/path-scope.ts';
import { whyNotWritable } from '../../files/writable-place.ts';
import { ARCHIVE, type ArchiveChange, archiveAfter } from '../standing/notes-archive.ts';
import { append, currentText, type DecisionTarget, OVERWRITE, targetIn } from './target-text.ts';

// By rename, after the notes and before the ledger: the intent covers both files, and a crash makes the same change again.
export function writeArchive(target: DecisionTarget, change: ArchiveChange | undefined): void {
  if (!change) return;
  const archive = targetIn(target, ARCHIVE);
  const before = currentText(archive) ?? '';
  const after = archiveAfter(before, change);
  if (after === before) return;
  const reason = whyNotWritable(archive.scope, archive.path);
  if (reason !== null) throw Object.assign(new Error(reason), { code: 'EPERM' });
  // A rename lands on what a link leads to.
  const real = realPath(archive.path) ?? archive.path;
  mkdirSync(dirname(real), { recursive: true, mode: folderMode(archive.scope) });
  const mode = statSync(real, { throwIfNoEntry: false })?.mode ?? fileMode(archive.scope);
  const draft = join(dirname(real), `.${basename(real)}.draft`);
  const file = archive.files.open(draft, OVERWRITE, mode & 0o777);
  try {
    append(file, Buffer.from(after));
  } finally {
    file.close();
  }
  archive.files.rename(draft, real);
  archive.files.syncFolder(dirname(real));
}
