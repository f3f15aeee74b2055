// npm run bench:detectors -- DIRECTORY … [--list]: how many files of real repositories are flagged, by class and certainty.
// Whether a flagged file is a false alarm only a person can say: --list names each with its line and what is around it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';

const MAX_BYTES = 1_000_000;
const MAX_CHARS = 200_000;
const { values, positionals } = parseArgs({ options: { list: { type: 'boolean' } }, allowPositionals: true });
if (positionals.length === 0) {
  console.error('Name one or more directories: npm run bench:detectors -- DIRECTORY … [--list]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'bearings-detectors-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'clean-file.mjs');
const input = fileURLToPath(new URL('../src/safety/clean-text.ts', import.meta.url));
await build({ input, output: { file }, logLevel: 'silent' });
const { cleanFile } = await import(pathToFileURL(file).href);

const total = { files: 0, certain: 0, possible: 0, hidden: 0, ms: 0 };
console.log(
  '| repository | files | with certain findings | with possible ones only | with hidden characters | seconds |',
);
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
const listed = [];
for (const directory of positionals) {
  const counts = countIn(resolve(directory));
  console.log(rowOf(basename(resolve(directory)), counts));
  for (const key of Object.keys(total)) total[key] += counts[key];
}
console.log(rowOf('all', total));
if (values.list) console.log(`\n${listed.join('\n')}`);

function rowOf(name, { files, certain, possible, hidden, ms }) {
  return `| ${name} | ${files} | ${certain} | ${possible} | ${hidden} | ${(ms / 1000).toFixed(1)} |`;
}

function countIn(directory) {
  const counts = { files: 0, certain: 0, possible: 0, hidden: 0, ms: 0 };
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const text = entry.isFile() && !path.includes('/.git/') ? textOf(path) : null;
    if (text === null) continue;
    const start = performance.now();
    const { findings } = cleanFile(text);
    counts.ms += performance.now() - start;
    counts.files += 1;
    const secrets = findings.filter(({ kind }) => !kind.startsWith('hidden_'));
    if (findings.length > secrets.length) counts.hidden += 1;
    if (secrets.some(({ certainty }) => certainty === 'certain')) counts.certain += 1;
    else if (secrets.length > 0) counts.possible += 1;
    for (const { kind, certainty, lines } of findings)
      for (const line of lines.slice(0, 3))
        listed.push(
          `${certainty}\t${kind}\t${relative(join(directory, '..'), path)}:${line}\t${text.split('\n')[line - 1]?.trim().slice(0, 160)}`,
        );
  }
  return counts;
}

// As the loader reads it: text of at most 1 MB.
function textOf(path) {
  const bytes = readFileSync(path);
  if (bytes.length > MAX_BYTES || bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).slice(0, MAX_CHARS);
  } catch {
    return null;
  }
}
