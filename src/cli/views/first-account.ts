import { showHidden } from '../../safety/hidden-characters.ts';
import { counted, padTo, widthOf, wrapTo } from './columns.ts';

/** What the one question of a first run is about. */
export function firstAccountLines(
  found: readonly { target: string; blocks: number; text: string }[],
  columns: number,
): string[] {
  const width = Math.max(...found.map(({ target }) => widthOf(showHidden(target))));
  return [
    'Nothing here has been decided on yet. This is what is there now:',
    '',
    ...found.map(
      ({ target, blocks }) => `  ${padTo(showHidden(target), width)}  ${counted(blocks, 'block').padStart(12)}`,
    ),
    ...found.flatMap(({ target, text }) => [
      '',
      `${showHidden(target)}:`,
      ...text
        .trimEnd()
        .split(/\r\n|\n|\r/)
        .flatMap((line) => wrapTo(showHidden(line), columns - 4).map((row) => `    ${row}`.trimEnd())),
    ]),
    '',
    'Is it all yours? After a yes, every new block without your decision is shown.',
  ];
}

export function blocksIn(found: readonly { blocks: number }[]): number {
  return found.reduce((sum, { blocks }) => sum + blocks, 0);
}
