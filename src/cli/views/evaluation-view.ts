import type { Evaluation } from '../../loader/evaluate-past.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { counted, fitTo, grouped, padTo } from './columns.ts';

const BAR = 30;
const WORST = 5;

// What each selection held, as a table with bars, and the cases where the bundle held least.
export function evaluationView(
  { cases, figures }: Evaluation,
  { columns, paint }: Pick<Terminal, 'columns' | 'paint'>,
) {
  if (cases.length === 0)
    return 'no commit of this repository can be measured: none changes a few lines of known files';
  const names = Object.keys(figures);
  const width = Math.min(24, Math.max(...names.map((name) => name.length)) + 2);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(9);
  const out = [
    paint('bold', `What bundles would have held of ${counted(cases.length, 'past change')}`),
    '',
    `${' '.repeat(width)}${'lines'.padStart(9)}${'files'.padStart(9)}${'any line'.padStart(10)}${'characters'.padStart(12)}`,
  ];
  for (const [name, { lines, files, hits, chars }] of Object.entries(figures))
    out.push(
      `${padTo(fitTo(name, width - 1), width)}${percent(lines)}${percent(files)} ${percent(hits)}${grouped(chars).padStart(12)}`,
    );
  out.push('');
  for (const [name, { lines }] of Object.entries(figures)) {
    const filled = Math.round(BAR * lines);
    out.push(`${padTo(fitTo(name, width - 1), width)} ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`);
  }
  const first = names[0] as string;
  const worst = [...cases]
    .sort((a, b) => (a.held[first]?.lines ?? 0) - (b.held[first]?.lines ?? 0))
    .slice(0, WORST)
    .filter(({ held }) => (held[first]?.lines ?? 0) < 1);
  if (worst.length > 0) out.push('', `where ${first} held least:`);
  for (const { commit, task, held } of worst)
    out.push(
      fitTo(`${percent(held[first]?.lines ?? 0)}  ${commit.slice(0, 9)}  ${showHidden(task)}`, Math.min(columns, 100)),
    );
  return out.join('\n');
}
