import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileLayer } from '../../files/file-layer.ts';
import { readText } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import type { Settled } from './intent-file.ts';
import { erasurePath, isErasing } from './is-erasing.ts';
import { append, OVERWRITE } from './target-text.ts';

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
