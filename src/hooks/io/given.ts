import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { readRange, withFile } from '../../files/read-file.ts';
import { appendLine } from '../../files/write-file.ts';
import { parseRecord } from '../../json.ts';

/** What hooks have given one session of a client. Unsigned: whoever writes here can make us silent or have us say it again, no more. */
const nothing = () => ({
  /** Fingerprints of blocks. */
  blocks: new Set<string>(),
  places: new Set<string>(),
  /** Sentences that are said once. */
  said: new Set<string>(),
  tokens: 0,
  /** Its context was compacted, and no prompt has come since. */
  isCompacted: false,
});

interface GivenEntry {
  blocks?: readonly string[];
  places?: readonly string[];
  tokens?: number;
  said?: string;
  /** From here on nothing counts as given. */
  cleared?: 'clear' | 'compact';
  /** A prompt has come. */
  prompt?: true;
}

export type GivenStore = ReturnType<typeof givenTo>;

const MAX_BYTES = 1024 * 1024;
const DAYS = 30;
const MS_A_DAY = 86_400_000;

// One file for each session, only added to: two hooks at once lose nothing. A disk that refuses does not stop the client.
export function givenTo(home: string, client: string, session: string) {
  const folder = join(home, 'hooks');
  const path = join(folder, `${sha256(`${client}\0${session}`).slice(0, 32)}.jsonl`);
  return {
    read() {
      const file = withFile(path, folder, ({ fd, size }) =>
        readRange(fd, 0, Math.min(size, MAX_BYTES)).toString('utf8'),
      );
      const lines = file.status === 'ok' ? file.value.split('\n') : [];
      return lines.reduce((given, line) => after(given, parseRecord(line) ?? {}), nothing());
    },
    add(entry: GivenEntry) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendLine(path, JSON.stringify(entry), { mode: 0o600, scope: folder });
      } catch {
        // It may be said again.
      }
    },
  };
}

function after(before: ReturnType<typeof nothing>, entry: Record<string, unknown>) {
  const { tokens, cleared, prompt } = entry;
  const given =
    cleared === undefined ? before : { ...nothing(), said: before.said, isCompacted: cleared === 'compact' };
  for (const key of ['blocks', 'places', 'said'] as const)
    for (const item of [entry[key]].flat()) if (typeof item === 'string') given[key].add(item);
  if (typeof tokens === 'number' && tokens > 0) given.tokens += tokens;
  if (prompt === true) given.isCompacted = false;
  return given;
}

/** Sessions that nobody will go on with. */
export function forgetOldSessions(home: string, now: Date): void {
  const folder = join(home, 'hooks');
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const { mtimeMs } = statSync(path);
      if (name.endsWith('.jsonl') && now.getTime() - mtimeMs > DAYS * MS_A_DAY) rmSync(path);
    }
  } catch {
    // There is none, or another hook was faster.
  }
}
