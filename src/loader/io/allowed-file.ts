import { join } from 'node:path';
import { BearingsError } from '../../errors.ts';
import { atomicWrite } from '../../files/atomic-write.ts';
import { readText } from '../../files/read-text.ts';
import { ioError } from '../../files/system-error.ts';
import type { Signature } from '../../gate/ledger/entry.ts';
import { isRecord } from '../../json-record.ts';

/** The person's word that one adapter of one project may run, as it was when they saw it. */
export interface Allowed {
  project: string;
  adapter: string;
  command: string[];
  sha256: string;
  at: string;
  /** By the person's key: a word that another program wrote here allows nothing. */
  sig?: Signature;
}

const FILE = 'allowed.json';
const MAX_CHARS = 8 * 1024 * 1024;

// A file that can't be read allows nothing.
export function readAllowed(home: string): Allowed[] {
  const file = readText(join(home, FILE), null);
  if (file.status !== 'ok' || file.value.text.length > MAX_CHARS) return [];
  try {
    const value: unknown = JSON.parse(file.value.text);
    return isRecord(value) && Array.isArray(value.allowed) ? value.allowed.filter(isAllowed) : [];
  } catch {
    return [];
  }
}

export function writeAllowed(home: string, allowed: readonly Allowed[]): void {
  // What is there but can't be understood is the person's to fix, not ours to replace.
  const file = readText(join(home, FILE), null);
  if (file.status === 'unreadable' || (file.status === 'ok' && !isOurs(file.value.text)))
    throw new BearingsError('io_error', `${FILE} in the home can't be understood.`, {
      hint: 'Look at it, then remove it and allow again.',
    });
  try {
    atomicWrite(join(home, FILE), `${JSON.stringify({ version: 1, allowed }, null, 2)}\n`, 0o600);
  } catch (error) {
    throw ioError(`${FILE} in the home can't be written`, error);
  }
}

function isOurs(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Array.isArray(value.allowed);
  } catch {
    return false;
  }
}

function isAllowed(value: unknown): value is Allowed {
  return (
    isRecord(value) &&
    ['project', 'adapter', 'sha256', 'at'].every((key) => typeof value[key] === 'string') &&
    Array.isArray(value.command) &&
    value.command.every((word) => typeof word === 'string')
  );
}
