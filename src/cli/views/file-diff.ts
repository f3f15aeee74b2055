import { textDiff } from '../../gate/proposals/proposal-diff.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const DIFF_STYLES = { '-': 'red', '+': 'green' } as const;

// Escapes are shown, never obeyed.
export function fileDiff(before: string | null, after: string | null, { paint }: Pick<Terminal, 'paint'>): string[] {
  return textDiff(before, after).map(({ mark, text }) => {
    const line = `  ${mark} ${showHidden(text)}`.trimEnd();
    return mark === ' ' ? line : paint(DIFF_STYLES[mark], line);
  });
}
