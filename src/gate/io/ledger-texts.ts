import { withFile } from '../../files/open-file.ts';
import { readRange } from '../../files/read-text.ts';
import { sha256 } from '../../files/sha256.ts';
import { type KnownText, readTextRecord, type TextLookup } from '../ledger/entry-texts.ts';
import { textsPath } from './ledger-paths.ts';

// Of all chains of a folder: a record proves itself by its salted hash, whoever wrote it.
export function readTexts(ledgers: readonly { path: string }[], scope: string | null): TextLookup {
  const texts = new Map<string, KnownText>();
  for (const { path } of ledgers) {
    const read = withFile(textsPath(path), scope, ({ fd, size }) => readRange(fd, 0, size).toString('utf8'));
    if (read.status !== 'ok') continue;
    for (const line of read.value.split('\n')) {
      const record = line === '' ? null : readTextRecord(line, sha256);
      if (record) texts.set(...record);
    }
  }
  return texts;
}
