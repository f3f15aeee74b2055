import { join } from 'node:path';
import { isOwnDirectory, OWN_FOLDER, statOf } from '../../files/paths.ts';
import { readText, textOf } from '../../files/read-file.ts';
import { atomicWrite } from '../../files/write-file.ts';
import { isRecord, parseJson } from '../../json.ts';

interface Home {
  home: string;
}

export interface Registration {
  id: string;
  root: string;
  /** The folder came with the repository: `init` found it. */
  was_there?: boolean;
}

function registryPath(folders: Home): string {
  return join(folders.home, 'repositories.json');
}

export function readRegistry(folders: Home): Registration[] {
  return readJsonList(registryPath(folders), isRegistration);
}

/** The home's list of repositories, each with what is there. */
export function registryState(folders: Home): { id: string; state: 'there' | 'gone' }[] | 'broken' {
  const file = readText(registryPath(folders), null);
  if (file.status === 'missing') return [];
  const all = file.status === 'ok' ? parseJson(file.value.text) : null;
  if (!Array.isArray(all) || !all.every(isRegistration)) return 'broken';
  return all.map(({ id, root }) => ({
    id,
    state: isOwnDirectory(statOf(join(root, OWN_FOLDER))) ? 'there' : 'gone',
  }));
}

/** Keeps of the list what leads somewhere; the list as it was stays beside. Returns how many are left. */
export function tidyRegistry(folders: Home): number {
  const path = registryPath(folders);
  const before = textOf(path);
  if (before !== null) atomicWrite(`${path}.before`, before, 0o600);
  const left = readRegistry(folders).filter(({ root }) => isOwnDirectory(statOf(join(root, OWN_FOLDER))));
  writeList(path, left);
  return left.length;
}

function isRegistration(value: unknown): value is Registration {
  return isRecord(value) && typeof value.id === 'string' && typeof value.root === 'string';
}

export function register(folders: Home, entry: Registration): void {
  const others = readRegistry(folders).filter(({ id, root }) => id !== entry.id && root !== entry.root);
  writeList(registryPath(folders), [...others, entry]);
}

export function forget(folders: Home, id: string): void {
  writeList(
    registryPath(folders),
    readRegistry(folders).filter((entry) => entry.id !== id),
  );
}

/** A file that holds a list: its good entries; none where it is missing or broken. */
export function readJsonList<T>(path: string, isEntry: (value: unknown) => value is T): T[] {
  const all = parseJson(textOf(path) ?? '');
  return Array.isArray(all) ? all.filter(isEntry) : [];
}

export function writeList(path: string, entries: readonly unknown[]): void {
  atomicWrite(path, `${JSON.stringify(entries, null, 2)}\n`, 0o600);
}
