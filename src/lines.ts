const LINE_END = /\r\n|\n|\r/;

// Lines end at LF, CRLF or CR only. A final line end closes the last line; it does not open another.
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(LINE_END);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
