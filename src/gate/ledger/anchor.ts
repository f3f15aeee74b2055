import { isRecord } from '../../json-record.ts';

/** What was where a note points, when the person said yes to it. */
export interface Anchor {
  /** As the note says it. */
  cited: string;
  /** Within the project. */
  path: string;
  /** What of it. */
  of: 'folder' | 'file' | 'definition' | 'line';
  /** Of a definition, with those around it; else null. */
  name: string | null;
  /** SHA-256 of the definition without its name, of the line, or of the file; null of a folder. */
  hash: string | null;
}

/** As it is read back from beside a ledger; null where that is none. */
export function checkedAnchors(value: unknown): Anchor[] | null {
  return Array.isArray(value) && value.every(isAnchor) ? value : null;
}

function isAnchor(value: unknown): value is Anchor {
  if (!isRecord(value)) return false;
  const { cited, path, of, name, hash } = value;
  const texts = [cited, path].every((text) => typeof text === 'string');
  const maybe = [name, hash].every((text) => text === null || typeof text === 'string');
  return texts && maybe && ['folder', 'file', 'definition', 'line'].includes(String(of)) && isWithin(String(path));
}

function isWithin(path: string): boolean {
  return !/^[\\/]|^[a-z]:|\0/i.test(path) && !path.split(/[\\/]/).includes('..');
}
