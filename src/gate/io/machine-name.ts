import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../files/file-fingerprint.ts';
import { readPlainFile } from '../../files/read-file.ts';
import { codeOf } from '../../files/system-error.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { whyNotId } from '../../safety/hidden-characters.ts';

// A name for this home on this machine; two machines must never write one file of a shared workspace. A home that is synced brings
// the name of the machine that made it along: every other machine writes under a name that it can always work out again.
export function machineName(home: string): string {
  const path = join(home, 'machine');
  const mark = machineMark();
  const known = readName(path);
  // Without a mark it is one that the person gave.
  if (known?.mark === '' || known?.mark === mark) return known.name;
  if (known) return `${hostName()}-${sha256(`${known.name} ${mark}`).slice(0, 6)}`;
  const fresh = () => `${hostName()}-${randomBytes(3).toString('hex')}\n${mark}\n`;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(path, fresh(), { flag: 'wx', mode: 0o600, flush: true });
  } catch {
    // another process was first, or the home can't be written: then the next step says so
  }
  const made = readName(path);
  if (made) return made.name;
  atomicWrite(path, fresh(), 0o600);
  return readName(path)?.name ?? hostName();
}

function hostName(): string {
  const name = hostname()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return name || 'machine';
}

// By its name, and where the system has one by its id: many machines are called alike.
function machineMark(): string {
  let id = '';
  try {
    id = readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // not on this system
  }
  return sha256(`${hostname()} ${id}`).slice(0, 16);
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function readName(path: string): { name: string; mark: string } | null {
  try {
    const [name = '', mark = ''] = readPlainFile(path).toString('utf8').trim().split('\n');
    return whyNotId(name) === null ? { name, mark } : null;
  } catch {
    return null;
  }
}

/** Who writes a transcript: so that another process can tell a session that goes on from one that was cut off. */
export function thisProcess(): { pid: number; host: string } {
  return { pid: process.pid, host: hostname() };
}

/** Null: it belongs to another machine, and nobody here can know. */
export function isAlive(pid: unknown, host: unknown): boolean | null {
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return false;
  if (host !== hostname()) return null;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

export function randomId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
