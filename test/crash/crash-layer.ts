import type { FileLayer } from '../../src/files/write-file.ts';

/** The process is gone: from here on nothing reaches the disk any more. */
export class Crash extends Error {}

export interface CrashLayer {
  files: FileLayer;
  steps(): number;
  /** Whether it cut a write short: at any other step the share makes no difference. */
  cutWrite(): boolean;
}

// Ends the world at step `at`. A write that is cut short brings `share` of its bytes to the disk first.
export function crashAt(real: FileLayer, at: number, share: number): CrashLayer {
  let step = 0;
  let hasCut = false;
  const guard = (partial?: () => void): void => {
    step += 1;
    if (step < at) return;
    if (step === at && partial) {
      hasCut = true;
      partial();
    }
    throw new Crash(`crash at step ${at}`);
  };
  return {
    steps: () => step,
    cutWrite: () => hasCut,
    files: {
      open(path, flags, mode) {
        guard();
        const file = real.open(path, flags, mode);
        return {
          fd: file.fd,
          write(bytes) {
            guard(() => file.write(bytes.subarray(0, Math.floor(bytes.length * share))));
            return file.write(bytes);
          },
          sync() {
            guard();
            file.sync();
          },
          truncate(size) {
            guard();
            file.truncate(size);
          },
          // Closing is not an effect on the disk; a dead process's files are closed for it.
          close: () => file.close(),
        };
      },
      rename(from, to) {
        guard();
        real.rename(from, to);
      },
      unlink(path) {
        guard();
        real.unlink(path);
      },
      syncFolder(path) {
        guard();
        real.syncFolder(path);
      },
    },
  };
}
