import { showHidden } from '../../safety/hidden-characters.ts';

export { ageOf, counted, grouped } from '../../words.ts';

// Columns a text takes on a terminal: wide characters two, marks and joiners none.
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += MARK.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return width;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function fitTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const char of text) {
    if (widthOf(kept + char) > width - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** Rows of cells, each column as wide as its widest cell; the last goes on to the edge. */
export function table(rows: readonly (readonly string[])[], columns = Number.POSITIVE_INFINITY): string[] {
  const last = (rows[0]?.length ?? 1) - 1;
  const widths = Array.from({ length: last }, (_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  return rows.map((row) => fitTo(row.map((cell, at) => padTo(cell, widths[at] ?? 0)).join('  '), columns));
}

/** A path keeps its beginning and its name: what is too long goes from the middle. */
export function fitMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = [...text];
  let tail = '';
  for (const char of characters.toReversed()) {
    if (widthOf(char + tail) > Math.ceil((2 * (width - 1)) / 3)) break;
    tail = char + tail;
  }
  let head = '';
  for (const char of characters) {
    if (widthOf(head + char) + 1 + widthOf(tail) > width) break;
    head += char;
  }
  return `${head}…${tail}`;
}

// At a blank where there is one; every character stays.
export function wrapTo(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  for (const piece of text.match(/\s+|\S+/gu) ?? []) {
    const wide = widthOf(piece);
    if (taken + wide > width && taken > 0 && piece.trim() !== '') {
      rows.push(row);
      row = '';
      taken = 0;
    }
    for (const char of piece) {
      const step = widthOf(char);
      if (taken + step > width) {
        rows.push(row);
        row = '';
        taken = 0;
      }
      row += char;
      taken += step;
    }
  }
  return row === '' && rows.length > 0 ? rows : [...rows, row];
}

/** A text of several lines, four columns in, nothing of it hidden. */
export function indented(text: string, columns: number): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .flatMap((line) => wrapTo(showHidden(line), columns - 4).map((row) => `    ${row}`.trimEnd()));
}

/** One line of a file as rows of a screen: its mark and its number before the first. */
export function numberedRows(text: string, columns: number, number: number | null, mark = ' '): string[] {
  return wrapTo(showHidden(text), Math.min(columns, 100) - 10).map((row, at) =>
    `  ${mark} ${padTo(number === null || at > 0 ? '' : String(number), 6)}${row}`.trimEnd(),
  );
}

// Between words; a word that is too long stays whole.
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

// Most texts: none of these needs the tables, which take a millisecond to build.
const NARROW = /^[\0-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/;
const MARK = /[\p{M}\p{Cf}]/u;
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

// On a terminal a file's text may not move the cursor or hide itself; into a pipe it goes as it is.
export function forReader(text: string, { interactive }: { readonly interactive: boolean }): string {
  return interactive ? showHidden(text, { keepLines: true }) : text;
}

/** What became of a text that was proposed. */
export function proposedWords(
  answer:
    | { status: 'pending' | 'already_waiting'; proposal_id: string; target: string }
    | { status: 'already_present'; target: string }
    | { status: 'declined_before'; reason: string | null },
): string {
  if (answer.status === 'already_present') return `already there: nothing new for ${answer.target}`;
  if (answer.status === 'declined_before')
    return `you declined this before${answer.reason ? `: ${showHidden(answer.reason)}` : ''} · nothing was proposed`;
  const said = answer.status === 'pending' ? 'proposed' : 'waits already:';
  return `${said} ${answer.proposal_id} · ${answer.target} · waits for you: bearings review`;
}
