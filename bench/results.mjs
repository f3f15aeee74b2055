// What a part of the benchmark found, kept as a small file; bench/benchmarks-page.mjs makes the page out of them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'results');

export function keepResult(part, { command, about, head, rows }) {
  mkdirSync(FOLDER, { recursive: true });
  const machine = `${cpus().length} ${arch()} cores, load ${loadavg()[0].toFixed(0)}, Node ${process.version.slice(1)}`;
  const result = { part, command, machine, about, head, rows };
  // A short run is for the eye only.
  if (!isQuick) writeFileSync(join(FOLDER, `${part}.json`), `${JSON.stringify(result, null, 2)}\n`);
  printTable(head, rows);
}

/** The rows that an earlier run of this part kept. */
export function resultRows(part) {
  const path = join(FOLDER, `${part}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).rows : [];
}

export function printTable(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => String(row[column]).length)));
  for (const row of [head, ...rows])
    console.log(
      row
        .map((cell, i) => String(cell).padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Between which values the middle half of them lies. */
export function middleHalf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return [0.25, 0.75].map((part) => sorted[Math.floor(part * sorted.length)]);
}

// The candidates take turns, so that a busy moment of the machine falls on all of them. Milliseconds: the median of each, and
// its spread.
export async function inTurns(rounds, candidates, warmUp = 1) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1)
    for (const [name, work] of Object.entries(candidates)) {
      const start = performance.now();
      await work(round + warmUp);
      // The first round warms up.
      if (round >= 0) times[name].push(performance.now() - start);
    }
  const each = (work) => Object.fromEntries(Object.entries(times).map(([name, list]) => [name, work(list)]));
  return { times: each(median), spread: each(middleHalf) };
}

const short = (value) =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
export const ms = (value) => `${short(value)} ms`;
/** With the middle half of the rounds behind it: 3.70 ms (3.42–4.10). */
export const withSpread = (value, spread, unit = 'ms') => `${short(value)} ${unit} (${spread.map(short).join('–')})`;
export const ratio = (ours, theirs) => {
  const value = ours / theirs;
  return `${value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2))}×`;
};
export const count = (value) => value.toLocaleString('en');
/** A test starts every part in its smallest size: that shows that it runs, and says nothing of its figures. */
const isSmoke = process.env.BENCH_SMOKE === '1';
export const isQuick = isSmoke || process.argv.includes('--quick') || process.env.BENCH_QUICK === '1';
export const sized = (full, smallest) => (isSmoke ? smallest : full);
/** What a script ends with: bounds are for whole runs. */
export const exitCode = (isWithinBounds) => (isWithinBounds || isSmoke ? 0 : 1);
