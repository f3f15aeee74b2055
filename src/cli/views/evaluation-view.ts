import type { Evaluation } from '../../loader/evaluate-past.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, fitTo, grouped, padTo } from './columns.ts';

const LEVELS = '▁▂▃▄▅▆▇█';
const FETCH = 'git fetch --unshallow, in CI fetch-depth: 0';

export interface EvaluationView {
  terminal: Pick<Terminal, 'columns' | 'paint'>;
  /** How many commits were asked for. */
  asked: number;
}

// What each selection held, as a table with bars and a plot over the changes.
export function evaluationView({ cases, figures, shallow }: Evaluation, { terminal, asked }: EvaluationView): string {
  const { columns, paint } = terminal;
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
  let out = '';
  for (let at = 0; at < shares.length; at += each) {
    const some = shares.slice(at, at + each);
    const mean = some.reduce((sum, share) => sum + share, 0) / some.length;
    out += mean === 0 ? '·' : LEVELS[Math.min(LEVELS.length - 1, Math.floor(mean * LEVELS.length))];
  }
  return out;
}
