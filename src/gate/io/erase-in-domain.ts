import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileLayer } from '../../files/file-layer.ts';
import { readText } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { type TextCopy, takeAway } from '../../files/text-copies.ts';
import { readTextRecord } from '../ledger/entry-texts.ts';
import { withoutText } from '../standing/tidy.ts';
import { erasurePath, isErasing } from './is-erasing.ts';
import { ledgerPaths, textsPath } from './ledger-file.ts';
import { append, currentText, type DecisionDomain, OVERWRITE, swapText, targetIn } from './target-text.ts';
import { recordAgain, type Settled } from './target-writer.ts';

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

/** What an erasure does to one folder of decisions. Its entry is signed before anything goes. */
export interface ErasureStep extends Pick<Settled, 'ledger_line' | 'texts' | 'home_line'> {
  folder: string;
  /** Files of it that the text is in. */
  files: string[];
  /** Salted hashes of the records that go. */
  hashes: string[];
}

/** An erasure that the person has said yes to: after a crash it is carried to its end, which needs no signature any more. */
export interface Erasure {
  version: 1;
  text: string;
  /** Other wordings of it: what was proposed, what it took the place of. */
  wordings: string[];
  /** Hashes of these. */
  prints: string[];
  steps: ErasureStep[];
}

export function saveErasure(home: string, erasure: Erasure, files: FileLayer): void {
  const path = erasurePath(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const body = JSON.stringify(erasure);
  const file = files.open(path, OVERWRITE, 0o600);
  try {
    append(file, Buffer.from(`${sha256(body)} ${body}\n`));
  } finally {
    file.close();
  }
  files.syncFolder(dirname(path));
}

/** Null where there is none. What is torn was never begun. */
export function readErasure(home: string): Erasure | null {
  const file = readText(erasurePath(home), null);
  if (file.status !== 'ok') return null;
  const [, hash, body] = /^([0-9a-f]{64}) (.*)\n$/s.exec(file.value.text) ?? [];
  return body !== undefined && sha256(body) === hash ? (JSON.parse(body) as Erasure) : null;
}

/** The last step: from here on nothing knows the text. */
export function clearErasure(home: string, files: FileLayer): void {
  if (!isErasing(home)) return;
  files.unlink(erasurePath(home));
  files.syncFolder(dirname(erasurePath(home)));
}
