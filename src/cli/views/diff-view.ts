import type { BundleDiff } from '../../loader/bundle/diff.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { grouped, padTo } from './columns.ts';

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const STYLES = { added: 'green', removed: 'red', changed: 'yellow' } as const;
const SHOWN = 100;

// One line per thing that moved: sign, part, name, what happened.
export function diffView({ changes }: BundleDiff, { paint }: Pick<Terminal, 'paint'>): string {
  const width = Math.max(0, ...changes.map(({ part }) => part.length));
  const lines = changes.slice(0, SHOWN).map(({ part, change, name, detail }) => {
    const left = `${paint(STYLES[change], SIGNS[change])} ${padTo(part, width)}`;
    return `${left}  ${showHidden(name)}  ${paint('dim', showHidden(detail))}`;
  });
  if (changes.length > SHOWN) lines.push(`  and ${grouped(changes.length - SHOWN)} more: --json shows all`);
  return lines.join('\n');
}
