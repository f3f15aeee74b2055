import { createHash } from 'node:crypto';
import type { OpenFile } from '../../files/open-file.ts';
import { MAX_SHARED_BYTES, readRange } from '../../files/read-text.ts';
import type { FileBlock } from '../accounting/account-block.ts';
import { collapsed } from '../accounting/fingerprints.ts';

const PASS_BYTES = 1024 * 1024;
// A longer block is no proposal: only its hash is kept, so that memory stays flat.
const MOST_LINES = 2000;
const MOST_CHARS = 256 * 1024;

// Every block of a file with its place, in one pass. A file that is larger than any that people write is one block that no
// decision stands behind: what a repository brings may unpack to any size.
export function* blockPass(file: OpenFile): Generator<FileBlock> {
  if (file.size > MAX_SHARED_BYTES) {
    yield { firstLine: 1, lines: [], long: { count: 1, fingerprint: 'too large' } };
    return;
  }
  const block = openBlock();
  let number = 0;
  for (const line of linesOf(file)) {
    number += 1;
    if (line.trim() !== '') block.add(line, number);
    else if (block.isOpen()) yield block.take();
  }
  if (block.isOpen()) yield block.take();
}

function* linesOf(file: OpenFile): Generator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for (let position = 0; position < file.size; position += PASS_BYTES) {
    const bytes = readRange(file.fd, position, Math.min(PASS_BYTES, file.size - position));
    const text = rest + decoder.decode(bytes, { stream: true });
    // A CR at the end may be half of a CRLF: it waits for the next piece.
    const whole = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = (whole < text.length ? text.slice(0, whole) : text).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + text.slice(whole);
    yield* lines;
  }
  yield* (rest + decoder.decode()).split(/\r\n|\n|\r/);
}

function openBlock() {
  let lines: string[] = [];
  let firstLine = 0;
  let count = 0;
  let chars = 0;
  let long: ReturnType<typeof createHash> | null = null;
  const spill = (): void => {
    if (lines.length === 0) return;
    const text = lines.map(collapsed).join(' ');
    if (long) long.update(` ${text}`);
    else long = createHash('sha256').update(text);
    lines = [];
    chars = 0;
  };
  return {
    isOpen: () => count > 0,
    add(line: string, number: number): void {
      if (count === 0) firstLine = number;
      count += 1;
      chars += line.length;
      lines.push(line);
      if (lines.length > MOST_LINES || chars > MOST_CHARS) spill();
    },
    take(): FileBlock {
      if (long) spill();
      const taken: FileBlock = long
        ? { firstLine, lines: [], long: { count, fingerprint: long.digest('hex') } }
        : { firstLine, lines };
      lines = [];
      count = 0;
      chars = 0;
      long = null;
      return taken;
    },
  };
}
