import { existsSync, renameSync, rmSync } from 'node:fs';
import { readText } from './read-text.ts';

// A file that others add to can't be rewritten in place without losing a line of theirs. It is taken aside, its lines are handed
// out, and only then it goes; what an earlier, broken off attempt left aside comes first.
export function* takeFileAside(path: string, scope: string | null): Generator<string> {
  const aside = `${path}.aside`;
  if (!existsSync(aside)) {
    if (!existsSync(path)) return;
    renameSync(path, aside);
  }
  const file = readText(aside, scope);
  if (file.status === 'ok') yield* file.value.text.split('\n').filter((line) => line.trim() !== '');
  rmSync(aside);
}
