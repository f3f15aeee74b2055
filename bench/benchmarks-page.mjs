// Writes docs/benchmarks.md again from bench/results/*.json: the parts between <!-- bench:NAME --> marks; other text stays.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { curvePlot } from './curve.mjs';

const RESULTS = join(import.meta.dirname, 'results');
const DOCS = join(import.meta.dirname, '../docs');

export function writePage() {
  const path = join(DOCS, 'benchmarks.md');
  const results = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')));
  let page = readFileSync(path, 'utf8');
  for (const result of results) {
    for (const curve of result.curves) writeFileSync(join(DOCS, curve.file), curvePlot(curve));
    page = replaced(page, result.part, partText(result));
  }
  page = replaced(
    page,
    'weaker',
    results.flatMap(({ weaker, command }) => weaker.map((line) => `- ${line} (\`${command}\`)`)).join('\n'),
  );
  writeFileSync(path, page);
}

function replaced(page, name, text) {
  const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [start, end] = [page.indexOf(open), page.indexOf(close)];
  if (start === -1 || end < start)
    throw new Error(`docs/benchmarks.md has no place for ${name}: add ${open} and ${close}`);
  return `${page.slice(0, start + open.length)}\n\n${text}\n\n${page.slice(end)}`;
}

function partText({ command, machine, about, head, rows, curves }) {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => [...String(row[i])].length)));
  const line = (cells) => `| ${cells.map((cell, i) => String(cell).padEnd(widths[i])).join(' | ')} |`;
  return [
    `\`${command}\` (${machine}). ${about}`,
    '',
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rows.map(line),
    ...curves.flatMap(({ file, title }) => ['', `![${title}](${file})`]),
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) writePage();
