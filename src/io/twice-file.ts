import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { atomicWrite } from './atomic-write.ts';

// For what is taken as it is, without another look: everything stands in the file twice, and both halves must be equal.
// Comparing takes no time; a checksum in cold JavaScript would take as long as keeping it saves.
export function writeTwice(path: string, once: Buffer): void {
  try {
    atomicWrite(path, Buffer.concat([once, once]), 0o600);
  } catch {
    // No place to keep it: the next run starts as this one did.
  }
}

// Null where it is lost, damaged, another user's, or others may write it.
export function readTwice(path: string): Buffer | null {
  try {
    const fd = openSync(path, 'r');
    try {
      const { size, uid, mode } = fstatSync(fd);
      if ((process.getuid && uid !== process.getuid()) || mode & 0o022) return null;
      const bytes = Buffer.allocUnsafeSlow(size);
      if (readSync(fd, bytes, 0, size, 0) !== size) return null;
      const once = bytes.subarray(0, size / 2);
      return once.equals(bytes.subarray(size / 2)) ? once : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
