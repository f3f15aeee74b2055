import { hostname } from 'node:os';
import { codeOf } from '../../files/system-error.ts';

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
