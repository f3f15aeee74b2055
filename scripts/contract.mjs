// Lists the rules of docs/contract that no test names in its title.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const rules = readdirSync(join(root, 'docs/contract')).flatMap((page) => {
  const text = readFileSync(join(root, 'docs/contract', page), 'utf8');
  return [...text.matchAll(/^- \*\*([MLT]\d+)\*\* (.{0,70})/gm)].map(([, rule, start]) => ({ rule, start }));
});

const tests = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8')),
);
const named = new Set();
for (const text of tests) {
  for (const [, title] of text.matchAll(/\b(?:it|test|describe)\b[^'"`\n]*['"`]([^'"`\n]*)/g)) {
    for (const [rule] of title.matchAll(/\b[MLT]\d+\b/g)) named.add(rule);
  }
}

const missing = rules.filter(({ rule }) => !named.has(rule));
for (const { rule, start } of missing) console.log(`${rule.padEnd(4)} ${start}…`);
console.log(`${rules.length - missing.length} of ${rules.length} rules are named by a test.`);
