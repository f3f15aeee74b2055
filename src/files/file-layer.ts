import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { syncFolder } from './atomic-write.ts';

/** Every write of a decision goes through this, so that a test can record the order or end the world at any step. */
export interface FileLayer {
  open(path: string, flags: number | string, mode: number): WritableFile;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  syncFolder(path: string): void;
}

export interface WritableFile {
  fd: number;
  /** One write of the system; returns the bytes it took. */
  write(bytes: Uint8Array): number;
  sync(): void;
  truncate(size: number): void;
  close(): void;
}

export const realFiles: FileLayer = {
  open(path, flags, mode) {
    const fd = openSync(path, flags, mode);
    return {
      fd,
      write: (bytes) => writeSync(fd, bytes),
      sync: () => fsyncSync(fd),
      truncate: (size) => ftruncateSync(fd, size),
      close: () => closeSync(fd),
    };
  },
  rename: renameSync,
  unlink: unlinkSync,
  syncFolder,
};
