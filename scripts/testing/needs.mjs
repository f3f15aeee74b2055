// Which test files need more of the machine than a core and a disk, by the helper that they import, themselves or through another.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The test files that come to `helper`, such as `test/support/process/tmux.ts`. */
export function testsThatNeed(helper) {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join('test', name.replaceAll('\\', '/')))
    .filter((name) => name.endsWith('.ts'));
  const imports = new Map(files.map((name) => [name, importsOf(name)]));
  const needing = new Set([helper]);
  for (let before = 0; before < needing.size; ) {
    before = needing.size;
    for (const [name, others] of imports) if (others.some((other) => needing.has(other))) needing.add(name);
  }
  return [...needing].filter((name) => name.endsWith('.test.ts')).sort();
}

function importsOf(name) {
  const text = readFileSync(join(ROOT, name), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => posix.join(posix.dirname(name), path));
}
