import { showHidden } from '../../safety/hidden-characters.ts';
import { counted, padTo, widthOf } from './columns.ts';

/** What the one question of a first run is about. */
export function firstAccountLines(found: readonly { target: string; blocks: number }[]): string[] {
  const width = Math.max(...found.map(({ target }) => widthOf(showHidden(target))));
  return [
    'Nobody kept account here yet. This is what stands there now:',
    '',
    ...found.map(
      ({ target, blocks }) => `  ${padTo(showHidden(target), width)}  ${counted(blocks, 'block').padStart(12)}`,
    ),
    '',
    'Is all of it yours? Then every later block without your word will show.',
  ];
}

export function blocksIn(found: readonly { blocks: number }[]): number {
  return found.reduce((sum, { blocks }) => sum + blocks, 0);
}
