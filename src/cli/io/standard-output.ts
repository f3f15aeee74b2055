import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { BearingsError } from '../../errors.ts';

const PAUSE_MS = 2;
let isClosed = false;

// Straight to the file descriptor: Node's own streams take some milliseconds of every start to set up.
export function writeStandard(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let written = 0; written < bytes.length && !isClosed; ) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that closes early (`| head`) is no error: nothing more is said, but the exit code. One that is slow is waited for.
      isClosed = code === 'EPIPE';
      if (isClosed) return;
      if (code === 'ENOSPC')
        throw new BearingsError('io_error', "The output can't be written: the disk is full.", {
          hint: 'Make room, or send it elsewhere.',
        });
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

// A terminal is a device; a pipe, a file or the null device is none, and then nobody need ask Node's streams, which take
// their time.
export function isDevice(fd: 1): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && stats.rdev !== statSync(devNull).rdev;
  } catch {
    return false;
  }
}
