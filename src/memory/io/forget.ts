import { join } from 'node:path';
import { filesBelow, linesOf, type SoughtText, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import type { Settings } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import { SERVED_FOLDER } from './served-store.ts';

/** Copies of a text in contexts that were served, and in what agents wrote down. */
export function memoryCopies(settings: Settings, sought: SoughtText): TextCopy[] {
  const served = [...filesBelow(join(settings.home, SERVED_FOLDER))];
  return [
    ...served.flatMap((path) => wholeFile('served context', path, sought)),
    ...everyWorkspaceFolder(settings).flatMap(({ folder, scope }) => [
      ...linesOf('log', join(folder, 'log.jsonl'), sought, { scope }),
      ...linesOf('gap file', join(folder, 'vocabulary_gaps.jsonl'), sought, { scope }),
      ...linesOf('gap file', join(folder, 'vocabulary_gaps.jsonl.aside'), sought, { scope }),
    ]),
  ];
}
