import { join } from 'node:path';
import { linesOf, type SoughtText, type TextCopy, wholeFile } from '../../files/text-copies.ts';
import type { Settings } from '../../settings/app-context.ts';
import { everyWorkspaceFolder } from '../../settings/io/workspace-folders.ts';
import { SCANNED_FILE } from './scanned-texts.ts';

/** Copies of a text in receipts, and its hash among texts that were scanned. */
export function loaderCopies(settings: Settings, sought: SoughtText): TextCopy[] {
  return [
    ...everyWorkspaceFolder(settings).flatMap(({ folder, scope }) =>
      linesOf('receipt', join(folder, 'receipts.jsonl'), sought, { scope }),
    ),
    ...wholeFile('scan list', join(settings.home, SCANNED_FILE), sought),
  ];
}
