import { cleanFile } from '../safety/clean-file.ts';

// What is certainly a secret is replaced by its class, as in a bundle. Files that were edited past the gate may hold one.
export function masked(text: string): string {
  const { text: clean, refused } = cleanFile(text);
  return refused === undefined ? clean : `[redacted:${refused}]`;
}

/** Line by line; null where a secret spans several of them, so that they no longer make sense by themselves. */
export function maskedLines(lines: readonly string[]): string[] | null {
  const text = lines.join('\n');
  const clean = masked(text);
  if (clean === text) return [...lines];
  const found = clean.split('\n');
  return found.length === lines.length ? found : null;
}
