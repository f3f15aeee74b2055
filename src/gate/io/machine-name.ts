import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { atomicWrite } from '../../files/atomic-write.ts';
import { whyNotId } from '../../safety/names.ts';

// A name for this home on this machine; two machines must never write one file of a shared workspace.
export function machineName(home: string): string {
  const path = join(home, 'machine');
  const known = readName(path);
  if (known) return known;
  const host =
    hostname()
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || 'machine';
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${host}-${randomBytes(3).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch {
    // another process was first, or the home can't be written: then the next step says so
  }
  const name = readName(path);
  if (name) return name;
  atomicWrite(path, `${host}-${randomBytes(3).toString('hex')}\n`, 0o600);
  return readName(path) ?? host;
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function readName(path: string): string | null {
  try {
    const name = readFileSync(path, 'utf8').trim();
    return whyNotId(name) === null ? name : null;
  } catch {
    return null;
  }
}
