import { invalidInput } from '../../errors.ts';
import type { Evaluation } from '../../loader/evaluate-past.ts';
import { defineCommand, EXIT } from '../command.ts';
import { progressOn } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, fitTo, grouped, padTo } from '../views/columns.ts';

const DEFAULT_COMMITS = 50;

export const command = defineCommand({
  help: `
    bearings eval [DIR] [--commits N | --tasks FILE] [--policy NAME|FILE]... [--min-lines PERCENT]

    The subject of each of the last commits is the task, the state before it is the project: how many of the files
    and lines it changed were in the bundle? Beside it BM25 over files and over chunks of 40 lines in the same room.
    Your repository is only read. Ctrl-C ends it at any time and shows what is known by then.

    --commits N  how many commits (50)
    --tasks FILE  lines of {"commit", "task"}: texts of issues in place of subjects
    --policy NAME|FILE …  compare these policies; repeatable
    --max-files N  this and the next three: as for load
    --max-chars-per-file N  characters of one file
    --max-total-chars N  characters in all
    --max-tokens N  tokens in all, counted
    --no-baselines  only the bundles, which is faster
    --min-lines PERCENT  exit code 1 if fewer lines are in the bundle: for CI

    bearings eval --policy repo --policy .bearings/policy.yaml  which of the two holds more?
    bearings eval --commits 30 --min-lines 60  a check in CI
  `,
  maxWords: 1,
  async run({ words: [dir], text, number, list, flag, bearings, terminal, json }) {
    const least = percentOf(text('min-lines'));
    const commits = number('commits');
    const progress = progressOn(terminal, 'past commits');
    const ending = new AbortController();
    let asked = commits ?? DEFAULT_COMMITS;
    const stop = () => ending.abort();
    process.once('SIGINT', stop);
    const evaluation = await (await bearings.evaluation())
      .evaluate({
        dir,
        commits,
        tasks: text('tasks'),
        policies: list('policy'),
        baselines: !flag('no-baselines'),
        max_files: number('max-files'),
        max_chars_per_file: number('max-chars-per-file'),
        max_total_chars: number('max-total-chars'),
        max_tokens: number('max-tokens'),
        onCase: (_, done, total) => {
          asked = total;
          progress.step(done, total);
          return ending.signal.aborted;
        },
      })
      .finally(() => process.off('SIGINT', stop));
    progress.end();
    for (const warning of evaluation.warnings) terminal.warn(warning);
    const ours = Object.entries(evaluation.figures).filter(([name]) => !name.startsWith('bm25 '));
    const below = least === null ? [] : ours.filter(([, { lines }]) => 100 * lines < least);
    // What was not measured has not held anything.
    const isUnknown = least !== null && ours.length === 0;
    const failed = isUnknown || below.length > 0;
    if (json) terminal.print(JSON.stringify({ ...evaluation, passed: !failed }, null, 2));
    else {
      terminal.print(evaluationView(evaluation, terminal, asked));
      const left = asked - evaluation.cases.length;
      if (text('tasks') && left > 0 && !ending.signal.aborted)
        terminal.print(
          `${left} of ${asked} tasks can't be measured: their commits change no line of a known file, or too many files`,
        );
      if (isUnknown) terminal.print(`so nothing is known of the ${least} % asked for`);
      for (const [name, { lines }] of below)
        terminal.print(`${name} holds ${(100 * lines).toFixed(1)} % of the lines: fewer than the ${least} % asked for`);
    }
    return failed ? EXIT.checkFailed : EXIT.done;
  },
});

function percentOf(written: string | undefined): number | null {
  if (written === undefined) return null;
  const percent = /^\d{1,3}(?:\.\d{1,2})?$/.test(written) ? Number(written) : Number.NaN;
  if (!(percent >= 0 && percent <= 100))
    throw invalidInput('--min-lines takes a percentage from 0 to 100.', 'For example: --min-lines 60');
  return percent;
}

const LEVELS = '▁▂▃▄▅▆▇█';
const FETCH = 'git fetch --unshallow, in CI fetch-depth: 0';

// What each selection held, as a table with bars and a plot over the changes.
function evaluationView({ cases, figures, shallow }: Evaluation, { columns, paint }: Terminal, asked: number): string {
  if (cases.length === 0)
    return shallow
      ? `no commit can be measured: this clone is shallow, fetch its history first (${FETCH})`
      : 'no commit of this repository can be measured: none changes a few lines of known files';
  const names = Object.keys(figures);
  const width = Math.min(24, Math.max(...names.map((name) => name.length)) + 2);
  const label = (name: string) => padTo(fitTo(name, width - 1), width);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(9);
  const out = [
    paint('bold', `What bundles would have contained of ${counted(cases.length, 'past change')}`),
    '',
    `${' '.repeat(width)}${'lines'.padStart(9)}${'precision'.padStart(11)}${'F1'.padStart(9)}${'files'.padStart(9)}${'any line'.padStart(10)}${'characters'.padStart(12)}`,
  ];
  for (const [name, { lines, precision, f1, files, hits, chars }] of Object.entries(figures))
    out.push(
      `${label(name)}${percent(lines)}  ${percent(precision)}${percent(f1)}${percent(files)} ${percent(hits)}${grouped(chars).padStart(12)}`,
    );
  out.push('', `lines of each change, the oldest first (· none, █ all)`);
  for (const name of names) {
    const held = cases.map((each) => each.held[name]?.lines ?? 0).reverse();
    out.push(`${label(name)} ${plot(held, Math.min(columns, 100) - width - 1)}`);
  }
  if (shallow && cases.length < asked)
    out.push('', `only ${cases.length} of ${asked}: this clone is shallow; for more fetch its history (${FETCH})`);
  return out.join('\n');
}

// A character for each change; where there is no room for all, for the mean of neighbours.
function plot(shares: readonly number[], width: number): string {
  const each = Math.ceil(shares.length / Math.max(1, width));
  const groups = Array.from({ length: Math.ceil(shares.length / each) }, (_, at) =>
    shares.slice(at * each, (at + 1) * each),
  );
  const means = groups.map((some) => some.reduce((sum, share) => sum + share, 0) / some.length);
  return means.map((mean) => (mean === 0 ? '·' : LEVELS[Math.min(7, Math.floor(mean * 8))])).join('');
}
