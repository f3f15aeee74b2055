import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { bearings, type Place } from './process/binary.ts';
import { put, tempFolder } from './temp-folder.ts';

// A person with a home of their own, made new for each test.
export function person(files: Readonly<Record<string, string>>) {
  const root = tempFolder();
  const place: Place = { home: root };
  let count = 0;
  beforeEach(() => {
    count += 1;
    place.home = join(root, `person${count}`);
    put(place.home, files);
  });
  return {
    root,
    place,
    at: (name: string) => join(place.home, name),
    run: (...args: string[]) => bearings(place, ...args),
  };
}
