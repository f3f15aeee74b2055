import { showHidden } from '../../safety/hidden-characters.ts';
import type { Terminal } from '../terminal/terminal.ts';

// On a terminal a file's text may not move the cursor or hide itself; into a pipe it goes as it is.
export function forReader(text: string, terminal: Terminal): string {
  return terminal.interactive ? showHidden(text, { keepLines: true }) : text;
}
