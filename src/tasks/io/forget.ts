import { BearingsError } from '../../errors.ts';
import { lockState } from '../../files/lock.ts';
import { linesOf, type SoughtText, type TextCopy } from '../../files/text-copies.ts';
import { runFiles, runIds } from './run-files.ts';

/** Copies of a text in the journals of runs. A step whose text went is done again by a resume. */
export async function runCopies(runs: string, sought: SoughtText): Promise<TextCopy[]> {
  const copies: TextCopy[] = [];
  for (const id of runIds(runs)) {
    const files = runFiles(runs, id);
    const found = [
      ...linesOf('run file', files.content, sought, { drop: true }),
      ...linesOf('run', files.journal, sought),
    ];
    if (found.length > 0 && (await lockState(files.lock)) === 'held')
      throw new BearingsError('conflict', `Run ${id} is active and has seen this text.`, {
        hint: `Wait for it, or stop it: bearings runs cancel ${id}`,
      });
    copies.push(...found);
  }
  return copies;
}
