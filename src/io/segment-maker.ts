import { isAscii } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isBundleText, startsLikeBundle } from '../loader/bundle-text.ts';
import type { DocumentCounter } from '../matching/document-counter.ts';
import { isSecretName } from '../matching/paths.ts';
import { type Segment, SegmentWriter } from '../matching/segment.ts';
import type { SourceText } from '../matching/source-text.ts';
import { withFile } from './open-file.ts';
import { readRange, withoutMark } from './read-text.ts';

const MAX_BYTES = 1024 * 1024;
const FIRST_ROOM = 64 * 1024;
const BINARY_LOOK = 8000;
const BUNDLE_LOOK = 12;
// One segment is written out before it takes more memory than this many postings do.
const MOST_POSTINGS = 1_000_000;

/** Reads files into segments. What can't or may not be read is left out without a word. */
export class SegmentMaker {
  private readonly counter: DocumentCounter;
  private readonly read: (name: string) => SourceText | null;
  private writer: SegmentWriter | null = null;

  constructor(root: string, counter: DocumentCounter) {
    this.counter = counter;
    this.read = reader(root);
  }

  /** Names in path order, behind all that were given before. */
  add(names: readonly string[]): void {
    this.writer ??= this.newWriter();
    for (const name of names) {
      const source = isSecretName(name) ? null : this.read(name);
      if (source !== null) this.writer.add(name, source);
    }
  }

  /** True when it is time to write it out. */
  get full(): boolean {
    return this.writer !== null && this.writer.postings > MOST_POSTINGS;
  }

  /** What was read since the last end; null where that is nothing. */
  end(): Segment | null {
    const { writer } = this;
    this.writer = null;
    return writer === null || writer.count === 0 ? null : writer.end();
  }

  private newWriter(): SegmentWriter {
    this.counter.makeRoom();
    return new SegmentWriter(this.counter);
  }
}

let room: Buffer | undefined;

// One room for all files: what is read into it is good until the next is read.
function roomFor(size: number): Buffer {
  if (room === undefined || size > room.length)
    room = Buffer.allocUnsafe(Math.min(MAX_BYTES, Math.max(FIRST_ROOM, size * 2)));
  return room;
}

function reader(root: string): (name: string) => SourceText | null {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const opened = ownPathsOfOpenFiles();
  return (name) => {
    const bytes = opened ? readOpened(prefix + name, opened) : readChecked(root, name);
    if (bytes === null || bytes.subarray(0, BINARY_LOOK).includes(0)) return null;
    const source = sourceOf(bytes);
    return startsLikeBundle(bytes.toString('latin1', 0, BUNDLE_LOOK)) && isBundleText(source.slice(0)) ? null : source;
  };
}

function sourceOf(read: Buffer): SourceText {
  if (isAscii(read)) {
    let text: string | undefined;
    const slice = (start: number, end?: number): string => {
      text ??= read.toString('latin1');
      return text.slice(start, end);
    };
    return { bytes: read, plain: true, slice };
  }
  const bytes = withoutMark(read);
  return { bytes, plain: false, slice: (start, end) => bytes.toString('utf8', start, end) };
}

// Where the system tells the path of an open file, one question replaces many: it must be the path that was asked for,
// with no link on the way. It is asked of what is open, so a link swapped in between changes nothing.
function readOpened(path: string, opened: string): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MAX_BYTES || readlinkSync(opened + fd) !== path) return null;
    const room = roomFor(stat.size);
    let filled = 0;
    while (filled < stat.size) {
      const count = readSync(fd, room, filled, stat.size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return room.subarray(0, filled);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

function ownPathsOfOpenFiles(): string | null {
  const folder = '/proc/self/fd/';
  try {
    // Of the three that every process has, the first will do.
    return process.platform === 'linux' && readlinkSync(`${folder}0`) !== '' ? folder : null;
  } catch {
    return null;
  }
}

function readChecked(root: string, name: string): Buffer | null {
  const read = withFile(join(root, name), root, ({ fd, size }) => (size > MAX_BYTES ? null : readRange(fd, 0, size)));
  return read.status === 'ok' ? read.value : null;
}
