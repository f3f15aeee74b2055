import { readText } from './read-text.ts';

/** A file that holds a list: its good entries; none where it is missing or broken. */
export function readJsonList<T>(path: string, isEntry: (value: unknown) => value is T): T[] {
  const file = readText(path, null);
  if (file.status !== 'ok') return [];
  try {
    const value: unknown = JSON.parse(file.value.text);
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}
