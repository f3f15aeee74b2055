import type { ConfigFile } from '../config/resolve.ts';
import { readConfigFile } from './config-file.ts';
import { type FileStamp, isUnchanged, stampOf } from './file-stamp.ts';

export type ReadConfig = typeof readConfigFile;

// A file that has not changed is not parsed again: the same object is the same words.
export function keptConfig(now: () => Date): ReadConfig {
  const kept = new Map<string, { stamp: FileStamp; file: ConfigFile | null }>();
  return async (path, options) => {
    const time = now().getTime();
    const known = kept.get(path);
    if (known && isUnchanged(known.stamp, time)) return known.file;
    const stamp = stampOf([path], time);
    const file = await readConfigFile(path, options);
    if (stamp) kept.set(path, { stamp, file });
    else kept.delete(path);
    return file;
  };
}
