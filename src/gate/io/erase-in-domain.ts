import { dirname, join } from 'node:path';
import { readText } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { type TextCopy, takeAway } from '../../files/text-copies.ts';
import { readTextRecord } from '../ledger/entry-texts.ts';
import { withoutText } from '../standing/without-text.ts';
import { type Erasure, readErasure } from './erasure-intent.ts';
import { recordAgain } from './intent-file.ts';
import { ledgerPaths, textsPath } from './ledger-file.ts';
import { currentText, type DecisionDomain, swapText, targetIn } from './target-text.ts';

/** Under the lock of the domain: what a begun erasure still has to do here, however often it was tried before. */
export function eraseInDomain(domain: DecisionDomain): void {
  const erasure = readErasure(dirname(dirname(domain.intentPath)));
  if (erasure) carryOut(domain, erasure);
}

function carryOut(domain: DecisionDomain, { text, steps }: Erasure): void {
  const step = steps.find(({ folder }) => folder === domain.folder);
  if (!step) return;
  for (const file of step.files) {
    const target = targetIn(domain, file);
    const before = currentText(target);
    const after = before === null ? null : withoutText(before, text);
    if (before !== null && after !== null && after !== before) swapText(target, before, after);
  }
  // Anything decided since comes after it: it is looked for in the whole chain.
  recordAgain(domain, { ...step, proposal_id: '', pending: null });
  for (const copy of textRecords(join(domain.folder, 'ledger'), domain.scope, new Set(step.hashes)))
    takeAway(copy, domain.files);
}

/** The files of all chains that hold one of these records, also those that came with a merge. */
function textRecords(ledgerFolder: string, scope: string | null, hashes: ReadonlySet<string>): TextCopy[] {
  const isGone = (line: string) => line !== '' && hashes.has(readTextRecord(line, sha256)?.[0] ?? '');
  return ledgerPaths(ledgerFolder).flatMap((chain) => {
    const path = textsPath(chain);
    const file = readText(path, scope ?? ledgerFolder);
    if (file.status !== 'ok' || !file.value.text.split('\n').some(isGone)) return [];
    const rewrite = (text: string) =>
      text
        .split('\n')
        .filter((line) => !isGone(line))
        .join('\n');
    return [{ what: 'ledger text', path, scope, rewrite }];
  });
}
